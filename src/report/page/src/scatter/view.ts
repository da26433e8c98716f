// One view of the points: a canvas, axes around it, and what a reader does with mouse, fingers or keys.
import { select } from "d3-selection";
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from "d3-zoom";
import { drawAxes, scale } from "../charts/axes";
import type { Values } from "../data/decode";
import { html, svg } from "../dom";
import { columnName, exactText, plural } from "../text/format";
import { CanvasRenderer } from "./canvas";
import { colorPlaces, colorTable, type ColorScale } from "./colors";
import { driftArrows, streamLines, type DriftStyle } from "./drift";
import { insideOutline, type Point } from "./pick";
import type { PlotData, Shared } from "./plot_data";
import type { Picture, Renderer } from "./renderer";
import type { Selection } from "./selection";
import { axisRange, Viewport, type Zoom } from "./viewport";
import { WebglRenderer } from "./webgl";

export type Mode = "move" | "lasso";

export interface Coloring {
  key: string;
  scale: ColorScale;
}

/// What all views have in common, and follow.
export interface Link {
  data: PlotData;
  selection: Selection;
  hover: Shared<number>;
  coloring: Shared<Coloring>;
  mode: Shared<Mode>;
  drift: Shared<DriftStyle>;
  size: Shared<number>;
  dark: () => boolean;
  /// A click on a point.
  pinned: (position: number) => void;
  complexModes: ReadonlySet<number>;
}

const around = { top: 8, right: 10, bottom: 44, left: 64 };
/// Pixels of a printed picture for one of the screen.
const paperScale = 2;
/// Pixels around the mouse in which a point is found.
const reach = 9;

export class ScatterView {
  readonly root: HTMLElement;
  readonly overlay: SVGSVGElement;
  canvas: HTMLCanvasElement;
  private readonly frame: SVGGElement;
  private readonly marks: SVGGElement;
  private readonly tip: HTMLElement;
  private readonly note: HTMLElement;
  private renderer: Renderer;
  private viewport: Viewport | null = null;
  private transform: Zoom = zoomIdentity;
  private readonly behavior: ZoomBehavior<SVGSVGElement, unknown>;
  private positions: { x: Float32Array; y: Float32Array } | null = null;
  private lasso: Point[] | null = null;
  private paper: HTMLCanvasElement | null = null; // while it is printed

  constructor(private readonly link: Link, public x: string, public y: string, webgl: boolean) {
    this.canvas = html("canvas", { "aria-hidden": "true" });
    this.frame = svg("g", { transform: `translate(${around.left},${around.top})` });
    this.marks = svg("g", { transform: `translate(${around.left},${around.top})` });
    this.overlay = svg("svg", { class: "overlay" }, this.frame, this.marks);
    this.tip = html("div", { class: "tip", role: "status", hidden: true });
    this.note = html("p", { class: "view-note" });
    this.root = html("div", { class: "view", tabindex: 0, role: "group" }, this.canvas, this.overlay, this.tip);
    this.renderer = this.makeRenderer(webgl);
    this.behavior = this.makeZoom();
    this.listen();
    new ResizeObserver(() => this.paper || this.resized()).observe(this.root);
    window.addEventListener("beforeprint", () => this.fitPaper());
    window.addEventListener("afterprint", () => this.leavePaper());
    void this.setAxes(x, y);
  }

  /// What is said below the view: how it is drawn, and what it does not show.
  get remark(): HTMLElement {
    return this.note;
  }

  async setAxes(x: string, y: string): Promise<void> {
    this.x = x;
    this.y = y;
    const [across, up] = await Promise.all([this.link.data.position(x), this.link.data.position(y)]);
    if (this.x !== x || this.y !== y) {
      return; // others were chosen meanwhile
    }
    this.positions = { x: across, y: up };
    this.renderer.setPositions(across, up);
    await this.recolor();
    this.transform = zoomIdentity;
    this.resized();
  }

  async recolor(): Promise<void> {
    const { key, scale } = this.link.coloring.value;
    const values = await this.link.data.columns.values(key);
    if (key !== this.link.coloring.value.key) {
      return;
    }
    this.colorWith(this.renderer, values, scale, this.link.dark());
    this.redraw();
  }

  private colorWith(renderer: Renderer, values: Values, scale: ColorScale, dark: boolean): void {
    renderer.setColors(colorPlaces(values, scale), colorTable(scale.map, dark), dark ? [110, 114, 120] : [165, 165, 165]);
  }

  zoomBy(factor: number): void {
    select(this.overlay).call(this.behavior.scaleBy, factor);
  }

  reset(): void {
    select(this.overlay).call(this.behavior.transform, zoomIdentity);
  }

