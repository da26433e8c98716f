// What the words mean, everything that the result says, and the licences of what is on the page.
import type { Json, Payload } from "../data/payload";
import { html, table } from "../dom";
import { bytes, formatted, seconds } from "../text/format";
import { meanings } from "../text/meaning";
import { section } from "./section";

export function glossary(): HTMLElement {
  const entries = meanings.flatMap(({ id, term, text }) => [html("dt", { id: `meaning-${id}` }, term), html("dd", {}, text)]);
  return section("meaning", "What the words mean", html("dl", { class: "glossary" }, ...entries));
}

function words(key: string): string {
  return key.replace(/_/g, " ");
}

function valueText(value: Json | undefined): string {
  if (value === null || value === undefined || value === "") {
    return "–";
  }
  if (typeof value === "number") {
    return Number.isInteger(value) ? String(value) : formatted(value, 6);
  }
  if (typeof value === "boolean") {
    return value ? "yes" : "no";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/// Whatever keys there are: also those that a later version adds.
function pairs(values: Record<string, Json | undefined>, skipped: readonly string[] = []): string[][] {
  return Object.entries(values)
    .filter(([key]) => !skipped.includes(key))
    .map(([key, value]) => [words(key), valueText(value)]);
}

function more(summary: string, content: HTMLElement): HTMLElement {
  return html("details", {}, html("summary", {}, summary), content);
}

export function details(payload: Payload, licences: string): HTMLElement {
  const { result } = payload;
  const times = Object.entries(result.seconds).map(([stage, time]) => [words(stage), seconds(time)]);
  const effort = [...times, ["peak memory", bytes(result.peak_memory_bytes)], ["products with the kernel", String(result.matvecs)]];
  return section(
    "details",
    "Details",
    more("Diagnostics", table(["", ""], pairs(result.diagnostics, ["warnings"]), "Diagnostics")),
    more("Parameters", table(["", ""], pairs(result.parameters), "Parameters")),
    more("Definition of the map", table(["", ""], pairs(result.definition), "Definition")),
    more("Engine", table(["", ""], pairs(result.plan), "Engine")),
    more("Times and memory", table(["", ""], effort, "Times and memory")),
    more("Licences of the libraries on this page", html("pre", { class: "licences", tabindex: 0 }, licences)),
  );
}
