// From numbers to places on the screen and back: the domain that a view opens with, and what zooming makes of it.
import type { ColumnInfo, Range } from "../data/payload";
import type { Camera } from "./renderer";

/// A zoom as d3-zoom has it: pixel = k * pixel before + x.
export interface Zoom {
  k: number;
  x: number;
  y: number;
}

export interface AxisRange {
  /// Smallest and largest value: what normalised positions are relative to.
  full: Range;
  /// What the view opens with.
  start: Range;
  /// Whether some points lie outside of that.
  cropped: boolean;
}

/// A few outliers must not decide the scale of a picture: if they would make it this much wider, it opens without them.
const muchWider = 2.5;

export function axisRange(column: ColumnInfo): AxisRange {
  const full: Range = column.range ?? [0, 1];
  const central: Range = column.position_range ?? full;
  const [wide, narrow] = [full[1] - full[0], central[1] - central[0]];
  const cropped = narrow > 0 && wide > muchWider * narrow;
  const [low, high] = cropped ? central : full;
  const room = (cropped ? 0.15 : 0.04) * (high - low) || 0.5 * Math.max(Math.abs(high), 1);
  return { full, start: [low - room, high + room], cropped };
}

function widened([low, high]: Range, factor: number): Range {
  const middle = (low + high) / 2;
  return [middle + factor * (low - middle), middle + factor * (high - middle)];
}

export class Viewport {
  readonly baseX: Range;
  readonly baseY: Range;

  /// `equal`: a unit is as long across as up, as lengths in space are.
  constructor(
    readonly x: AxisRange,
    readonly y: AxisRange,
    readonly width: number,
    readonly height: number,
    equal: boolean,
  ) {
    const unitX = (x.start[1] - x.start[0]) / width;
    const unitY = (y.start[1] - y.start[0]) / height;
    // A strip is better shown distorted than as a line.
    const alike = equal && Math.max(unitX / unitY, unitY / unitX) < 4;
    this.baseX = alike && unitY > unitX ? widened(x.start, unitY / unitX) : x.start;
    this.baseY = alike && unitX > unitY ? widened(y.start, unitX / unitY) : y.start;
  }

  /// The numbers at the edges of the view.
  domain(zoom: Zoom): { x: Range; y: Range } {
    const at = (px: number, py: number) => this.dataAt(px, py, zoom);
    const [left, bottom] = at(0, this.height);
    const [right, top] = at(this.width, 0);
    return { x: [left, right], y: [bottom, top] };
  }

  dataAt(px: number, py: number, zoom: Zoom): readonly [number, number] {
    const across = (px - zoom.x) / zoom.k / this.width;
    const up = 1 - (py - zoom.y) / zoom.k / this.height;
    return [
      this.baseX[0] + across * (this.baseX[1] - this.baseX[0]),
      this.baseY[0] + up * (this.baseY[1] - this.baseY[0]),
    ];
  }

  pixelAt(x: number, y: number, zoom: Zoom): readonly [number, number] {
    const across = (x - this.baseX[0]) / (this.baseX[1] - this.baseX[0]);
    const up = (y - this.baseY[0]) / (this.baseY[1] - this.baseY[0]);
    return [across * this.width * zoom.k + zoom.x, (1 - up) * this.height * zoom.k + zoom.y];
  }

  normalisedX(x: number): number {
    return (x - this.x.full[0]) / (this.x.full[1] - this.x.full[0] || 1);
  }

  normalisedY(y: number): number {
    return (y - this.y.full[0]) / (this.y.full[1] - this.y.full[0] || 1);
  }

  camera(zoom: Zoom): Camera {
    const { x, y } = this.domain(zoom);
    const [left, right] = [this.normalisedX(x[0]), this.normalisedX(x[1])];
    const [bottom, top] = [this.normalisedY(y[0]), this.normalisedY(y[1])];
    return {
      scaleX: 1 / (right - left),
      offsetX: -left / (right - left),
      scaleY: 1 / (top - bottom),
      offsetY: -bottom / (top - bottom),
    };
  }
}

/// From 0 to 1 over the range of the column; in single precision of that, whatever the numbers are.
export function normalised(values: ArrayLike<number>, [low, high]: Range): Float32Array {
  const result = new Float32Array(values.length);
  const width = high - low || 1;
  for (let i = 0; i < values.length; i++) {
    result[i] = (values[i]! - low) / width;
  }
  return result;
}
