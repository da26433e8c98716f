// What all parts of the page look like.
import { html } from "../dom";

export function section(id: string, heading: string, ...content: (Node | null)[]): HTMLElement {
  return html("section", { id, "aria-labelledby": `${id}-heading` }, html("h2", { id: `${id}-heading` }, heading), ...content);
}

/// A link to the entry of the glossary that explains it.
export function meaningLink(id: string, text: string): HTMLAnchorElement {
  return html("a", { href: `#meaning-${id}`, class: "meaning" }, text);
}
