// Whether to trust a result: one line for each thing that can be wrong with it, in plain words.
import type { Payload, Scale } from "../data/payload";
import { count, formatted, list, percent, plural, subscript } from "./format";
import { bestTimescale, biasHere, formulaDifference, modesOf, referenceOf, slowModes, type Mode } from "./modes";

export type Level = "good" | "note" | "warning";

export interface Check {
  level: Level;
  /// Which entry of the glossary explains it.
  meaning: string;
  text: string;
}

/// Relative errors: up to the first nobody minds, beyond the second conclusions change.
const small = 0.1;
const large = 0.25;

/// Fewer effective points than this make an average a guess: as `itomap average` has it.
const fewPoints = 50;
/// Kernel sums over fewer neighbours are mostly noise.
const fewNeighbours = 30;

function names(modes: readonly Mode[]): string {
  return list(modes.map((mode) => `ψ${subscript(mode.n)}`));
}

function convergence(modes: readonly Mode[]): Check {
  const failed = modes.filter((mode) => !mode.converged);
  const worst = Math.max(...modes.map((mode) => mode.residual ?? 0));
  return failed.length === 0
    ? { level: "good", meaning: "converged", text: `All eigenpairs converged; the largest residual is ${formatted(worst, 2)}.` }
    : {
        level: "warning",
        meaning: "converged",
        text: `The solver did not finish with ${names(failed)}: do not use ${failed.length === 1 ? "it" : "them"}.`,
      };
}

/// Flagged modes among the slow ones are what a reader would fall for; faster ones do no harm.
function spurious(modes: readonly Mode[], slow: readonly Mode[]): Check {
  const flagged = modes.filter((mode) => mode.spurious);
  if (flagged.length === 0) {
    return { level: "good", meaning: "spurious", text: "No mode lives on a handful of points." };
  }
  const [lives, artefact, it] = flagged.length === 1 ? ["lives", "an artefact of outliers, not a process", "it"] : ["live", "artefacts of outliers, not processes", "them"];
  const least = Math.min(...slow.map((mode) => mode.timescale ?? Infinity));
  const harmless = flagged.every((mode) => mode.timescale !== null && mode.timescale < least);
  return {
    level: harmless ? "note" : "warning",
    meaning: "spurious",
    text: `${names(flagged)} ${lives} on a handful of points: ${artefact}. Everything below passes over ${it}${harmless ? `, and the slow modes are slower than ${it}` : ""}.`,
  };
}

/// What is known from elsewhere is the best check there is.
function reference(payload: Payload, modes: readonly Mode[], slow: readonly Mode[]): Check | null {
  const known = referenceOf(modes, payload.reference_timescales);
  const factors = slow.flatMap((mode) => {
    const [time, true_time] = [bestTimescale(mode).time, known.get(mode.n)];
    return time && true_time ? [Math.max(time / true_time, true_time / time)] : [];
  });
  if (factors.length === 0) {
    return null;
  }
  const worst = Math.max(...factors);
  const off = worst < 2 ? percent(worst - 1) : `a factor of ${formatted(worst, 2)}`;
  return {
    level: worst <= 1 + small ? "good" : worst <= 1 + large ? "note" : "warning",
    meaning: "reference",
    text: `The slow time scales differ from the reference by ${factors.length > 1 ? "up to " : ""}${off}.`,
  };
}

function connectivity(payload: Payload): Check {
  const { components, isolated_points, dropped_points } = payload.result.diagnostics;
  if (components > 1 || isolated_points > 0) {
    const alone = isolated_points > 0 ? `; ${plural(isolated_points, "point")} ${isolated_points === 1 ? "sees" : "see"} no other` : "";
    return {
      level: "warning",
      meaning: "connected",
      text: `The points fall into ${plural(components, "part")} that the kernel does not join${alone}. Nothing is known about how the process gets from one part to another.`,
    };
  }
  if (dropped_points > 0) {
    return {
      level: "note",
      meaning: "connected",
      text: `${plural(dropped_points, "isolated point")} ${dropped_points === 1 ? "was" : "were"} left out; the others are connected.`,
    };
  }
  return { level: "good", meaning: "connected", text: "The kernel joins all points into one piece." };
}

function neighbours(payload: Payload): Check | null {
  const mean = payload.result.diagnostics.mean_neighbours;
  return mean !== null && mean < fewNeighbours
    ? {
        level: "warning",
        meaning: "neighbours",
        text: `A point sees only ${formatted(mean, 2)} others on average: sums over so few are mostly noise. Raise ε, or take more points.`,
      }
    : null;
}

