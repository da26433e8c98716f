// Which points lie under the mouse, and which inside a lasso.
import KDBush from "kdbush";

export type Point = readonly [number, number];

/// Points by their place, for questions about a neighbourhood. Points without a place are never found.
export class PointIndex {
  private readonly tree: KDBush;

  constructor(private readonly x: Float32Array, private readonly y: Float32Array) {
    this.tree = new KDBush(x.length, 64, Float32Array);
    for (let i = 0; i < x.length; i++) {
      const placed = x[i]! === x[i]! && y[i]! === y[i]!;
      this.tree.add(placed ? x[i]! : 1e9, placed ? y[i]! : 1e9);
    }
    this.tree.finish();
  }

  /// The nearest within `reach`, with lengths measured in units of x and y that need not be the same; -1 if none is.
  nearest(x: number, y: number, unitX: number, unitY: number, reach: number): number {
    let best = -1;
    let least = reach * reach;
    for (const i of this.tree.range(x - reach * unitX, y - reach * unitY, x + reach * unitX, y + reach * unitY)) {
      const square = ((this.x[i]! - x) / unitX) ** 2 + ((this.y[i]! - y) / unitY) ** 2;
      if (square <= least) {
        least = square;
        best = i;
      }
    }
    return best;
  }
}

/// Whether a point lies inside: a ray from it crosses the outline an odd number of times.
export function contains(outline: readonly Point[], x: number, y: number): boolean {
  let inside = false;
  for (let k = 0, before = outline.length - 1; k < outline.length; before = k++) {
    const [x1, y1] = outline[k]!;
    const [x2, y2] = outline[before]!;
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)) {
      inside = !inside;
    }
  }
  return inside;
}

/// 1 for the points inside.
export function insideOutline(outline: readonly Point[], x: Float32Array, y: Float32Array): Uint8Array {
  const mask = new Uint8Array(x.length);
  if (outline.length < 3) {
    return mask;
  }
  const [left, right] = [Math.min(...outline.map((p) => p[0])), Math.max(...outline.map((p) => p[0]))];
  const [low, high] = [Math.min(...outline.map((p) => p[1])), Math.max(...outline.map((p) => p[1]))];
  for (let i = 0; i < x.length; i++) {
    const [px, py] = [x[i]!, y[i]!];
    if (px >= left && px <= right && py >= low && py <= high && contains(outline, px, py)) {
      mask[i] = 1;
    }
  }
  return mask;
}
