// Numbers and names as people read them.
import type { ColumnInfo, Maybe } from "../data/payload";

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const subscripts = "₀₁₂₃₄₅₆₇₈₉";
const thinSpace = "\u202f";

function digitsOf(text: string, digits: string): string {
  return text.replace(/\d/g, (digit) => digits[Number(digit)]!).replace("-", "⁻");
}

export function subscript(n: number): string {
  return digitsOf(String(n), subscripts);
}

export function powerOfTen(power: number): string {
  return `10${digitsOf(String(power), superscripts)}`;
}

function scientific(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  return `${String(Number(mantissa)).replace("-", "−")}×${powerOfTen(Number(exponent))}`;
}

/// "0.1234", "12,340", "1.2×10⁻⁷", "∞" for what JSON could not hold.
export function formatted(value: Maybe | undefined, digits = 4): string {
  if (value === null || value === undefined) {
    return "∞";
  }
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "–" : "∞";
  }
  if (value === 0) {
    return "0";
  }
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-3) {
    return scientific(value, digits);
  }
  const rounded = Number(value.toPrecision(digits));
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return rounded.toLocaleString("en-US", { maximumFractionDigits: decimals }).replace("-", "−");
}

/// "40.2 ± 1.3": as many digits as the error leaves.
export function withError(value: Maybe | undefined, error: Maybe | undefined): string {
  if (value === null || value === undefined || error === null || error === undefined || !(error > 0)) {
    return formatted(value);
  }
  const place = Math.floor(Math.log10(error)) - 1;
  const digits = Math.max(1, Math.floor(Math.log10(Math.max(Math.abs(value), error))) - place + 1);
  return `${formatted(value, Math.min(digits, 15))} ± ${formatted(error, 2)}`;
}

export function count(n: number): string {
  return n.toLocaleString("en-US");
}

export function plural(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
}

export function percent(share: number): string {
  const value = 100 * share;
  return `${value === 0 ? "0" : value < 0.1 ? "< 0.1" : value.toFixed(value < 9.95 ? 1 : 0)}${thinSpace}%`;
}

export function bytes(size: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = size >= 1 ? Math.min(units.length - 1, Math.floor(Math.log10(size) / 3)) : 0;
  return `${formatted(size / 1000 ** power, 3)} ${units[power]}`;
}

export function seconds(time: number): string {
  return time < 0.01 ? "< 0.01 s" : time < 120 ? `${formatted(time, 3)} s` : `${formatted(time / 60, 3)} min`;
}

/// "a, b and c".
export function list(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

const knownNames: Record<string, string> = {
  stationary: "stationary weight φ₀",
  density: "sampling density q",
  log_target: "log target, log π",
  bandwidth: "bandwidth ρ",
  set: "set",
  committor: "committor q⁺",
  backward_committor: "backward committor q⁻",
  flux: "share in the flux",
  time_to_sink: "mean time to the sink",
  time_to_source: "mean time to the source",
};

/// What the page calls a column.
export function columnName(column: ColumnInfo, complex = false): string {
  if (column.group === "error_bar") {
    return errorBarName(column, complex);
  }
  if (column.group === "eigenfunction" && column.mode !== undefined) {
    const symbol = `ψ${subscript(column.mode)}`;
    return column.key.endsWith("_im") ? `Im ${symbol}` : complex ? `Re ${symbol}` : symbol;
  }
  if (column.group === "coordinate") {
    return column.name.replace(/^x_(\d+)$/, (_, digits: string) => `x${digitsOf(digits, subscripts)}`);
  }
  return column.group === "values" ? column.name : (knownNames[column.key] ?? column.name);
}

/// "psi1_limit" is "ψ₁ at ε = 0", "psi1_error" is "error of ψ₁".
function errorBarName(column: ColumnInfo, complex: boolean): string {
  const [key, suffix] = [column.key.replace(/_(limit|error)$/, ""), column.key.slice(-6)];
  const of = columnName({ ...column, key, name: key, group: column.mode === undefined ? "analysis" : "eigenfunction" }, complex);
  return suffix === "_error" ? `error of ${of}` : `${of} at ε = 0`;
}

/// A value of a column with the digits that the page has of it.
export function exactText(value: number, column: ColumnInfo): string {
  if (Number.isNaN(value)) {
    return "–";
  }
  if (column.whole) {
    return String(value);
  }
  switch (column.precision) {
    case "double":
      return plainNumber(value, 10);
    case "single":
      return plainNumber(value, 7);
    default:
      return plainNumber(value, digitsInSteps(value, column));
  }
}

/// As many as half a step leaves right.
function digitsInSteps(value: number, column: ColumnInfo): number {
  const { steps = 2, low = 0, high = 0, logarithmic = false } = column;
  const half = (0.5 * (high - low)) / (steps - 1);
  const error = logarithmic ? half * Math.abs(value) : half;
  if (!(error > 0) || value === 0) {
    return 7;
  }
  return Math.min(7, Math.max(1, Math.floor(Math.log10(Math.abs(value))) - Math.floor(Math.log10(error))));
}

function plainNumber(value: number, digits: number): string {
  return String(Number(value.toPrecision(digits))).replace("-", "−").replace("e−", "e-").replace("e+", "e");
}
