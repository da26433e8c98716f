// Colours that readers with any kind of colour vision tell apart, on light and on dark.
import { interpolateCividis, interpolateViridis } from "d3-scale-chromatic";
import type { ColumnInfo } from "../data/payload";

export type MapName = "viridis" | "cividis" | "blue-orange" | "sets";

export const mapNames: readonly { value: MapName; label: string }[] = [
  { value: "viridis", label: "viridis" },
  { value: "cividis", label: "cividis" },
  { value: "blue-orange", label: "blue to orange" },
];

/// Okabe and Ito's, the first eight sets; further ones begin again.
const setColors = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9", "#b8a800", "#8c6d9e"];

export function setColor(k: number): string {
  return k < 0 ? "#888888" : setColors[k % setColors.length]!;
}

type Rgb = readonly [number, number, number];

function rgb(text: string): Rgb {
  const hex = /^#(..)(..)(..)$/.exec(text);
  const parts = hex ? hex.slice(1).map((part) => parseInt(part, 16)) : (text.match(/\d+/g) ?? []).map(Number);
  return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0];
}

const divergingStops = {
  light: ["#1a4f9c", "#5a96d8", "#b5b5b5", "#f0a04b", "#b04a00"].map(rgb),
  dark: ["#7db8ff", "#3f78bd", "#6a6e73", "#bd7a33", "#ffb56b"].map(rgb),
};

function diverging(t: number, dark: boolean): Rgb {
  const stops = dark ? divergingStops.dark : divergingStops.light;
  const place = Math.min(stops.length - 1.000001, Math.max(0, t * (stops.length - 1)));
  const [a, b] = [stops[Math.floor(place)]!, stops[Math.floor(place) + 1]!];
  const share = place - Math.floor(place);
  return [0, 1, 2].map((k) => Math.round(a[k]! + share * (b[k]! - a[k]!))) as unknown as Rgb;
}

/// The ends that vanish into the background are left out: dark ones on dark, bright ones on bright.
function sequential(interpolate: (t: number) => string, t: number, dark: boolean): Rgb {
  return rgb(interpolate(dark ? 0.16 + 0.84 * t : 0.93 * t));
}

export const tableSize = 256;

/// 256 colours as RGBA bytes. Of sets, color k stands at 2 k + 1.
export function colorTable(name: MapName, dark: boolean): Uint8Array {
  const table = new Uint8Array(4 * tableSize);
  for (let k = 0; k < tableSize; k++) {
    const t = k / (tableSize - 1);
    const color =
      name === "sets" ? rgb(setColor(k >> 1))
      : name === "blue-orange" ? diverging(t, dark)
      : sequential(name === "cividis" ? interpolateCividis : interpolateViridis, t, dark);
    table.set([...color, 255], 4 * k);
  }
  return table;
}

export interface ColorScale {
  domain: readonly [number, number];
  logarithmic: boolean;
  map: MapName;
}

/// Values of more orders of magnitude than this are coloured by their logarithm.
const manyfold = 30;

export function defaultScale(column: ColumnInfo): ColorScale {
  const [low, high] = column.color_range ?? [0, 1];
  if (column.whole) {
    return { domain: column.range ?? [0, 1], logarithmic: false, map: "sets" };
  }
  if (column.key === "committor" || column.key === "backward_committor") {
    return { domain: [0, 1], logarithmic: false, map: "viridis" };
  }
  if (column.positive && low > 0 && high / low > manyfold) {
    return { domain: [low, high], logarithmic: true, map: "viridis" };
  }
  if (column.group === "eigenfunction" && low < -0.02 * high && high > -0.02 * low) {
    const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
    return { domain: [-most, most], logarithmic: false, map: "blue-orange" };
  }
  return { domain: high > low ? [low, high] : [low - 0.5, low + 0.5], logarithmic: false, map: "viridis" };
}

/// Places in the table from 0 to 1, -1 for points without a value. What lies outside of the domain gets its ends.
export function colorPlaces(values: ArrayLike<number>, scale: ColorScale): Float32Array {
  const places = new Float32Array(values.length);
  if (scale.map === "sets") {
    for (let i = 0; i < values.length; i++) {
      const set = values[i]!;
      places[i] = set >= 0 ? (2 * (set % (tableSize / 2)) + 1) / tableSize : -1;
    }
    return places;
  }
  const of = scale.logarithmic ? Math.log : (value: number) => value;
  const [low, high] = [of(scale.domain[0]), of(scale.domain[1])];
  for (let i = 0; i < values.length; i++) {
    const t = (of(values[i]!) - low) / (high - low);
    places[i] = t !== t ? -1 : Math.min(1, Math.max(0, t)) * (1 - 1 / tableSize) + 0.5 / tableSize;
  }
  return places;
}
