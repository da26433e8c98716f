// Time scales of the modes: both formulas, error bars, what is known from elsewhere, and the gap.
import { formatted, withError } from "../text/format";
import { bestTimescale, spectralGap, trusted, type Mode } from "../text/modes";
import { svg } from "../dom";
import { frame, margins, padded, type Frame } from "./axes";
import { cross, dot, errorBar, legend, legendHeight, type LegendEntry } from "./marks";

export interface TimescaleData {
  modes: readonly Mode[];
  /// By the number of the mode.
  reference: ReadonlyMap<number, number>;
  unit: string;
}

export function timeLabel(unit: string): string {
  return unit ? `time scale [${unit}]` : "time scale";
}

function allTimes({ modes, reference }: TimescaleData): number[] {
  const times: number[] = [...reference.values()];
  for (const mode of modes) {
    for (const time of [mode.timescale, mode.timescaleLog, mode.extrapolated]) {
      if (time !== null && time !== undefined && time > 0) {
        times.push(time);
      }
    }
  }
  return times;
}

/// Between the last slow mode and the next: where a reader looks for it.
function drawGap(chart: Frame, modes: readonly Mode[]): void {
  const gap = spectralGap(modes);
  if (!gap) {
    return;
  }
  const all = trusted(modes);
  const [above, below] = [all[gap.slow - 1]!, all[gap.slow]!];
  const top = chart.y(bestTimescale(above).time ?? above.timescale);
  const bottom = chart.y(bestTimescale(below).time ?? below.timescale);
  chart.area.append(
    svg("rect", { class: "gap", x: 0, width: chart.width, y: top, height: Math.max(0, bottom - top) }),
    svg(
      "text",
      { class: "note", x: chart.width - 8, y: (top + bottom) / 2 + 4, "text-anchor": "end" },
      `gap: a factor of ${formatted(gap.ratio, 2)}`,
    ),
  );
}

function drawMode(chart: Frame, mode: Mode): void {
  const offset = 0.14;
  if (mode.timescale === null) {
    const title = svg("title", {}, `mode ${mode.n}: another part of the data, never reached`);
    chart.area.append(svg("text", { class: "note", x: chart.x(mode.n), y: 12, "text-anchor": "middle" }, "∞", title));
  }
  if (mode.timescale !== null && mode.timescale > 0) {
    const what = `mode ${mode.n}: time scale ${withError(mode.timescale, mode.noise)}`;
    if (mode.spurious) {
      cross(chart, mode.n - offset, mode.timescale, "spurious", `${what}, spurious: on a handful of points`);
    } else {
      if (mode.noise) {
        errorBar(chart, mode.n - offset, mode.timescale - mode.noise, mode.timescale + mode.noise, "bar paper");
      }
      dot(chart, mode.n - offset, mode.timescale, "paper", `${what} (−1/Re λ)`);
    }
  }
  if (!mode.spurious && mode.timescaleLog !== null && mode.timescaleLog > 0) {
    dot(chart, mode.n, mode.timescaleLog, "log", `mode ${mode.n}: time scale ${formatted(mode.timescaleLog)} (logarithm)`);
  }
  if (!mode.spurious && mode.extrapolated && mode.extrapolatedError) {
    const { extrapolated, extrapolatedError } = mode;
    errorBar(chart, mode.n + offset, extrapolated - extrapolatedError, extrapolated + extrapolatedError, "bar limit");
    dot(chart, mode.n + offset, extrapolated, "limit", `mode ${mode.n}: ${withError(extrapolated, extrapolatedError)} extrapolated`);
  }
}

function legendEntries({ modes, reference }: TimescaleData): LegendEntry[] {
  const entries: LegendEntry[] = [
    { className: "paper", shape: "dot", label: modes.some((mode) => mode.noise) ? "−1/Re λ, with noise" : "−1/Re λ" },
    { className: "log", shape: "dot", label: "by the logarithm" },
  ];
  if (modes.some((mode) => mode.extrapolatedError)) {
    entries.push({ className: "limit", shape: "dot", label: "extrapolated to ε = 0 and many points" });
  }
  if (reference.size > 0) {
    entries.push({ className: "reference", shape: "dash", label: "reference" });
  }
  if (modes.some((mode) => mode.spurious)) {
    entries.push({ className: "spurious", shape: "cross", label: "spurious" });
  }
  return entries;
}

export function drawTimescales(data: TimescaleData, width: number): SVGSVGElement {
  const numbers = data.modes.map((mode) => mode.n);
  const last = Math.max(1, ...numbers);
  const every = Math.max(1, Math.ceil(last / Math.max(4, Math.floor(width / 45))));
  const entries = legendEntries(data);
  const [low, high] = padded(allTimes(data), 0.08, true);
  const above = legendHeight(width - margins.left - margins.right, entries);
  const chart = frame(
    width,
    320 + above,
    { label: "mode n, slowest first", domain: [0.4, last + 0.6], ticks: numbers.filter((n) => (n - 1) % every === 0) },
    { label: timeLabel(data.unit), domain: [low, high], logarithmic: true },
    { ...margins, top: margins.top + above },
  );
  drawGap(chart, data.modes);
  data.reference.forEach((time, n) => {
    const x = chart.x(n);
    chart.area.append(svg("path", { class: "reference", d: `M${x - 13},${chart.y(time)}h26` }, svg("title", {}, `reference ${formatted(time)}`)));
  });
  for (const mode of data.modes) {
    drawMode(chart, mode);
  }
  legend(chart, entries);
  chart.drawing.setAttribute("aria-label", `Time scales of ${data.modes.length} modes`);
  return chart.drawing;
}

export function timescaleRows({ modes, reference }: TimescaleData): (number | null)[][] {
  return modes.map((mode) => [
    mode.n, mode.rate, mode.frequency, mode.timescale, mode.timescaleLog, mode.noise ?? null, mode.extrapolated ?? null,
    mode.extrapolatedError ?? null, reference.get(mode.n) ?? null, mode.residual, mode.converged ? 1 : 0,
    mode.spurious ? 1 : 0, mode.effectivePoints,
  ]);
}

export const timescaleHeadings = [
  "mode", "lambda_re", "lambda_im", "timescale", "timescale_log", "timescale_noise", "timescale_extrapolated",
  "timescale_extrapolated_error", "reference", "residual", "converged", "spurious", "effective_points",
];
