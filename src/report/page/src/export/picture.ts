// Figures as files: an SVG that stands alone, and a PNG of it.

const inherited = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linejoin", "opacity",
  "font-family", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "paint-order",
];

/// The drawing with its styles written into each element: it looks the same without the page's style sheet.
export function standalone(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, k) => {
    const style = getComputedStyle(original);
    for (const property of inherited) {
      const value = style.getPropertyValue(property);
      if (value) {
        copies[k]!.setAttribute(property, value);
      }
    }
    copies[k]!.removeAttribute("class");
  });
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(Math.round(width)));
  copy.setAttribute("height", String(Math.round(height)));
  return copy;
}

export function svgBlob(drawing: SVGSVGElement): Blob {
  return new Blob([new XMLSerializer().serializeToString(standalone(drawing))], { type: "image/svg+xml" });
}

function loaded(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new Error("the picture could not be drawn"));
    image.src = address;
  });
}

export function blobOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be written"))), "image/png");
  });
}

/// At twice the resolution of the screen, on the page's background.
export async function pngBlob(drawing: SVGSVGElement): Promise<Blob> {
  const { width, height } = drawing.getBoundingClientRect();
  const scale = 2;
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(scale * width);
  canvas.height = Math.round(scale * height);
  const context = canvas.getContext("2d")!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  const text = new XMLSerializer().serializeToString(standalone(drawing));
  const image = await loaded(`data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return blobOf(canvas);
}
