// What a molecule looks like in each set, turning. 3Dmol.js is on the page only where there are structures.
import type { Payload, Structure } from "../data/payload";
import { button, html } from "../dom";
import { download, fileName } from "../export/download";
import { setColor } from "../scatter/colors";
import { isDark, themeChanged } from "../theme";

interface Viewer {
  addModel(text: string, format: string): unknown;
  setStyle(selection: object, style: object): void;
  setBackgroundColor(color: string, alpha?: number): void;
  zoomTo(): void;
  render(): void;
  spin(axis: string | boolean, speed?: number): void;
  pngURI(): string;
}

interface Molecules {
  createViewer(place: HTMLElement, options: object): Viewer;
}

function molecules(): Molecules | undefined {
  return (window as unknown as { $3Dmol?: Molecules }).$3Dmol;
}

const atoms = /^(ATOM {2}|HETATM)/gm;

/// Large molecules as ribbons, small ones as sticks and balls.
function style(structure: Structure): object {
  const count = structure.pdb.match(atoms)?.length ?? 0;
  return count > 300 ? { cartoon: { color: "spectrum" }, stick: { radius: 0.1 } } : { stick: { radius: 0.14 }, sphere: { scale: 0.26 } };
}

function moves(): boolean {
  return !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/// 3Dmol.js itself shows an empty box where there is none.
function hasWebgl(): boolean {
  const canvas = document.createElement("canvas");
  return (canvas.getContext("webgl2") ?? canvas.getContext("webgl")) !== null;
}

function show(structure: Structure, place: HTMLElement): Viewer | null {
  const viewer = hasWebgl() ? molecules()?.createViewer(place, { backgroundAlpha: 0, antialias: true }) : null;
  if (!viewer) {
    return null;
  }
  const background = () => {
    viewer.setBackgroundColor(isDark() ? "#1b1f24" : "#f6f7f8");
    viewer.render();
  };
  viewer.addModel(structure.pdb, "pdb");
  viewer.setStyle({}, style(structure));
  viewer.zoomTo();
  background();
  themeChanged(background);
  if (moves()) {
    viewer.spin("y", 0.6);
  }
  return viewer;
}

function structureFigure(structure: Structure, k: number): HTMLElement {
  const place = html("div", { class: "molecule" });
  let viewer: Viewer | null = null;
  let turning = moves();
  const patch = html("span", { class: "patch" });
  patch.style.background = setColor(k);
  const turn = button("turn", "Turn it or stop it", () => {
    turning = !turning;
    viewer?.spin(turning ? "y" : false, 0.6);
  });
  const save = button("PDB", "Save the structure", () =>
    download(`${fileName(structure.name)}.pdb`, new Blob([structure.pdb], { type: "chemical/x-pdb" })));
  // When it comes into sight, or is printed: a browser allows for a dozen of them at most.
  const appear = () => {
    observer.disconnect();
    window.removeEventListener("beforeprint", appear);
    viewer = show(structure, place);
    if (!viewer) {
      place.append(html("p", { class: "quiet" }, "Structures are drawn by WebGL, which this browser does not offer. The file has it."));
    }
  };
  const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && appear());
  observer.observe(place);
  window.addEventListener("beforeprint", appear);
  return html("figure", { class: "structure" }, place, html("figcaption", {}, html("span", {}, patch, ` ${structure.name}`), html("div", { class: "files" }, turn, save)));
}

export function structures(payload: Payload): HTMLElement | null {
  if (payload.structures.length === 0) {
    return null;
  }
  return html(
    "div",
    {},
    html("h3", {}, "What it looks like"),
    html("p", {}, "A representative structure of each set; drag to turn it."),
    html("div", { class: "structures" }, ...payload.structures.map(structureFigure)),
  );
}
