// Elements without innerHTML: whatever a user's file holds becomes text.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

const svgNamespace = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      element.addEventListener(name, value as unknown as EventListener);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
}

/// html("p", { class: "note" }, "text", html("b", {}, "more")); a function is an event's listener.
export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(svgNamespace, name);
  fill(element, attributes, children);
  return element;
}

export interface Choice {
  value: string;
  label: string;
  group?: string;
}

/// A labelled drop-down list, grouped where the choices say so.
export function dropDown(
  label: string,
  choices: readonly Choice[],
  value: string,
  changed: (value: string) => void,
): HTMLLabelElement {
  const list = html("select", { change: () => changed(list.value) });
  const groups = new Map<string, HTMLOptGroupElement>();
  for (const choice of choices) {
    const option = html("option", { value: choice.value, selected: choice.value === value }, choice.label);
    if (!choice.group) {
      list.append(option);
      continue;
    }
    let group = groups.get(choice.group);
    if (!group) {
      group = html("optgroup", { label: choice.group });
      groups.set(choice.group, group);
      list.append(group);
    }
    group.append(option);
  }
  return html("label", { class: "field" }, html("span", {}, label), list);
}

export function button(label: string, title: string, pressed: () => void): HTMLButtonElement {
  return html("button", { type: "button", title, click: pressed }, label);
}

/// A table with a heading for each column; numbers are aligned to the right.
export function table(
  headings: readonly (string | Node)[],
  rows: readonly (readonly (string | Node)[])[],
  caption?: string,
): HTMLElement {
  const head = html("thead", {}, html("tr", {}, ...headings.map((heading) => html("th", { scope: "col" }, heading))));
  const body = html("tbody", {}, ...rows.map((row) => html("tr", {}, ...row.map((cell) => html("td", {}, cell)))));
  const whole = html("table", {}, caption ? html("caption", {}, caption) : null, head, body);
  return html("div", { class: "table", tabindex: 0, role: "region", "aria-label": caption ?? "table" }, whole);
}
