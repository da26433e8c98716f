// A figure of the page: a drawing that follows the width of its column, its caption, and its files.
import { button, html } from "../dom";
import { download, downloadText } from "./download";
import { pngBlob, svgBlob } from "./picture";

export interface FigureParts {
  /// Of its files.
  name: string;
  caption: string | Node;
  draw: (width: number) => SVGSVGElement;
  csv: () => string;
}

export interface FileMakers {
  png: () => Promise<Blob>;
  svg: () => Blob | Promise<Blob>;
  csv: () => string | Promise<string>;
}

/// Buttons for a picture, a drawing and the numbers.
export function fileButtons(name: string, make: FileMakers): HTMLElement {
  const save = (extension: string, blob: Blob | Promise<Blob>) =>
    void Promise.resolve(blob).then((content) => download(`${name}.${extension}`, content));
  return html(
    "div",
    { class: "files", role: "group", "aria-label": "Save this figure" },
    button("PNG", "Save as a picture", () => save("png", make.png())),
    button("SVG", "Save as a drawing", () => save("svg", make.svg())),
    button("CSV", "Save the numbers", () => void Promise.resolve(make.csv()).then((text) => downloadText(`${name}.csv`, text, "text/csv"))),
  );
}

export function figure(parts: FigureParts): HTMLElement {
  const place = html("div", { class: "drawing" });
  let width = 0;
  const observer = new ResizeObserver(() => {
    const now = Math.floor(place.clientWidth);
    if (now > 0 && now !== width) {
      width = now;
      place.replaceChildren(parts.draw(width));
    }
  });
  observer.observe(place);
  const drawing = () => place.querySelector("svg")!;
  const files = fileButtons(parts.name, {
    png: () => pngBlob(drawing()),
    svg: () => svgBlob(drawing()),
    csv: parts.csv,
  });
  return html("figure", { "data-figure": parts.name }, place, html("figcaption", {}, parts.caption, files));
}
