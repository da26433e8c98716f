// The points: two linked views, what they are coloured by, and what is selected.
import type { Columns } from "../data/columns";
import type { ColumnInfo, Payload } from "../data/payload";
import { button, dropDown, html, type Choice } from "../dom";
import { fileButtons } from "../export/figure";
import { fileName } from "../export/download";
import { pointsCsv, viewPng, viewSvg } from "../scatter/export";
import { defaultScale, mapNames, type MapName } from "../scatter/colors";
import type { DriftStyle } from "../scatter/drift";
import { colorLegend } from "../scatter/legend";
import { PlotData, Shared } from "../scatter/plot_data";
import { Selection } from "../scatter/selection";
import { ScatterView, type Coloring, type Link, type Mode } from "../scatter/view";
import { columnName, count, exactText, list, plural } from "../text/format";
import { modesOf, trusted } from "../text/modes";
import { isDark, themeChanged } from "../theme";
import { asideLink, meaningLink, section } from "./section";
import { selectionPanel } from "./selection_panel";

const groupNames: Record<ColumnInfo["group"], string> = {
  coordinate: "coordinates",
  eigenfunction: "eigenfunctions",
  weight: "weights and densities",
  analysis: "sets and passages",
  error_bar: "error bars",
  values: "your values",
};

export interface Axes {
  x: string;
  y: string;
}

/// Data space on the left, the slowest trusted functions on the right; where one of them is missing, the next best.
export function openingAxes(payload: Payload): [Axes, Axes] {
  const has = (key: string) => payload.columns.some((column) => column.key === key);
  const functions = trusted(modesOf(payload.result))
    .flatMap((mode) => (mode.frequency > 0 ? [`psi${mode.n}`, `psi${mode.n}_im`] : [`psi${mode.n}`]))
    .filter(has);
  const others = payload.columns.map((column) => column.key).filter((key) => !functions.includes(key));
  const order = [...functions, ...others];
  const [first = "stationary", second = first, third = second] = order;
  const embedding = { x: first, y: second };
  if (has("x1") && has("x2")) {
    return [{ x: "x1", y: "x2" }, embedding];
  }
  return has("x1") ? [{ x: "x1", y: first }, embedding] : [embedding, { x: second, y: third }];
}

/// The slowest function says most; a set or a committor, where there is one, more.
export function openingColor(payload: Payload): string {
  const functions = trusted(modesOf(payload.result)).map((mode) => `psi${mode.n}`);
  const wanted = [...functions, "stationary"];
  return wanted.find((key) => payload.columns.some((column) => column.key === key)) ?? payload.columns[0]!.key;
}

export function complexModes(payload: Payload): ReadonlySet<number> {
  return new Set(payload.result.eigenvalues.flatMap(([, im], n) => (im !== 0 ? [n] : [])));
}

function choices(payload: Payload): Choice[] {
  const complex = complexModes(payload);
  return payload.columns.map((column) => ({
    value: column.key,
    label:
      columnName(column, column.mode !== undefined && complex.has(column.mode)) +
      (column.mode !== undefined && payload.result.spurious.includes(column.mode) ? " (spurious)" : ""),
    group: groupNames[column.group],
  }));
}

function toggle<T>(label: string, title: string, shared: Shared<T>, value: T): HTMLButtonElement {
  const element = button(label, title, () => shared.set(value));
  const show = () => element.setAttribute("aria-pressed", String(shared.value === value));
  shared.changed(show);
  show();
  return element;
}

function viewFigure(view: ScatterView, columns: Columns, link: Link, all: Choice[], name: string): HTMLElement {
  const axes = html(
    "div",
    { class: "controls" },
    dropDown("across", all, view.x, (key) => void view.setAxes(key, view.y)),
    dropDown("up", all, view.y, (key) => void view.setAxes(view.x, key)),
    html(
      "span",
      { class: "buttons", role: "group", "aria-label": "Zoom" },
      button("+", "Zoom in", () => view.zoomBy(1.6)),
      button("−", "Zoom out", () => view.zoomBy(1 / 1.6)),
      button("whole", "Show the whole again", () => view.reset()),
    ),
  );
  const files = fileButtons(name, {
    png: () => viewPng(view),
    svg: () => viewSvg(view),
    csv: () => pointsCsv(columns, [...new Set([view.x, view.y, link.coloring.value.key])], null),
  });
  return html("figure", { "data-figure": name }, axes, view.root, html("figcaption", {}, view.remark, files));
}

function pinnedPanel(payload: Payload, columns: Columns): { root: HTMLElement; show: (position: number) => void } {
  const root = html("div", { class: "pinned", hidden: true });
  const complex = complexModes(payload);
  const show = async (position: number) => {
    const [numbers, ...values] = await Promise.all([columns.numbers(), ...columns.infos.map((info) => columns.values(info.key))]);
    const rows = columns.infos.map((info, k) =>
      html(
        "tr",
        {},
        html("th", { scope: "row" }, columnName(info, info.mode !== undefined && complex.has(info.mode))),
        html("td", {}, exactText(values[k]![position]!, info)),
      ),
    );
    root.replaceChildren(
      html("h4", {}, `Point ${numbers[position]!}`, button("×", "Close", () => (root.hidden = true))),
      html("div", { class: "pinned-values" }, html("table", {}, html("tbody", {}, ...rows))),
    );
    root.hidden = false;
  };
  return { root, show: (position) => void show(position) };
}