  private makeRenderer(webgl: boolean): Renderer {
    const renderer = webgl ? WebglRenderer.create(this.canvas, () => this.fallBack()) : null;
    if (webgl && !renderer) {
      this.replaceCanvas();
    }
    const result = renderer ?? new CanvasRenderer(this.canvas);
    this.root.dataset["renderer"] = result.kind;
    return result;
  }

  /// A canvas that has been asked for WebGL gives nothing else.
  private replaceCanvas(): void {
    const fresh = html("canvas", { "aria-hidden": "true" });
    this.canvas.replaceWith(fresh);
    this.canvas = fresh;
  }

  private fallBack(): void {
    this.replaceCanvas();
    this.renderer = this.makeRenderer(false);
    void this.setAxes(this.x, this.y);
  }

  private makeZoom(): ZoomBehavior<SVGSVGElement, unknown> {
    const behavior = zoom<SVGSVGElement, unknown>()
      .scaleExtent([0.2, 5000])
      .filter((event: Event) => this.mayZoom(event))
      .on("zoom", (event: D3ZoomEvent<SVGSVGElement, unknown>) => {
        this.transform = event.transform;
        this.redraw();
      });
    select(this.overlay).call(behavior).on("dblclick.zoom", null);
    return behavior;
  }

  /// A wheel scrolls the page until the view has been clicked or reached by the tab key; one finger always does.
  private mayZoom(event: Event): boolean {
    if (event instanceof WheelEvent) {
      return event.ctrlKey || this.root.contains(document.activeElement);
    }
    if ("touches" in event) {
      return (event as TouchEvent).touches.length > 1;
    }
    return this.link.mode.value === "move" && !(event as MouseEvent).shiftKey && (event as MouseEvent).button === 0;
  }

  private listen(): void {
    const { link, overlay, root } = this;
    overlay.addEventListener("pointermove", (event) => this.pointerMoved(event));
    overlay.addEventListener("pointerdown", (event) => this.pointerDown(event));
    overlay.addEventListener("pointerup", () => this.finishLasso());
    overlay.addEventListener("pointerleave", () => {
      link.hover.set(-1);
      this.tip.hidden = true;
    });
    overlay.addEventListener("click", () => {
      root.focus({ preventScroll: true });
      if (link.hover.value >= 0 && link.mode.value === "move") {
        link.pinned(link.hover.value);
      }
    });
    root.addEventListener("keydown", (event) => this.keyPressed(event));
    link.hover.changed(() => this.drawMarks());
    link.selection.changed(() => {
      this.renderer.setSelection(link.selection.current);
      this.redraw();
    });
    link.coloring.changed(() => void this.recolor());
    link.drift.changed(() => this.drawFrame());
    link.size.changed(() => this.redraw());
    link.mode.changed((mode) => root.classList.toggle("lasso-mode", mode === "lasso"));
  }

  private keyPressed(event: KeyboardEvent): void {
    const step = 40;
    const pan = (dx: number, dy: number) =>
      select(this.overlay).call(this.behavior.translateBy, dx / this.transform.k, dy / this.transform.k);
    const actions: Record<string, () => void> = {
      ArrowLeft: () => pan(step, 0),
      ArrowRight: () => pan(-step, 0),
      ArrowUp: () => pan(0, step),
      ArrowDown: () => pan(0, -step),
      "+": () => this.zoomBy(1.4),
      "=": () => this.zoomBy(1.4),
      "-": () => this.zoomBy(1 / 1.4),
      "0": () => this.reset(),
      Escape: () => this.link.selection.set(null),
    };
    const action = actions[event.key];
    if (action && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      action();
    }
  }

  private resized(): void {
    const [width, height] = [this.root.clientWidth - around.left - around.right, this.root.clientHeight - around.top - around.bottom];
    if (width < 20 || height < 20) {
      return;
    }
    const ratio = window.devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const { data } = this.link;
    const [x, y] = [data.info(this.x), data.info(this.y)];
    const equal = x.group === "coordinate" && y.group === "coordinate";
    const [before, zoomBefore] = [this.viewport, this.transform];
    this.viewport = new Viewport(axisRange(x), axisRange(y), width, height, equal);
    this.behavior.extent([[0, 0], [width, height]]);
    if (before && zoomBefore !== zoomIdentity) {
      const share = width / before.width;
      this.transform = zoomIdentity.translate(zoomBefore.x * share, (zoomBefore.y * height) / before.height).scale(zoomBefore.k);
    }
    (this.overlay as unknown as { __zoom: unknown }).__zoom = zoomIdentity.translate(this.transform.x, this.transform.y).scale(this.transform.k);
    this.root.setAttribute("aria-label", `Points: ${this.name(this.x)} across, ${this.name(this.y)} up. Arrow keys move, plus and minus zoom, 0 resets.`);
    this.redraw();
  }

