// The modes of a spectrum as processes that last: which of them are slow, and for how long.
import type { Maybe, Result } from "../data/payload";

export interface Mode {
  n: number;
  rate: number; // Re lambda, negative
  frequency: number; // |Im lambda|
  timescale: Maybe; // the paper's, -1 / Re lambda
  timescaleLog: Maybe;
  residual: Maybe;
  converged: boolean;
  spurious: boolean;
  effectivePoints: Maybe;
  /// Where error bars were computed: the noise of the time scale at this epsilon, and the extrapolated one.
  noise?: Maybe;
  extrapolated?: Maybe;
  extrapolatedError?: Maybe;
}

/// A complex pair is one process, which decays and turns; it stands under the number of its first half.
export function modesOf(result: Result): Mode[] {
  const bars = result.error_bars;
  const modes: Mode[] = [];
  for (let n = 1; n < result.eigenvalues.length; n++) {
    const [re, im] = result.eigenvalues[n]!;
    if (im < 0) {
      continue;
    }
    const mode: Mode = {
      n,
      rate: re,
      frequency: im,
      timescale: result.timescales[n] ?? null,
      timescaleLog: result.timescales_log[n] ?? null,
      residual: result.residuals[n] ?? null,
      converged: result.status[n] === "converged",
      spurious: result.spurious.includes(n),
      effectivePoints: result.effective_points[n] ?? null,
    };
    if (bars) {
      const t = mode.timescale;
      const noise = bars.eigenvalue_errors[n]?.[0];
      mode.noise = t !== null && noise !== undefined && noise !== null ? noise * t * t : null;
      mode.extrapolated = bars.timescales[n] ?? null;
      mode.extrapolatedError = bars.timescale_errors[n] ?? null;
    }
    modes.push(mode);
  }
  return modes;
}

/// Those that say something about the process: not on a handful of points, not the zero of another component.
export function trusted(modes: readonly Mode[]): (Mode & { timescale: number })[] {
  return modes.filter((mode): mode is Mode & { timescale: number } => !mode.spurious && isFinitePositive(mode.timescale));
}

function isFinitePositive(value: Maybe): value is number {
  return value !== null && Number.isFinite(value) && value > 0;
}

/// Time scales that are known from elsewhere, by the number of the mode that each belongs to: the first is that of the
/// slowest mode to be trusted, and so on; a complex pair counts once.
export function referenceOf(modes: readonly Mode[], reference: readonly number[]): ReadonlyMap<number, number> {
  const matched = new Map<number, number>();
  trusted(modes).forEach((mode, k) => {
    const time = reference[k];
    if (time !== undefined) {
      matched.set(mode.n, time);
    }
  });
  return matched;
}

export interface Gap {
  /// How many modes are slower than the gap.
  slow: number;
  /// Time scale of the last slow one over that of the next.
  ratio: number;
}

/// Steps up to this are nothing to remark on: those of a harmonic well, which has one state alone, are 2, 3/2, 4/3, ..
const clearGap = 2.5;

/// The largest step from one time scale to the next; none where all steps are small, or where there are no two modes.
export function spectralGap(modes: readonly Mode[]): Gap | null {
  const times = trusted(modes).map((mode) => bestTimescale(mode).time ?? mode.timescale);
  let best: Gap | null = null;
  for (let k = 0; k + 1 < times.length; k++) {
    const ratio = times[k]! / times[k + 1]!;
    if (ratio > (best?.ratio ?? clearGap)) {
      best = { slow: k + 1, ratio };
    }
  }
  return best;
}

/// The slow modes; without a gap, the first.
export function slowModes(modes: readonly Mode[]): (Mode & { timescale: number })[] {
  return trusted(modes).slice(0, spectralGap(modes)?.slow ?? 1);
}

/// What is best known of how long a mode lasts, and its error.
export function bestTimescale(mode: Mode): { time: Maybe; error: Maybe } {
  if (isFinitePositive(mode.extrapolated ?? null) && isFinitePositive(mode.extrapolatedError ?? null)) {
    return { time: mode.extrapolated!, error: mode.extrapolatedError! };
  }
  return { time: mode.timescale, error: mode.noise ?? null };
}

/// How far the time scale at this epsilon is from the extrapolated one, relative to that; null where there is none.
export function biasHere(mode: Mode): number | null {
  const { time } = bestTimescale(mode);
  return isFinitePositive(mode.timescale) && time !== null && mode.extrapolated ? Math.abs(mode.timescale - time) / time : null;
}

/// How far the two formulas for the time scale are apart, relative to the larger.
export function formulaDifference(mode: Mode): number | null {
  const { timescale, timescaleLog } = mode;
  if (!isFinitePositive(timescale)) {
    return null;
  }
  if (!isFinitePositive(timescaleLog)) {
    return 1;
  }
  return Math.abs(timescale - timescaleLog) / Math.max(timescale, timescaleLog);
}