function colorControls(payload: Payload, link: Link, all: Choice[]): HTMLElement {
  const legend = html("div");
  const maps = html("span");
  const show = ({ key, scale }: Coloring) => {
    const info = link.data.info(key);
    const name = columnName(info, info.mode !== undefined && link.complexModes.has(info.mode));
    legend.replaceChildren(colorLegend(name, info, scale, isDark()));
    maps.replaceChildren();
    if (scale.map !== "sets") {
      maps.append(dropDown("colours", mapNames, scale.map, (map) => link.coloring.set({ key, scale: { ...scale, map: map as MapName } })));
    }
  };
  link.coloring.changed(show);
  themeChanged(() => show(link.coloring.value));
  show(link.coloring.value);
  const chooser = dropDown("coloured by", all, link.coloring.value.key, (key) =>
    link.coloring.set({ key, scale: defaultScale(link.data.info(key)) }),
  );
  const sizes = [0.5, 1, 1.5, 2, 3].map((size) => ({ value: String(size), label: `${size} ×` }));
  return html(
    "div",
    { class: "controls" },
    chooser,
    maps,
    dropDown("point size", sizes, "1", (size) => link.size.set(Number(size))),
    payload.drift
      ? dropDown(
          "drift",
          [{ value: "none", label: "not shown" }, { value: "arrows", label: "arrows" }, { value: "lines", label: "stream lines" }],
          link.drift.value,
          (style) => link.drift.set(style as DriftStyle),
        )
      : null,
    html(
      "span",
      { class: "buttons", role: "group", "aria-label": "What the mouse does" },
      toggle("move", "Drag to move the view", link.mode, "move"),
      toggle("lasso", "Drag around points to select them; or hold Shift", link.mode, "lasso"),
    ),
    legend,
  );
}

function remarks(payload: Payload): HTMLElement {
  const { points, left_out } = payload;
  const lines: string[] = [];
  if (points.shown < points.total) {
    lines.push(
      `Shown are ${count(points.shown)} of ${count(points.total)} points, drawn at random; everything that is computed uses all of them.`,
    );
  }
  if (left_out.length > 0) {
    lines.push(`Left out of the page for its size: ${list(left_out)}. They are in the result directory, and --size gives them room.`);
  }
  const coarse = payload.columns.filter((column) => column.precision === "coarse" || column.precision === "steps");
  if (coarse.length > 0) {
    lines.push(`${plural(coarse.length, "column")} of ${payload.columns.length} ${coarse.length === 1 ? "is" : "are"} stored in steps: their last digits are left out.`);
  }
  return html("p", { class: "quiet" }, lines.join(" "), lines.length > 0 ? " " : "", asideLink("precision", "How exact are these numbers?"));
}

/// WebGL where there is one; ?canvas in the address asks for none.
function mayUseWebgl(): boolean {
  return !location.search.includes("canvas");
}

export function pointsSection(payload: Payload, columns: Columns): HTMLElement {
  const color = openingColor(payload);
  const data = new PlotData(columns, payload.drift ?? []);
  const pinned = pinnedPanel(payload, columns);
  const link: Link = {
    data,
    selection: new Selection(),
    hover: new Shared(-1),
    coloring: new Shared<Coloring>({ key: color, scale: defaultScale(data.info(color)) }),
    mode: new Shared<Mode>("move"),
    drift: new Shared<DriftStyle>(payload.drift ? "arrows" : "none"),
    size: new Shared(1),
    dark: isDark,
    pinned: pinned.show,
    complexModes: complexModes(payload),
  };
  const all = choices(payload);
  const views = openingAxes(payload).map((axes) => new ScatterView(link, axes.x, axes.y, mayUseWebgl()));
  themeChanged(() => views.forEach((view) => void view.recolor()));
  const name = fileName(payload.title || payload.name);
  const figures = views.map((view, k) => viewFigure(view, columns, link, all, `${name}-points-${k + 1}`));
  const coordinates = payload.columns.some((column) => column.group === "coordinate");
  return section(
    "points",
    "The points",
    html(
      "p",
      {},
      coordinates
        ? "Left your data, right the same points with the slow eigenfunctions as coordinates: "
        : "The points with the slow eigenfunctions as coordinates: ",
      meaningLink("embedding", "what is close there, the process joins quickly"),
      ". ",
      html("span", { class: "aside" }, "Drag to move; the wheel zooms once you have clicked into a view. Rest on a point for its values, click it for all of them."),
    ),
    colorControls(payload, link, all),
    html("div", { class: "views" }, ...figures),
    pinned.root,
    selectionPanel(payload, columns, link.selection),
    remarks(payload),
  );
}