  /// A printer waits for nobody and has another width: a picture of its own, drawn at once in the colours of paper,
  /// that follows the width together with the axes.
  private fitPaper(): void {
    const { viewport, positions, link } = this;
    const values = link.data.columns.present(link.coloring.value.key);
    if (this.paper || !viewport || !positions || !values) {
      return;
    }
    const [width, height] = [this.root.clientWidth, this.root.clientHeight];
    this.paper = html("canvas", { class: "paper", width: paperScale * viewport.width, height: paperScale * viewport.height });
    const renderer = new CanvasRenderer(this.paper);
    renderer.setPositions(positions.x, positions.y);
    renderer.setSelection(link.selection.current);
    this.colorWith(renderer, values, link.coloring.value.scale, false);
    renderer.draw(this.picture(viewport, positions.x.length, paperScale), () => undefined, () => undefined);
    const { style } = this.paper;
    style.left = `${(100 * around.left) / width}%`;
    style.top = `${(100 * around.top) / height}%`;
    style.width = `${(100 * viewport.width) / width}%`;
    style.height = `${(100 * viewport.height) / height}%`;
    this.root.style.aspectRatio = `${width} / ${height}`;
    this.overlay.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.canvas.after(this.paper);
  }

  private leavePaper(): void {
    this.paper?.remove();
    this.paper = null;
    this.root.style.removeProperty("aspect-ratio");
    this.overlay.removeAttribute("viewBox");
    this.resized();
  }

  private name(key: string): string {
    const info = this.link.data.info(key);
    return columnName(info, info.mode !== undefined && this.link.complexModes.has(info.mode));
  }

  redraw(): void {
    const { viewport, positions } = this;
    if (!viewport || !positions) {
      return;
    }
    this.root.dataset["drawn"] = "partly";
    const picture = this.picture(viewport, positions.x.length, window.devicePixelRatio || 1);
    this.renderer.draw(picture, firstPicture, () => (this.root.dataset["drawn"] = "whole"));
    this.drawFrame();
    this.drawMarks();
  }

  private picture(viewport: Viewport, count: number, ratio: number): Picture {
    const grown = Math.min(3, Math.max(1, this.transform.k ** 0.3));
    const [pointSize, opacity] = appearance(count);
    return {
      camera: viewport.camera(this.transform),
      pointSize: Math.max(1, pointSize * grown * ratio * this.link.size.value),
      opacity: Math.min(1, opacity * grown),
    };
  }

  private drawFrame(): void {
    const { viewport, transform, link } = this;
    if (!viewport) {
      return;
    }
    const { x, y } = viewport.domain(transform);
    this.root.dataset["domain"] = JSON.stringify([...x, ...y]);
    this.frame.replaceChildren();
    const [axisX, axisY] = [{ label: this.name(this.x), domain: x }, { label: this.name(this.y), domain: y }];
    const field = link.data.driftField(this.x, this.y);
    if (field && link.drift.value !== "none") {
      const draw = link.drift.value === "arrows" ? driftArrows : streamLines;
      const clipped = svg("svg", { width: viewport.width, height: viewport.height });
      clipped.append(draw(field, viewport, transform));
      this.frame.append(clipped);
    }
    this.frame.append(svg("rect", { class: "edge", width: viewport.width, height: viewport.height }));
    drawAxes(
      this.frame,
      { axis: axisX, scale: scale(axisX, [0, viewport.width]) },
      { axis: axisY, scale: scale(axisY, [viewport.height, 0]) },
      viewport.width,
      viewport.height,
    );
    this.describe();
  }

  private describe(): void {
    const { viewport } = this;
    const outside = viewport && (viewport.x.cropped || viewport.y.cropped);
    const how = this.renderer.kind === "canvas" ? " Drawn without WebGL: each pixel shows the mean of its points." : "";
    this.note.textContent = (outside ? "A few far points lie outside of this view: zoom out to see them." : "") + how;
  }

  /// The point under the mouse, in all views, and the lasso.
  private drawMarks(): void {
    const { viewport, positions, transform, link } = this;
    this.marks.replaceChildren();
    if (!viewport || !positions) {
      return;
    }
    const at = link.hover.value;
    if (at >= 0) {
      const [px, py] = this.pixelOf(at);
      if (px >= 0 && py >= 0 && px <= viewport.width && py <= viewport.height) {
        this.marks.append(svg("circle", { class: "hovered", cx: px, cy: py, r: 6 }));
      }
    }
    if (this.lasso && this.lasso.length > 1) {
      const path = this.lasso.map(([x, y], k) => `${k === 0 ? "M" : "L"}${viewport.pixelAt(x, y, transform).join(",")}`).join("");
      this.marks.append(svg("path", { class: "lasso", d: `${path}Z` }));
    }
  }

