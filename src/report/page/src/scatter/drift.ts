// The drift as arrows or as stream lines, from its mean over the cells of a grid.
import type { DriftField } from "../data/payload";
import { svg } from "../dom";
import type { Viewport, Zoom } from "./viewport";

export type DriftStyle = "none" | "arrows" | "lines";

type Vector = readonly [number, number];

/// The mean drift at a cell; null where no point is.
export function cellDrift(field: DriftField, column: number, row: number): Vector | null {
  if (column < 0 || row < 0 || column >= field.cells || row >= field.cells) {
    return null;
  }
  const [u, v] = [field.u[row * field.cells + column], field.v[row * field.cells + column]];
  return u === null || u === undefined || v === null || v === undefined ? null : [u, v];
}

function cellMiddle(field: DriftField, column: number, row: number): Vector {
  const [x0, x1] = field.x_range;
  const [y0, y1] = field.y_range;
  return [x0 + ((column + 0.5) / field.cells) * (x1 - x0), y0 + ((row + 0.5) / field.cells) * (y1 - y0)];
}

/// Between the middles of cells: their mean by distance, as far as they hold points.
export function driftAt(field: DriftField, x: number, y: number): Vector | null {
  const across = ((x - field.x_range[0]) / (field.x_range[1] - field.x_range[0])) * field.cells - 0.5;
  const up = ((y - field.y_range[0]) / (field.y_range[1] - field.y_range[0])) * field.cells - 0.5;
  const [column, row] = [Math.floor(across), Math.floor(up)];
  let [sumU, sumV, weights] = [0, 0, 0];
  for (const [dc, dr] of [[0, 0], [1, 0], [0, 1], [1, 1]] as const) {
    const drift = cellDrift(field, column + dc, row + dr);
    const weight = (1 - Math.abs(across - column - dc)) * (1 - Math.abs(up - row - dr));
    if (drift) {
      sumU += weight * drift[0];
      sumV += weight * drift[1];
      weights += weight;
    }
  }
  return weights > 0.3 ? [sumU / weights, sumV / weights] : null;
}

/// A drift in pixels: what it does on the screen, whatever the units of the axes.
function onScreen(viewport: Viewport, zoom: Zoom, [x, y]: Vector, [u, v]: Vector): Vector {
  const [ax, ay] = viewport.pixelAt(x, y, zoom);
  const [bx, by] = viewport.pixelAt(x + u, y + v, zoom);
  return [bx - ax, by - ay];
}

function arrow(x: number, y: number, dx: number, dy: number): string {
  const length = Math.hypot(dx, dy);
  const head = Math.min(5, 0.45 * length);
  const [ux, uy] = [dx / length, dy / length];
  const [ex, ey] = [x + dx, y + dy];
  return (
    `M${x.toFixed(1)},${y.toFixed(1)}L${ex.toFixed(1)},${ey.toFixed(1)}` +
    `M${(ex - head * (ux + 0.5 * uy)).toFixed(1)},${(ey - head * (uy - 0.5 * ux)).toFixed(1)}L${ex.toFixed(1)},${ey.toFixed(1)}` +
    `L${(ex - head * (ux - 0.5 * uy)).toFixed(1)},${(ey - head * (uy + 0.5 * ux)).toFixed(1)}`
  );
}

/// One for each cell with points, as long as the drift is strong; the strongest reaches over one cell and a half.
export function driftArrows(field: DriftField, viewport: Viewport, zoom: Zoom): SVGPathElement {
  const found: { x: number; y: number; d: Vector }[] = [];
  for (let row = 0; row < field.cells; row++) {
    for (let column = 0; column < field.cells; column++) {
      const drift = cellDrift(field, column, row);
      if (drift) {
        const at = cellMiddle(field, column, row);
        const [x, y] = viewport.pixelAt(...at, zoom);
        found.push({ x, y, d: onScreen(viewport, zoom, at, drift) });
      }
    }
  }
  const lengths = found.map(({ d }) => Math.hypot(...d)).sort((a, b) => a - b);
  const strong = lengths[Math.floor(0.95 * (lengths.length - 1))] || 1;
  const cell = (viewport.width * zoom.k) / field.cells;
  const scale = (1.5 * Math.min(cell, 60)) / strong;
  const path = found
    .map(({ x, y, d: [dx, dy] }) => ({ x, y, dx: scale * dx, dy: scale * dy }))
    .filter(({ dx, dy }) => Math.hypot(dx, dy) > 1)
    .map(({ x, y, dx, dy }) => {
      const cut = Math.min(1, (2.2 * Math.min(cell, 60)) / Math.hypot(dx, dy));
      return arrow(x - (cut * dx) / 2, y - (cut * dy) / 2, cut * dx, cut * dy);
    })
    .join("");
  return svg("path", { class: "drift", d: path, fill: "none" });
}

