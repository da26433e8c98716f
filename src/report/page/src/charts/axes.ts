// A frame with axes: what all charts of the page stand in.
import { axisBottom, axisLeft, type AxisScale } from "d3-axis";
import { scaleLinear, scaleLog, type ScaleContinuousNumeric } from "d3-scale";
import { select } from "d3-selection";
import { svg } from "../dom";
import { formatted, powerOfTen } from "../text/format";

export type NumberScale = ScaleContinuousNumeric<number, number>;

export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export interface Frame {
  drawing: SVGSVGElement;
  x: NumberScale;
  y: NumberScale;
  width: number; // of the area between the axes
  height: number;
  /// Where marks go, with the origin at the upper left corner of that area.
  area: SVGGElement;
}

export interface AxisOptions {
  label: string;
  domain: readonly [number, number];
  logarithmic?: boolean;
  ticks?: readonly number[];
}

export const margins: Margins = { top: 14, right: 16, bottom: 44, left: 64 };

export function scale(axis: AxisOptions, range: readonly [number, number]): NumberScale {
  const make = axis.logarithmic ? scaleLog() : scaleLinear();
  return make.domain(axis.domain).range(range);
}

/// Ticks of decades and, where there are few, of parts of them; numbers as the page writes them.
function tickValues(axis: AxisOptions, scale: NumberScale, wanted: number): number[] {
  if (axis.ticks) {
    return [...axis.ticks];
  }
  if (!axis.logarithmic) {
    return scale.ticks(wanted);
  }
  const [low, high] = axis.domain;
  const decades = Math.log10(high / low);
  const parts = decades < 1.2 ? [1, 2, 3, 5, 7] : decades < 3 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(decades / wanted));
  const values: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power += every) {
    values.push(...parts.map((part) => part * 10 ** power).filter((value) => value >= low * 0.999 && value <= high * 1.001));
  }
  return values;
}

/// Numbers on an axis that are all huge or tiny lose a power of ten, which its label then names.
export function powerOf(values: readonly number[]): number {
  const largest = Math.max(...values.map(Math.abs).filter(Number.isFinite), 0);
  const power = largest > 0 ? Math.floor(Math.log10(largest)) : 0;
  return power >= 5 || power <= -4 ? 3 * Math.floor(power / 3) : 0;
}

export function powerText(power: number): string {
  return power === 0 ? "" : ` [${powerOfTen(power)}]`;
}

function tickText(value: number, power: number): string {
  return formatted(Number((value / 10 ** power).toPrecision(6)), 6);
}

export function drawAxes(
  place: SVGGElement,
  x: { axis: AxisOptions; scale: NumberScale },
  y: { axis: AxisOptions; scale: NumberScale },
  width: number,
  height: number,
): void {
  const horizontal = svg("g", { class: "axis", transform: `translate(0,${height})` });
  const vertical = svg("g", { class: "axis" });
  const [powerX, powerY] = [x, y].map(({ axis }) => (axis.logarithmic ? 0 : powerOf(axis.domain))) as [number, number];
  const across = tickValues(x.axis, x.scale, Math.max(3, Math.floor(width / 80)));
  const up = tickValues(y.axis, y.scale, Math.max(3, Math.floor(height / 45)));
  select(horizontal).call(axisBottom<number>(x.scale as AxisScale<number>).tickValues(across).tickFormat((value) => tickText(value, powerX)).tickSizeOuter(0));
  select(vertical).call(axisLeft<number>(y.scale as AxisScale<number>).tickValues(up).tickFormat((value) => tickText(value, powerY)).tickSizeOuter(0));
  place.append(
    horizontal,
    vertical,
    svg("text", { class: "label", x: width / 2, y: height + 38, "text-anchor": "middle" }, x.axis.label + powerText(powerX)),
    svg("text", { class: "label", x: 0, y: 0, "text-anchor": "middle", transform: `translate(-52,${height / 2}) rotate(-90)` }, y.axis.label + powerText(powerY)),
  );
}

export function frame(width: number, height: number, x: AxisOptions, y: AxisOptions, around: Margins = margins): Frame {
  const inner = Math.max(40, width - around.left - around.right);
  const tall = height - around.top - around.bottom;
  const scaleX = scale(x, [0, inner]);
  const scaleY = scale(y, [tall, 0]);
  const area = svg("g", { transform: `translate(${around.left},${around.top})` });
  const drawing = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img" }, area);
  const grid = svg("g", { class: "grid" });
  for (const value of tickValues(y, scaleY, Math.max(3, Math.floor(tall / 45)))) {
    grid.append(svg("line", { x1: 0, x2: inner, y1: scaleY(value), y2: scaleY(value) }));
  }
  area.append(grid);
  drawAxes(area, { axis: x, scale: scaleX }, { axis: y, scale: scaleY }, inner, tall);
  return { drawing, x: scaleX, y: scaleY, width: inner, height: tall, area };
}

/// Room around the values: a share of their range, or of their decades.
export function padded(values: readonly number[], share: number, logarithmic = false): [number, number] {
  const finite = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  if (finite.length === 0) {
    return logarithmic ? [1, 10] : [0, 1];
  }
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  if (logarithmic) {
    const factor = Math.max((high / low) ** share, 1.3);
    return [low / factor, high * factor];
  }
  const room = high > low ? share * (high - low) : Math.max(1e-12, Math.abs(high) * 0.1);
  return [low - room, high + room];
}
