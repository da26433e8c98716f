// A view as files: its picture with axes, and the numbers of its points.
import { csv } from "../export/download";
import { blobOf, standalone } from "../export/picture";
import { svg } from "../dom";
import { columnName } from "../text/format";
import type { Columns } from "../data/columns";
import type { ScatterView } from "./view";

function offset(view: ScatterView): readonly [number, number] {
  const [canvas, frame] = [view.canvas.getBoundingClientRect(), view.overlay.getBoundingClientRect()];
  return [canvas.left - frame.left, canvas.top - frame.top];
}

export async function viewPng(view: ScatterView): Promise<Blob> {
  const { width, height } = view.overlay.getBoundingClientRect();
  const scale = 2;
  const picture = document.createElement("canvas");
  picture.width = Math.round(scale * width);
  picture.height = Math.round(scale * height);
  const context = picture.getContext("2d")!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, picture.width, picture.height);
  const [left, top] = offset(view);
  context.drawImage(view.canvas, scale * left, scale * top, scale * view.canvas.clientWidth, scale * view.canvas.clientHeight);
  const image = new Image();
  const text = new XMLSerializer().serializeToString(standalone(view.overlay));
  await new Promise((resolve, reject) => {
    image.onload = resolve;
    image.onerror = reject;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
  context.drawImage(image, 0, 0, picture.width, picture.height);
  return blobOf(picture);
}

/// The points as a picture inside, everything else as lines and text.
export function viewSvg(view: ScatterView): Blob {
  const drawing = standalone(view.overlay);
  const [left, top] = offset(view);
  const points = svg("image", {
    href: view.canvas.toDataURL("image/png"),
    x: left,
    y: top,
    width: view.canvas.clientWidth,
    height: view.canvas.clientHeight,
  });
  drawing.insertBefore(points, drawing.firstChild);
  return new Blob([new XMLSerializer().serializeToString(drawing)], { type: "image/svg+xml" });
}

/// Number and values of these points, or of all.
export async function pointsCsv(columns: Columns, keys: readonly string[], positions: readonly number[] | null): Promise<string> {
  const [numbers, ...values] = await Promise.all([columns.numbers(), ...keys.map((key) => columns.values(key))]);
  const order = positions ? [...positions] : Array.from(numbers.keys());
  order.sort((a, b) => numbers[a]! - numbers[b]!);
  const headings = ["point", ...keys.map((key) => columnName(columns.info(key)!))];
  return csv(headings, order.map((i) => [numbers[i]!, ...values.map((column) => (Number.isNaN(column[i]!) ? null : column[i]!))]));
}
