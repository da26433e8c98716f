// Points without WebGL: counted pixel by pixel, and each pixel coloured by the mean of its points. A million take a
// fraction of a second, and the picture is the same.
import type { Picture, Renderer } from "./renderer";
import { tableSize } from "./colors";

const faded = 0.12;

/// Pixels of a point, as offsets from its middle.
function stamp(size: number): readonly (readonly [number, number])[] {
  const whole = Math.max(1, Math.round(size));
  const first = -Math.floor((whole - 1) / 2);
  const middle = first + (whole - 1) / 2;
  const offsets: [number, number][] = [];
  for (let dy = first; dy < first + whole; dy++) {
    for (let dx = first; dx < first + whole; dx++) {
      if (whole < 4 || (dx - middle) ** 2 + (dy - middle) ** 2 <= (whole / 2) ** 2) {
        offsets.push([dx, dy]);
      }
    }
  }
  return offsets;
}

/// Counts and sums of colours of the pixels.
class Layer {
  readonly count: Float32Array;
  readonly sum: Float32Array;
  readonly valued: Float32Array;

  constructor(pixels: number) {
    this.count = new Float32Array(pixels);
    this.sum = new Float32Array(pixels);
    this.valued = new Float32Array(pixels);
  }
}

export class CanvasRenderer implements Renderer {
  readonly kind = "canvas";
  private x: Float32Array = new Float32Array();
  private y: Float32Array = new Float32Array();
  private places: Float32Array = new Float32Array();
  private table: Uint8Array = new Uint8Array(4 * tableSize);
  private missing: readonly [number, number, number] = [128, 128, 128];
  private mask: Uint8Array | null = null;

  constructor(private readonly canvas: HTMLCanvasElement) {}

  setPositions(x: Float32Array, y: Float32Array): void {
    this.x = x;
    this.y = y;
  }

  setColors(places: Float32Array, table: Uint8Array, missing: readonly [number, number, number]): void {
    this.places = places;
    this.table = table;
    this.missing = missing;
  }

  setSelection(mask: Uint8Array | null): void {
    this.mask = mask;
  }

  draw(picture: Picture, begun: () => void, done: () => void): void {
    const { width, height } = this.canvas;
    const context = this.canvas.getContext("2d");
    if (!context || width === 0 || height === 0) {
      return;
    }
    const image = context.createImageData(width, height);
    const layers = this.mask ? [0, 1] : [null];
    for (const wanted of layers) {
      const opacity = picture.opacity * (wanted === 0 ? faded : 1);
      this.paint(image.data, this.counted(picture, width, height, wanted), opacity);
    }
    context.putImageData(image, 0, 0);
    begun();
    done();
  }

  private counted(picture: Picture, width: number, height: number, wanted: number | null): Layer {
    const layer = new Layer(width * height);
    const { scaleX, offsetX, scaleY, offsetY } = picture.camera;
    const offsets = stamp(picture.pointSize);
    const { x, y, places, mask } = this;
    for (let i = 0; i < x.length; i++) {
      const px = Math.floor((scaleX * x[i]! + offsetX) * width);
      const py = Math.floor((1 - scaleY * y[i]! - offsetY) * height);
      if (!(px >= -8 && px < width + 8 && py >= -8 && py < height + 8) || (wanted !== null && mask![i] !== wanted)) {
        continue;
      }
      const place = places[i]!;
      for (const [dx, dy] of offsets) {
        const [cx, cy] = [px + dx, py + dy];
        if (cx < 0 || cx >= width || cy < 0 || cy >= height) {
          continue;
        }
        const at = cy * width + cx;
        layer.count[at]!++;
        if (place >= 0) {
          layer.valued[at]!++;
          layer.sum[at]! += place;
        }
      }
    }
    return layer;
  }

  /// Over what is there already.
  private paint(pixels: Uint8ClampedArray, layer: Layer, opacity: number): void {
    for (let at = 0; at < layer.count.length; at++) {
      const count = layer.count[at]!;
      if (count === 0) {
        continue;
      }
      const valued = layer.valued[at]!;
      const entry = 4 * Math.min(tableSize - 1, Math.floor((layer.sum[at]! / valued) * tableSize));
      const alpha = 1 - (1 - opacity) ** count;
      const below = (pixels[4 * at + 3]! / 255) * (1 - alpha);
      const total = alpha + below;
      for (let k = 0; k < 3; k++) {
        const shade = valued > 0 ? this.table[entry + k]! : this.missing[k]!;
        pixels[4 * at + k] = (shade * alpha + pixels[4 * at + k]! * below) / total;
      }
      pixels[4 * at + 3] = 255 * total;
    }
  }

  destroy(): void {}
}
