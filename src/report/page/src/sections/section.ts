// What all parts of the page look like.
import { html } from "../dom";

export function section(id: string, heading: string, ...content: (Node | null)[]): HTMLElement {
  return html("section", { id, "aria-labelledby": `${id}-heading` }, html("h2", { id: `${id}-heading` }, heading), ...content);
}

/// Words of a sentence that lead to the entry of the glossary that explains them.
export function meaningLink(id: string, text: string): HTMLAnchorElement {
  return html("a", { href: `#meaning-${id}`, class: "meaning" }, text);
}

/// The same behind a sentence; paper has no use for it.
export function asideLink(id: string, text: string): HTMLAnchorElement {
  return html("a", { href: `#meaning-${id}`, class: "meaning aside" }, text);
}
