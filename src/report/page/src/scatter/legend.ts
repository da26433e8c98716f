// What the colours mean: a bar with numbers, or one patch for each set.
import { scaleLinear, scaleLog } from "d3-scale";
import { powerOf, powerText } from "../charts/axes";
import type { ColumnInfo } from "../data/payload";
import { html, svg } from "../dom";
import { formatted } from "../text/format";
import { colorTable, setColor, tableSize, type ColorScale } from "./colors";

const width = 260;

function bar(scale: ColorScale, dark: boolean): SVGSVGElement {
  const table = colorTable(scale.map, dark);
  const drawing = svg("svg", { width: width + 80, height: 40, viewBox: `-20 0 ${width + 80} 40`, class: "color-bar", role: "img" });
  const pieces = 64;
  for (let k = 0; k < pieces; k++) {
    const at = 4 * Math.floor(((k + 0.5) / pieces) * tableSize);
    const fill = `rgb(${table[at]},${table[at + 1]},${table[at + 2]})`;
    drawing.append(svg("rect", { x: (k * width) / pieces, y: 2, width: width / pieces + 0.6, height: 13, fill }));
  }
  const place = (scale.logarithmic ? scaleLog() : scaleLinear()).domain(scale.domain).range([0, width]);
  const [low, high] = scale.domain;
  const decades = scale.logarithmic ? Math.log10(high / low) : 0;
  const ticks = scale.logarithmic
    ? place.ticks(4).filter((tick) => decades < 1.5 || Math.abs(Math.log10(tick) % 1) < 1e-9)
    : place.ticks(5);
  const every = Math.max(1, Math.ceil(ticks.length / 5));
  const power = scale.logarithmic ? 0 : powerOf(scale.domain);
  ticks.filter((_, k) => k % every === 0).forEach((tick) => {
    drawing.append(
      svg("line", { x1: place(tick), x2: place(tick), y1: 15, y2: 19 }),
      svg("text", { x: place(tick), y: 32, "text-anchor": "middle" }, formatted(tick / 10 ** power, 3)),
    );
  });
  if (power !== 0) {
    drawing.append(svg("text", { x: width + 6, y: 13 }, powerText(power)));
  }
  return drawing;
}

function patches(column: ColumnInfo): HTMLElement {
  const [low, high] = column.range ?? [0, 0];
  const sets = Array.from({ length: Math.max(0, high - Math.max(0, low) + 1) }, (_, k) => Math.max(0, low) + k);
  const entries = sets.map((set) => {
    const patch = html("span", { class: "patch" });
    patch.style.background = setColor(set);
    return html("span", {}, patch, ` ${set}`);
  });
  return html("span", { class: "patches" }, ...entries, low < 0 ? html("span", {}, html("span", { class: "patch missing" }), " none") : null);
}

/// Colours outside of the domain are those of its ends.
export function colorLegend(name: string, column: ColumnInfo, scale: ColorScale, dark: boolean): HTMLElement {
  const content = scale.map === "sets" ? patches(column) : bar(scale, dark);
  const clipped = column.range && scale.map !== "sets" && (column.range[0] < scale.domain[0] || column.range[1] > scale.domain[1]);
  return html(
    "div",
    { class: "color-legend" },
    html("span", { class: "color-name" }, name),
    content,
    clipped ? html("span", { class: "quiet" }, `values from ${formatted(column.range![0], 3)} to ${formatted(column.range![1], 3)}`) : null,
  );
}
