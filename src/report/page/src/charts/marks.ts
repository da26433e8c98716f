// What charts draw: points with error bars, bars, lines, and texts beside them.
import { svg } from "../dom";
import type { Frame } from "./axes";

/// A title is what a mouse that rests on the mark, or a screen reader, says.
export function dot(frame: Frame, x: number, y: number, className: string, title: string, radius = 4.5): void {
  frame.area.append(
    svg("circle", { class: className, cx: frame.x(x), cy: frame.y(y), r: radius }, svg("title", {}, title)),
  );
}

export function cross(frame: Frame, x: number, y: number, className: string, title: string): void {
  const [px, py, size] = [frame.x(x), frame.y(y), 4.5];
  const path = `M${px - size},${py - size}L${px + size},${py + size}M${px - size},${py + size}L${px + size},${py - size}`;
  frame.area.append(svg("path", { class: className, d: path }, svg("title", {}, title)));
}

/// From low to high, with caps; what lies outside of the frame is cut off there.
export function errorBar(frame: Frame, x: number, low: number, high: number, className: string): void {
  const [bottom, top] = frame.y.domain() as [number, number];
  const px = frame.x(x);
  const from = frame.y(Math.max(low, bottom));
  const to = frame.y(Math.min(high, top));
  frame.area.append(svg("path", { class: className, d: `M${px},${from}V${to}M${px - 4},${to}h8M${px - 4},${from}h8` }));
}

export function line(frame: Frame, points: readonly (readonly [number, number])[], className: string): void {
  const path = points.map(([x, y], k) => `${k === 0 ? "M" : "L"}${frame.x(x)},${frame.y(y)}`).join("");
  frame.area.append(svg("path", { class: className, d: path, fill: "none" }));
}

export function verticalLine(frame: Frame, x: number, className: string, label: string): void {
  const px = frame.x(x);
  const right = px > frame.width / 2;
  frame.area.append(
    svg("line", { class: className, x1: px, x2: px, y1: 0, y2: frame.height }),
    svg("text", { class: "note", x: px + (right ? -6 : 6), y: 10, "text-anchor": right ? "end" : "start" }, label),
  );
}

export interface LegendEntry {
  className: string;
  shape: "dot" | "cross" | "line" | "dash";
  label: string;
}

/// About what a character takes: the page cannot ask before it has drawn.
const characterWidth = 6.6;
const lineHeight = 18;

/// Entries side by side above a frame, in as many lines as they need: how high that is.
export function legendHeight(width: number, entries: readonly LegendEntry[]): number {
  return lineHeight * (1 + Math.max(...places(width, entries).map(({ line }) => line)));
}

function places(width: number, entries: readonly LegendEntry[]): { x: number; line: number }[] {
  let [x, line] = [0, 0];
  return entries.map((entry) => {
    const needed = 40 + characterWidth * entry.label.length;
    if (x > 0 && x + needed > width) {
      [x, line] = [0, line + 1];
    }
    const place = { x, line };
    x += needed;
    return place;
  });
}

/// Drawn above the frame, where it left room for it.
export function legend(frame: Frame, entries: readonly LegendEntry[]): void {
  const group = svg("g", { class: "legend" });
  const height = legendHeight(frame.width, entries);
  places(frame.width, entries).forEach(({ x, line }, k) => {
    const entry = entries[k]!;
    const y = -height - 4 + lineHeight * (line + 0.5);
    const marks = {
      dot: () => svg("circle", { class: entry.className, cx: x + 7, cy: y, r: 4.5 }),
      cross: () => svg("path", { class: entry.className, d: `M${x + 3},${y - 4}l8,8m-8,0l8,-8` }),
      line: () => svg("path", { class: entry.className, d: `M${x},${y}h14`, fill: "none" }),
      dash: () => svg("path", { class: entry.className, d: `M${x},${y}h14` }),
    };
    group.append(marks[entry.shape](), svg("text", { x: x + 19, y: y + 4 }, entry.label));
  });
  frame.area.append(group);
}