const spacing = 20; // pixels between stream lines
const step = 3;
const longest = 300; // steps either way
const shortest = 12; // steps: shorter ones say nothing

/// Which line has come by: cells of the screen, each for one line.
class Lanes {
  private readonly columns: number;
  private readonly taken: Int32Array;

  constructor(private readonly width: number, private readonly height: number) {
    this.columns = Math.ceil(width / spacing);
    this.taken = new Int32Array(this.columns * Math.ceil(height / spacing));
  }

  isFree(x: number, y: number): boolean {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.taken[this.cell(x, y)] === 0;
  }

  take(points: readonly Vector[], line: number): void {
    points.forEach(([x, y]) => (this.taken[this.cell(x, y)] = line));
  }

  /// The middles of all cells.
  *seeds(): Iterable<Vector> {
    for (let cell = 0; cell < this.taken.length; cell++) {
      yield [((cell % this.columns) + 0.5) * spacing, (Math.floor(cell / this.columns) + 0.5) * spacing];
    }
  }

  private cell(x: number, y: number): number {
    return Math.floor(y / spacing) * this.columns + Math.floor(x / spacing);
  }
}

/// Along the drift, or against it, until it ends or another line is near.
function traced(from: Vector, sign: 1 | -1, direction: (x: number, y: number) => Vector | null, lanes: Lanes): Vector[] {
  const points: Vector[] = [];
  let [x, y] = from;
  for (let k = 0; k < longest && lanes.isFree(x, y); k++) {
    const first = direction(x, y);
    const middle = first && direction(x + (sign * step * first[0]) / 2, y + (sign * step * first[1]) / 2);
    if (!middle) {
      break;
    }
    points.push([x, y]);
    [x, y] = [x + sign * step * middle[0], y + sign * step * middle[1]];
  }
  return points;
}

function linePath(points: readonly Vector[]): string {
  const middle = Math.floor(points.length / 2);
  const [tail, tip] = [points[middle - 1]!, points[middle + 1]!];
  const line = points.map(([x, y], k) => `${k === 0 ? "M" : "L"}${x.toFixed(1)},${y.toFixed(1)}`).join("");
  const unit = 12 / (Math.hypot(tip[0] - tail[0], tip[1] - tail[1]) || 1);
  return line + arrow(tip[0] - unit * (tip[0] - tail[0]), tip[1] - unit * (tip[1] - tail[1]), unit * (tip[0] - tail[0]), unit * (tip[1] - tail[1]));
}

/// Lines along the drift, kept apart from each other.
export function streamLines(field: DriftField, viewport: Viewport, zoom: Zoom): SVGPathElement {
  const lanes = new Lanes(viewport.width, viewport.height);
  const direction = (x: number, y: number): Vector | null => {
    const at = viewport.dataAt(x, y, zoom);
    const drift = driftAt(field, ...at);
    const moved = drift && onScreen(viewport, zoom, at, drift);
    const length = moved ? Math.hypot(...moved) : 0;
    return moved && length > 0 ? [moved[0] / length, moved[1] / length] : null;
  };
  const paths: string[] = [];
  for (const seed of lanes.seeds()) {
    const points = [...traced(seed, -1, direction, lanes).reverse(), ...traced(seed, 1, direction, lanes).slice(1)];
    if (points.length >= shortest) {
      lanes.take(points, paths.length + 1);
      paths.push(linePath(points));
    }
  }
  return svg("path", { class: "drift", d: paths.join(""), fill: "none" });
}
