// What was computed, in short: the answer, whether to trust it, and how to repeat it.
import type { Payload } from "../data/payload";
import { button, html } from "../dom";
import { checksOf, warningsOf, type Check, type Warning } from "../text/checks";
import { commandOf } from "../text/command";
import { count, formatted, plural, seconds } from "../text/format";
import { methodName, slowSentences, subject } from "../text/summary";
import { isDark, setTheme } from "../theme";
import { asideLink } from "./section";

const marks: Record<Check["level"], string> = { good: "✓", note: "!", warning: "▲" };
const spoken: Record<Check["level"], string> = { good: "fine", note: "note", warning: "warning" };

const commands = /(itomap [a-z]+ --[a-z-]+ \S+[^\s.,]|--[a-z-]+(?: (?:\d+|bistochastic))?)/;

/// What a reader would type looks so, and is not broken in two.
function withCommands(text: string): (string | Node)[] {
  return text.split(commands).map((part, k) => (k % 2 === 1 ? html("code", { class: "typed" }, part) : part));
}

function checkLine(check: Check): HTMLElement {
  return html(
    "li",
    { class: check.level },
    html("span", { class: "mark", role: "img", "aria-label": spoken[check.level] }, marks[check.level]),
    html("span", {}, ...withCommands(check.text), " ", asideLink(check.meaning, "what it means")),
  );
}

function verdict(checks: readonly Check[], warnings: readonly Warning[]): string {
  const bad = checks.filter((check) => check.level === "warning").length;
  const notes = checks.filter((check) => check.level === "note").length;
  if (bad > 0) {
    return `Not without care: ${plural(bad, "check")} ${bad === 1 ? "fails" : "fail"}.`;
  }
  if (warnings.length > 0) {
    return "With the warnings above in mind: no check fails.";
  }
  return notes > 0 ? `Yes, as far as it was looked at: no check fails, ${notes === 1 ? "one is" : `${notes} are`} open.` : "Yes: all checks are passed.";
}

function fact(term: string, text: string | Node | null): Node[] {
  return text === null ? [] : [html("dt", {}, term), html("dd", {}, text)];
}

const engines: Record<string, string> = {
  sparse: "sparse: the kernel matrix is stored",
  dense: "dense: the kernel is computed anew in every product",
  grid: "grid: fast Gauss transform",
  landmarks: "landmarks: the kernel through a sample of the points",
};

function parameters(payload: Payload): string {
  const { definition } = payload.result;
  const shown = ["alpha", "eta", "density_epsilon"].filter((key) => typeof definition[key] === "number");
  return shown.map((key) => `${key.replace("_", " ")} ${formatted(definition[key] as number)}`).join(", ");
}

const normalizations: Record<string, string> = {
  paper: "as published: nothing is corrected where the data ends",
  bistochastic: "bistochastic: reflects the process where the data ends",
};

const steps: Record<string, string> = {
  euler: "Euler: by the drift where it begins",
  heun: "Heun: by the mean of the drifts where it begins and where it ends",
};

/// A choice of the definition in words; none where the method has no such choice.
function choice(payload: Payload, key: string, words: Record<string, string>): string | null {
  const value = payload.result.definition[key];
  return typeof value === "string" ? (words[value] ?? value) : null;
}

function facts(payload: Payload): HTMLElement {
  const { result } = payload;
  const source = result.parameters["points"] || result.parameters["distances"];
  const time = Object.values(result.seconds).reduce((sum, part) => sum + part, 0);
  const extra = parameters(payload);
  const size = result.dimension > 0 ? `${count(result.points)} points, ${plural(result.dimension, "coordinate")}` : `${count(result.points)} points, known by their distances`;
  return html(
    "dl",
    { class: "facts" },
    ...fact("Method", methodName(result)),
    ...fact("Data", typeof source === "string" && source ? `${source}: ${size}` : size),
    ...fact("Scale ε", `${formatted(result.epsilon)}${result.epsilon_reason ? ` (${result.epsilon_reason})` : ""}${extra ? `, ${extra}` : ""}`),
    ...fact("Normalization", choice(payload, "normalization", normalizations)),
    ...fact("A step goes", choice(payload, "step", steps)),
    ...fact("Engine", engines[result.engine] ?? result.engine),
    ...fact("Time", time > 0 ? `${seconds(time)}, ${count(result.matvecs)} products with the kernel` : `${count(result.matvecs)} products with the kernel`),
    ...fact("Version", `itomap ${result.version}${payload.version === result.version ? "" : ` (page by ${payload.version})`}`),
  );
}

function repeat(payload: Payload): HTMLElement {
  const command = commandOf(payload.result);
  if (!command) {
    return html("p", { class: "quiet" }, "Saved by a program: there is no command to repeat it.");
  }
  const code = html("code", {}, command);
  const copy = button("copy", "Copy the command", () => {
    void navigator.clipboard?.writeText(command).catch(() => undefined);
    getSelection()?.selectAllChildren(code);
  });
  return html("div", { class: "command" }, html("span", { class: "quiet" }, "To repeat it"), html("pre", { tabindex: 0 }, code), copy);
}

export function themeButton(): HTMLButtonElement {
  const element = button("", "Light or dark", () => {
    setTheme(isDark() ? "light" : "dark");
    show();
  });
  element.className = "theme";
  const show = () => (element.textContent = isDark() ? "light" : "dark");
  show();
  return element;
}

function slowCard(payload: Payload): HTMLElement {
  return html(
    "div",
    { class: "card" },
    html("h2", {}, "What is slow?"),
    ...slowSentences(payload).map((text) => html("p", { class: "answer" }, text)),
    html("p", { class: "quiet aside" }, asideLink("timescale", "What a time scale is"), " · ", asideLink("eigenfunction", "what ψ is"), " · ", asideLink("gap", "what the gap says")),
  );
}

function warningBox(warnings: readonly Warning[]): HTMLElement {
  const entries = warnings.map((warning) => {
    const line = checkLine(warning);
    line.lastElementChild!.append(...warning.lines.map((text) => html("span", { class: "quiet program" }, text)));
    return line;
  });
  return html("div", { class: "warnings" }, html("h2", {}, plural(warnings.length, "warning")), html("ul", { class: "checks" }, ...entries));
}

export function header(payload: Payload): HTMLElement {
  const checks = checksOf(payload);
  const warnings = warningsOf(payload, checks);
  const order = { warning: 0, note: 1, good: 2 };
  const sorted = [...checks].sort((a, b) => order[a.level] - order[b.level]);
  const title = payload.title || payload.name || "Result";
  return html(
    "header",
    {},
    html("div", { class: "top" }, html("span", { class: "brand" }, "itomap report"), themeButton()),
    html("h1", {}, title),
    html("p", { class: "subject" }, subject(payload.result)),
    warnings.length > 0 ? warningBox(warnings) : null,
    html(
      "div",
      { class: "answers" },
      html("div", { class: "column" }, slowCard(payload), html("div", { class: "card" }, html("h2", {}, "What was computed?"), facts(payload))),
      html("div", { class: "card" }, html("h2", {}, "Can I trust it?"), html("p", { class: "answer" }, verdict(checks, warnings)), html("ul", { class: "checks" }, ...sorted.map(checkLine))),
    ),
    repeat(payload),
  );
}
