// What draws points into a canvas, by WebGL or without.

/// Fractions of the canvas, from its lower left corner: position = scale * normalised + offset.
export interface Camera {
  scaleX: number;
  offsetX: number;
  scaleY: number;
  offsetY: number;
}

export interface Picture {
  camera: Camera;
  /// In pixels of the canvas.
  pointSize: number;
  opacity: number;
}

export interface Renderer {
  readonly kind: "webgl" | "canvas";
  /// From 0 to 1 over the range of a column, NaN for points without a place.
  setPositions(x: Float32Array, y: Float32Array): void;
  /// Places in the table from 0 to 1, negative for points without a value; 256 colours as RGBA bytes.
  setColors(places: Float32Array, table: Uint8Array, missing: readonly [number, number, number]): void;
  /// 1 for selected points; null where none is, and all are shown alike.
  setSelection(mask: Uint8Array | null): void;
  /// Calls `begun` when there is something to see, and `done` when the picture is whole. A later call takes the place of
  /// an earlier one.
  draw(picture: Picture, begun: () => void, done: () => void): void;
  destroy(): void;
}
