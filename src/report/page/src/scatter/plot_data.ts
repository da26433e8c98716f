// What views share: columns as positions and as colours, each made once.
import type { Columns } from "../data/columns";
import type { ColumnInfo, DriftField } from "../data/payload";
import { PointIndex } from "./pick";
import { axisRange, normalised } from "./viewport";

export class PlotData {
  private readonly positions = new Map<string, Promise<Float32Array>>();
  private readonly indices = new Map<string, PointIndex>();

  constructor(readonly columns: Columns, readonly drift: readonly DriftField[]) {}

  info(key: string): ColumnInfo {
    return this.columns.info(key)!;
  }

  /// Normalised to the full range of the column.
  position(key: string): Promise<Float32Array> {
    let promise = this.positions.get(key);
    if (!promise) {
      const { full } = axisRange(this.info(key));
      promise = this.columns.values(key).then((values) => normalised(values, full));
      this.positions.set(key, promise);
    }
    return promise;
  }

  /// For the mouse; a million points take half a second, so it is made when a mouse first comes by.
  index(keyX: string, keyY: string, x: Float32Array, y: Float32Array): PointIndex {
    const key = `${keyX} ${keyY}`;
    let index = this.indices.get(key);
    if (!index) {
      index = new PointIndex(x, y);
      this.indices.set(key, index);
    }
    return index;
  }

  driftField(x: string, y: string): DriftField | null {
    return this.drift.find((field) => field.x === x && field.y === y) ?? null;
  }
}

/// What one view does is seen in the others: a point under the mouse.
export class Shared<T> {
  private readonly listeners: ((value: T) => void)[] = [];

  constructor(public value: T) {}

  set(value: T): void {
    if (value !== this.value) {
      this.value = value;
      this.listeners.forEach((listener) => listener(value));
    }
  }

  changed(listener: (value: T) => void): void {
    this.listeners.push(listener);
  }
}
