// The page that leads to several reports: texts, tables, pictures and links.
import { html } from "./dom";
import { themeButton } from "./sections/header";
import { section } from "./sections/section";

interface Row {
  cells: string[];
  met: boolean | null;
}

interface Section {
  title: string;
  text: string;
  links: { address: string; text: string }[];
  pictures: { block: string; caption: string; address: string }[];
  headings: string[];
  rows: Row[];
}

interface Gallery {
  version: string;
  title: string;
  text: string;
  sections: Section[];
}

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

/// Links lead to files beside the page, and nowhere else.
function link(address: string, content: Node | string, className: string): Node {
  return /^[\w.-][\w./-]*$/.test(address) ? html("a", { href: address, class: className }, content) : html("span", {}, content);
}

function idOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
}

function requirement(met: boolean | null): Node {
  const words = met === null ? "" : met ? "✓ met" : "▲ missed";
  return html("span", { class: met === null ? "quiet" : met ? "good-text" : "warning-text" }, words);
}

function verdicts({ headings, rows }: Section): HTMLElement | null {
  if (rows.length === 0) {
    return null;
  }
  const asked = rows.filter((row) => row.met !== null);
  const met = asked.filter((row) => row.met);
  // The verdict comes first, where a narrow screen shows it.
  const head = html("tr", {}, html("th", { scope: "col" }, ""), ...headings.map((heading) => html("th", { scope: "col" }, heading)));
  const body = rows.map((row) => html("tr", {}, html("td", {}, requirement(row.met)), ...row.cells.map((cell) => html("td", {}, cell))));
  return html(
    "div",
    { class: "table wide", tabindex: 0, role: "region", "aria-label": "Paper against itomap" },
    html("table", {}, html("caption", {}, `${met.length} of ${asked.length} requirements met`), html("thead", {}, head), html("tbody", {}, ...body)),
  );
}

function pictures(part: Section): HTMLElement {
  const figures = part.pictures.map(({ block, caption, address }) => {
    const picture = html("img", { src: `data:image/png;base64,${textOf(block)}`, alt: caption });
    return html("figure", {}, link(address, picture, "picture-link"), html("figcaption", {}, caption));
  });
  return html("div", { class: "pictures" }, ...figures);
}

function part(content: Section): HTMLElement {
  return section(
    idOf(content.title),
    content.title.charAt(0).toUpperCase() + content.title.slice(1),
    html("p", {}, content.text),
    content.links.length > 0 ? html("p", { class: "report-links" }, "Reports to explore: ", ...content.links.map(({ address, text }) => link(address, text, "report-link"))) : null,
    pictures(content),
    verdicts(content),
  );
}

function build(): void {
  const gallery = JSON.parse(textOf("data")) as Gallery;
  document.title = `${gallery.title} – itomap`;
  const asked = gallery.sections.flatMap((one) => one.rows).filter((row) => row.met !== null);
  const met = asked.filter((row) => row.met).length;
  const parts = gallery.sections.map(part);
  const links = gallery.sections.map((one, k) => html("a", { href: `#${parts[k]!.id}` }, one.title));
  document.getElementById("page")!.append(
    html(
      "header",
      {},
      html("div", { class: "top" }, html("span", { class: "brand" }, `itomap ${gallery.version}`), themeButton()),
      html("h1", {}, gallery.title),
      html("p", { class: "subject" }, gallery.text),
      asked.length > 0 ? html("p", { class: "answer" }, `${met} of ${asked.length} requirements are met.`) : null,
    ),
    html("nav", { "aria-label": "Parts of this page" }, ...links),
    html("main", {}, ...parts),
  );
}

build();