function formulas(slow: readonly Mode[]): Check | null {
  const differences = slow.map(formulaDifference).filter((value): value is number => value !== null);
  if (differences.length === 0) {
    return null;
  }
  const worst = Math.max(...differences);
  const apart = `The two formulas for the time scales of the slow modes differ by ${worst < 0.001 ? "less than 0.1 %" : `up to ${percent(worst)}`}`;
  return worst <= small
    ? { level: "good", meaning: "formulas", text: `${apart}: ε is small enough for them.` }
    : {
        level: worst <= large ? "note" : "warning",
        meaning: "formulas",
        text: `${apart}: ε is large for them. Take the time scale from the logarithm, or a smaller ε.`,
      };
}

function errors(payload: Payload, slow: readonly Mode[]): Check {
  const relative = slow
    .map((mode) => (mode.extrapolated && mode.extrapolatedError ? mode.extrapolatedError / mode.extrapolated : null))
    .filter((value): value is number => value !== null);
  if (!payload.result.error_bars || relative.length === 0) {
    return {
      level: "note",
      meaning: "errors",
      text: "No error bars were computed: how much the time scales would change with another sample is not known. Add --error-bars 10.",
    };
  }
  const worst = Math.max(...relative);
  const off = Math.max(...slow.map((mode) => biasHere(mode) ?? 0));
  const biased = off > small && off > 2 * worst;
  return {
    level: worst > large ? "warning" : worst > small || biased ? "note" : "good",
    meaning: "errors",
    text:
      `The slow time scales are known to ${percent(worst)} (one standard deviation, noise and bias together).` +
      (biased ? ` At this ε itself they are off by up to ${percent(off)}: take the extrapolated ones.` : ""),
  };
}

/// Eigenfunctions have the size 1, so that errors are shares of it.
function functions(payload: Payload, slow: readonly Mode[]): Check | null {
  const known = new Map((payload.function_errors ?? []).map(({ mode, error }) => [mode, error ?? Infinity]));
  const errors = slow.flatMap((mode) => known.get(mode.n) ?? []);
  if (errors.length === 0) {
    return null;
  }
  const worst = Math.max(...errors);
  const [subject, size] = errors.length === 1 ? ["The slow eigenfunction is", "its size"] : ["The slow eigenfunctions are", "their size"];
  const where = "Colour the points by the error to see where.";
  return {
    level: worst <= small ? "good" : worst <= large ? "note" : "warning",
    meaning: "functions",
    text: worst < 1 ? `${subject} known to ${percent(worst)} of ${size}, on average over the process. ${where}` : `${subject} not known: errors are as large as ${size}. ${where}`,
  };
}

/// Where the data ends although the process does not.
function walls(payload: Payload): Check | null {
  const { definition, diagnostics, error_bars: bars } = payload.result;
  const near = diagnostics.wall_points ?? 0;
  const points = `${plural(near, "point")} ${near === 1 ? "lies" : "lie"}`;
  if (definition["normalization"] === "bistochastic") {
    return near > 0 ? { level: "good", meaning: "walls", text: `${points} next to walls, where the data ends; the process is reflected there.` } : null;
  }
  if (diagnostics.warnings.some((line) => meaningOf(line) === "walls")) {
    const remedy = bars?.power === 0.5 ? "The extrapolated ones know of the walls; repeat it" : "Repeat it";
    return {
      level: "warning",
      meaning: "walls",
      text: `The data seems to end, at walls, where the process does not: time scales at this ε come out too long then. ${remedy} with --normalization bistochastic and compare.`,
    };
  }
  return near > 0 ? { level: "good", meaning: "walls", text: `${points} where the data ends, but the process is hardly ever there.` } : null;
}

function weights(payload: Payload): Check {
  const { effective_points: effective, result } = payload;
  const share = effective / result.points;
  const text = `Averages over the stationary distribution rest on what is worth ${count(Math.round(effective))} equally weighted points of ${count(result.points)}.`;
  if (effective < fewPoints) {
    return { level: "warning", meaning: "weights", text: `${text} That is too few to rely on.` };
  }
  return { level: share < 0.02 ? "note" : "good", meaning: "weights", text };
}

export interface PlateauVerdict {
  /// Estimated relative error of the time scales at the epsilon used, and at the best one.
  here: number;
  best: number;
  bestEpsilon: number;
}

function rowError(row: Scale["scan"][number]): number | null {
  const parts = [row.bias, row.few_points_bias, row.noise];
  if (!row.usable || parts.some((part) => part === null || Number.isNaN(part))) {
    return null;
  }
  return Math.hypot(...(parts as number[]));
}

/// Scales whose expected error is at most twice the smallest.
export function plateauRows(scale: Scale): Scale["scan"] {
  const best = Math.min(...scale.scan.map((row) => rowError(row) ?? Infinity));
  return scale.scan.filter((row) => (rowError(row) ?? Infinity) <= 2 * best);
}