  private pixelOf(position: number): readonly [number, number] {
    const { viewport, positions, transform } = this;
    const [x, y] = [viewport!.x.full, viewport!.y.full];
    return viewport!.pixelAt(
      x[0] + positions!.x[position]! * (x[1] - x[0] || 1),
      y[0] + positions!.y[position]! * (y[1] - y[0] || 1),
      transform,
    );
  }

  private place(event: PointerEvent): readonly [number, number] {
    const box = this.overlay.getBoundingClientRect();
    return [event.clientX - box.left - around.left, event.clientY - box.top - around.top];
  }

  private pointerDown(event: PointerEvent): void {
    const lassoing = event.button === 0 && (this.link.mode.value === "lasso" || event.shiftKey);
    if (lassoing && this.viewport && event.isPrimary) {
      this.overlay.setPointerCapture(event.pointerId);
      this.lasso = [this.viewport.dataAt(...this.place(event), this.transform)];
      event.preventDefault();
    }
  }

  private pointerMoved(event: PointerEvent): void {
    const { viewport, positions, link } = this;
    if (!viewport || !positions) {
      return;
    }
    const [px, py] = this.place(event);
    const [x, y] = viewport.dataAt(px, py, this.transform);
    if (this.lasso) {
      this.lasso.push([x, y]);
      this.drawMarks();
      return;
    }
    if (event.buttons !== 0 || px < 0 || py < 0 || px > viewport.width || py > viewport.height) {
      link.hover.set(-1);
      this.tip.hidden = true;
      return;
    }
    const index = link.data.index(this.x, this.y, positions.x, positions.y);
    const [rightX, upY] = viewport.dataAt(px + 1, py - 1, this.transform);
    const [nx, ny] = [viewport.normalisedX(x), viewport.normalisedY(y)];
    const found = index.nearest(nx, ny, viewport.normalisedX(rightX) - nx, viewport.normalisedY(upY) - ny, reach);
    link.hover.set(found);
    void this.showTip(found, px, py);
  }

  private finishLasso(): void {
    if (!this.lasso || !this.positions || !this.viewport) {
      return;
    }
    const { viewport } = this;
    const outline = this.lasso.map(([x, y]) => [viewport.normalisedX(x), viewport.normalisedY(y)] as const);
    this.lasso = null;
    this.link.selection.set(insideOutline(outline, this.positions.x, this.positions.y));
    this.drawMarks();
  }

  private async showTip(position: number, px: number, py: number): Promise<void> {
    if (position < 0) {
      this.tip.hidden = true;
      return;
    }
    const { data, coloring, hover } = this.link;
    const keys = withErrorBars([...new Set([this.x, this.y, coloring.value.key])], data);
    const [numbers, ...values] = await Promise.all([data.columns.numbers(), ...keys.map((key) => data.columns.values(key))]);
    if (hover.value !== position) {
      return;
    }
    const rows = keys.map((key, k) =>
      html("tr", {}, html("th", { scope: "row" }, this.name(key)), html("td", {}, exactText(values[k]![position]!, data.info(key)))),
    );
    this.tip.replaceChildren(html("strong", {}, `point ${numbers[position]!}`), html("table", {}, html("tbody", {}, ...rows)));
    this.tip.hidden = false;
    const right = px > (this.viewport?.width ?? 0) / 2;
    this.tip.style.left = right ? "auto" : `${px + around.left + 14}px`;
    this.tip.style.right = right ? `${this.root.clientWidth - px - around.left + 14}px` : "auto";
    this.tip.style.top = `${Math.max(4, py - 10)}px`;
  }

  /// What the picture shows, for a reader who cannot see it.
  get summary(): string {
    return `${plural(this.positions?.x.length ?? 0, "point")}: ${this.name(this.x)} and ${this.name(this.y)}`;
  }
}

/// Below each function what its error bars say of it, where there are any.
function withErrorBars(keys: readonly string[], data: PlotData): string[] {
  const bars = (key: string) => [`${key}_limit`, `${key}_error`].filter((name) => data.columns.info(name));
  return [...new Set(keys.flatMap((key) => [key, ...bars(key)]))];
}

/// For those who measure how long a page takes to show something.
function firstPicture(): void {
  if (performance.getEntriesByName("first picture").length === 0) {
    performance.mark("first picture");
  }
}

/// Size in pixels and opacity of so many points, so that dense regions show their structure and sparse ones are seen.
export function appearance(count: number): readonly [number, number] {
  const steps = [[800, 6, 0.9], [5_000, 4.5, 0.8], [30_000, 3, 0.65], [150_000, 2, 0.5], [400_000, 1.5, 0.4], [Infinity, 1, 0.35]] as const;
  const [, size, opacity] = steps.find(([most]) => count <= most)!;
  return [size, opacity];
}
