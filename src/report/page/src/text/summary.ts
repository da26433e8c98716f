// The answer in two sentences: which modes are slow, and for how long.
import type { Payload, Result } from "../data/payload";
import { count, formatted, plural, subscript, withError } from "./format";
import { bestTimescale, modesOf, slowModes, spectralGap, trusted, type Mode } from "./modes";

const methods: Record<string, { name: string; does: string }> = {
  diffusion_map: {
    name: "Diffusion map (dmap)",
    does: "the diffusion process whose density is that of the points themselves",
  },
  target_measure_map: {
    name: "Target measure diffusion map (tmd)",
    does: "the diffusion process whose stationary density is the target π, however the points were sampled",
  },
  local_kernel_map: {
    name: "Local kernel diffusion map (lkd)",
    does: "the diffusion process with the drift and diffusion that were given at the points",
  },
  biased_local_kernel_map: {
    name: "Local kernel map without density correction (lkd --biased)",
    does: "the local kernel of Berry and Sauer, which depends on how the points were sampled",
  },
};

export function methodName(result: Result): string {
  return methods[result.method]?.name ?? result.method;
}

/// "Slow processes of ..., from 5,000 points in 2 dimensions."
export function subject(result: Result): string {
  const space = result.dimension > 0 ? `in ${plural(result.dimension, "dimension")}` : "known by their distances";
  return `Slow processes of ${methods[result.method]?.does ?? "a diffusion"}, from ${count(result.points)} points ${space}.`;
}

function lasting(mode: Mode): string {
  const { time, error } = bestTimescale(mode);
  const turning = mode.frequency > 0 ? ` and turns once in ${formatted((2 * Math.PI) / mode.frequency, 3)}` : "";
  return `ψ${subscript(mode.n)} lasts ${error ? withError(time, error) : `about ${formatted(time, 3)}`}${turning}`;
}

/// What times are given in.
export function timeUnits(payload: Payload): string {
  return payload.time_unit || "units of time";
}

/// How many sentences a reader takes in; the table has the rest.
const mostNamed = 4;

export function slowSentences(payload: Payload): string[] {
  const modes = modesOf(payload.result);
  const slow = slowModes(modes);
  if (slow.length === 0) {
    return ["No mode of this result says anything about a slow process: see the warnings."];
  }
  const gap = spectralGap(modes);
  const parts = payload.result.diagnostics.components;
  const within = parts > 1 ? [`The points fall into ${parts} parts that are never joined. This is about what goes on within them.`] : [];
  const named = slow.slice(0, mostNamed).map(lasting).join(", ");
  const more = slow.length > mostNamed ? `, and ${slow.length - mostNamed} more` : "";
  if (!gap) {
    const [first, second] = trusted(modes);
    const next = second ? ` The next, ${lasting(second)}, and so on: no gap sets some of them apart.` : "";
    return [...within, `The slowest process: ${lasting(first!)} (${timeUnits(payload)}).${next}`];
  }
  const beyond = bestTimescale(trusted(modes)[gap.slow]!).time;
  const turning = slow.some((mode) => mode.frequency > 0);
  return [
    ...within,
    `${slow.length === 1 ? "One process is slow" : `${slow.length} processes are slow`}: ${named}${more} (${timeUnits(payload)}).`,
    `Then comes a gap: everything else fades at least ${formatted(gap.ratio, 2)} times faster, within ${formatted(beyond, 3)}.${turning ? "" : ` ${capital(number(slow.length))} slow process${slow.length === 1 ? " means" : "es mean"} ${number(slow.length + 1)} states between which the process moves rarely.`}`,
  ];
}

const small = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function number(n: number): string {
  return small[n] ?? String(n);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