/// Where the epsilon of the map lies on the plateau of a scan; null where that cannot be told.
export function plateau(scale: Scale, epsilon: number): PlateauVerdict | null {
  const rows = scale.scan
    .map((row) => ({ epsilon: row.epsilon, error: rowError(row) }))
    .filter((row): row is { epsilon: number; error: number } => row.error !== null);
  if (rows.length === 0) {
    return null;
  }
  const distance = (row: { epsilon: number }) => Math.abs(Math.log(row.epsilon / epsilon));
  const nearest = rows.reduce((a, b) => (distance(a) <= distance(b) ? a : b));
  const best = rows.reduce((a, b) => (a.error <= b.error ? a : b));
  // Scales are halved from row to row: more than that away, the scan says nothing about this one.
  const here = distance(nearest) <= Math.log(2.1) ? nearest.error : Infinity;
  return { here, best: best.error, bestEpsilon: best.epsilon };
}

function scale(payload: Payload): Check {
  const { scale, result } = payload;
  const verdict = scale && plateau(scale, result.epsilon);
  if (!verdict) {
    return {
      level: "note",
      meaning: "epsilon",
      text: result.epsilon_reason
        ? `ε was chosen from the data: ${result.epsilon_reason}.`
        : "Whether another ε would give the same was not looked at. itomap scale --result DIR adds a scan to this page.",
    };
  }
  const errors = `the scan expects errors of ${verdict.here === Infinity ? "unknown size" : percent(verdict.here)} in the leading time scales, and of ${percent(verdict.best)} at the best scale, ${formatted(verdict.bestEpsilon, 3)}`;
  const far = verdict.here > large && verdict.here > 2 * verdict.best;
  if (far) {
    return { level: "warning", meaning: "epsilon", text: `ε = ${formatted(result.epsilon, 3)} is far from the plateau: there ${errors}.` };
  }
  const extrapolated = result.error_bars ? " Extrapolation takes part of that away: the error bars count." : "";
  return {
    level: verdict.here <= large || result.error_bars ? "good" : "note",
    meaning: "epsilon",
    text: `ε = ${formatted(result.epsilon, 3)} is a fair choice: at this ε itself ${errors}.${extrapolated}`,
  };
}

export function checksOf(payload: Payload): Check[] {
  const modes = modesOf(payload.result);
  const slow = slowModes(modes);
  return [
    convergence(modes),
    reference(payload, modes, slow),
    spurious(modes, slow),
    connectivity(payload),
    neighbours(payload),
    formulas(slow),
    errors(payload, slow),
    functions(payload, slow),
    walls(payload),
    scale(payload),
    weights(payload),
  ].filter((check): check is Check => check !== null);
}

export interface Warning extends Check {
  /// What the program itself wrote about it.
  lines: readonly string[];
}

/// Everything that a reader must know first: checks that fail, in plain words, with the lines of the program that belong
/// to them, and all its other lines.
export function warningsOf(payload: Payload, checks: readonly Check[]): Warning[] {
  const { result, cluster, committor } = payload;
  const lines = new Set([
    ...result.diagnostics.warnings,
    ...(result.error_bars?.warnings ?? []),
    ...(cluster?.warnings ?? []),
    ...(committor?.warnings ?? []),
    ...(committor?.error_bars?.warnings ?? []),
  ]);
  const warnings: Warning[] = [];
  for (const check of checks.filter((check) => check.level === "warning")) {
    const own = [...lines].filter((line) => meaningOf(line) === check.meaning);
    own.forEach((line) => lines.delete(line));
    warnings.push({ ...check, lines: own.map(sentence) });
  }
  return [...warnings, ...[...lines].map((line): Warning => ({ level: "warning", meaning: meaningOf(line), text: sentence(line), lines: [] }))];
}

const patterns: readonly (readonly [RegExp, string])[] = [
  [/spurious|handful of points|not listed/, "spurious"],
  [/isolated|component|disconnected|left out/, "connected"],
  [/wall|boundary|edge of the data/, "walls"],
  [/effective|equally weighted/, "weights"],
  [/hold the process|trap/, "traps"],
  [/Euler step|stranded/, "stranded"],
  [/double precision|negligible|little weight|underflow/, "negligible"],
  [/converge|copy of one/, "converged"],
  [/epsilon|scale/, "epsilon"],
  [/error bar|block|extrapolat/, "errors"],
];

export function meaningOf(warning: string): string {
  return patterns.find(([pattern]) => pattern.test(warning))?.[1] ?? "warnings";
}

/// "1 point(s) hold" and "2500 point(s) hold", written for any number, as people write them.
export function sentence(text: string): string {
  const counted = text
    .replace(/\b1 ((?:[a-z-]+ ){0,2}[a-z]+)\(s\) (hold|live|lie|see)\b/g, "1 $1 $2s")
    .replace(/\b1 ((?:[a-z-]+ ){0,2}[a-z]+)\(s\)/g, "1 $1")
    .replace(/([A-Za-z])\(s\)/g, "$1s")
    .replace(/\b\d{5,}\b/g, (digits) => count(Number(digits)));
  const first = counted.charAt(0).toUpperCase() + counted.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
