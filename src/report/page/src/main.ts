// The report: reads what the page was given and builds its parts, in the order in which a reader asks.
import { Columns } from "./data/columns";
import type { Payload } from "./data/payload";
import { html } from "./dom";
import { committorSection } from "./sections/committor";
import { details, glossary } from "./sections/details";
import { header } from "./sections/header";
import { pointsSection } from "./sections/points";
import { scanSection } from "./sections/scan";
import { setsSection } from "./sections/sets";
import { spectrumSection } from "./sections/spectrum";
import { followPrinter } from "./theme";

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

function navigation(parts: readonly HTMLElement[]): HTMLElement {
  const links = parts.map((part) => html("a", { href: `#${part.id}` }, part.querySelector("h2")?.textContent ?? part.id));
  return html("nav", { "aria-label": "Parts of this page" }, ...links);
}

function build(): void {
  const payload = JSON.parse(textOf("data")) as Payload;
  const columns = new Columns(payload.columns, payload.points.shown, textOf);
  document.title = `${payload.title || payload.name || "Result"} – itomap`;
  const parts = [
    spectrumSection(payload),
    pointsSection(payload, columns),
    scanSection(payload),
    setsSection(payload),
    committorSection(payload),
    glossary(),
    details(payload, textOf("licences")),
  ].filter((part): part is HTMLElement => part !== null);
  const place = document.getElementById("page")!;
  place.append(header(payload), navigation(parts), html("main", {}, ...parts));
  followPrinter();
}

build();
