// The spectrum: time scales, the complex plane, and a table of all modes.
import { drawPlane } from "../charts/plane";
import { drawTimescales, timescaleHeadings, timescaleRows } from "../charts/timescales";
import type { Maybe, Payload } from "../data/payload";
import { html, table } from "../dom";
import { csv, fileName } from "../export/download";
import { figure } from "../export/figure";
import { formatted, percent, subscript, withError } from "../text/format";
import { modesOf, referenceOf, slowModes, spectralGap, type Mode } from "../text/modes";
import { meaningLink, section } from "./section";

function eigenvalue(mode: Mode): string {
  return mode.frequency > 0 ? `${formatted(mode.rate)} ± ${formatted(mode.frequency)} i` : formatted(mode.rate);
}

function flags(mode: Mode, slow: ReadonlySet<number>): string {
  return [
    slow.has(mode.n) ? "slow" : "",
    mode.timescale === null ? "another part of the data" : "",
    mode.spurious ? "spurious" : "",
    mode.converged ? "" : "not converged",
    mode.frequency > 0 ? `turns once in ${formatted((2 * Math.PI) / mode.frequency, 3)}` : "",
  ].filter(Boolean).join(", ");
}

function errorText(error: Maybe | undefined): string {
  return error === null || error === undefined ? "–" : percent(error);
}

function modeTable(payload: Payload, modes: readonly Mode[]): HTMLElement {
  const slow = new Set(slowModes(modes).map((mode) => mode.n));
  const bars = payload.result.error_bars !== undefined;
  const functions = new Map((payload.function_errors ?? []).map(({ mode, error }) => [mode, error]));
  const reference = referenceOf(modes, payload.reference_timescales);
  const headings = [
    "mode", "", "eigenvalue λ", "time scale −1/Re λ", "time scale, logarithm",
    ...(bars ? ["extrapolated"] : []), ...(reference.size > 0 ? ["reference"] : []),
    ...(functions.size > 0 ? ["error of ψ"] : []), "points that carry it", "residual",
  ];
  const rows = modes.map((mode) => [
    `ψ${subscript(mode.n)}`, flags(mode, slow), eigenvalue(mode), withError(mode.timescale, mode.noise), formatted(mode.timescaleLog),
    ...(bars ? [mode.extrapolatedError ? withError(mode.extrapolated, mode.extrapolatedError) : "–"] : []),
    ...(reference.size > 0 ? [reference.has(mode.n) ? formatted(reference.get(mode.n)) : "–"] : []),
    ...(functions.size > 0 ? [errorText(functions.get(mode.n))] : []),
    formatted(mode.effectivePoints === null ? null : Math.round(mode.effectivePoints), 6), formatted(mode.residual, 2),
  ]);
  return table(headings, rows, payload.time_unit ? `All modes; times in ${payload.time_unit}` : "All modes");
}

export function spectrumSection(payload: Payload): HTMLElement {
  const modes = modesOf(payload.result);
  const name = fileName(payload.title || payload.name);
  const data = { modes, reference: referenceOf(modes, payload.reference_timescales), unit: payload.time_unit };
  const complex = payload.result.eigenvalues.some(([, im]) => im !== 0);
  const eigenvalues = payload.result.eigenvalues.map(([re, im], n) => [n, re, im, payload.result.spurious.includes(n) ? 1 : 0]);
  return section(
    "spectrum",
    "Time scales",
    figure({
      name: `${name}-timescales`,
      caption: html(
        "span",
        {},
        "How long each mode lasts, the slowest on the left. ",
        meaningLink("formulas", "Two formulas"),
        " for it agree where ε is small enough",
        ...(spectralGap(modes) ? ["; ", meaningLink("gap", "the shaded gap"), " parts slow modes from fast ones."] : ["."]),
      ),
      draw: (width) => drawTimescales(data, width),
      csv: () => csv(timescaleHeadings, timescaleRows(data)),
    }),
    complex
      ? figure({
          name: `${name}-eigenvalues`,
          caption: html("span", {}, "Eigenvalues in the complex plane. ", meaningLink("pairs", "Pairs off the axis"), " turn while they decay."),
          draw: (width) => drawPlane(payload.result, width),
          csv: () => csv(["mode", "re", "im", "spurious"], eigenvalues),
        })
      : null,
    modeTable(payload, modes),
  );
}
