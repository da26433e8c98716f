// The selected points: how many, which, and as a file that `itomap committor` takes.
import type { Columns } from "../data/columns";
import type { Payload } from "../data/payload";
import { button, dropDown, html } from "../dom";
import { downloadText } from "../export/download";
import { pointsCsv } from "../scatter/export";
import { between, type Selection } from "../scatter/selection";
import { quoted } from "../text/command";
import { columnName, count, percent, plural } from "../text/format";

/// More numbers than anybody reads; the file has all.
const mostListed = 200;

async function selectedNumbers(columns: Columns, selection: Selection): Promise<number[]> {
  const numbers = await columns.numbers();
  return selection.positions().map((i) => numbers[i]!).sort((a, b) => a - b);
}

async function stationaryShare(columns: Columns, selection: Selection): Promise<number | null> {
  if (!columns.info("stationary")) {
    return null;
  }
  const weights = await columns.values("stationary");
  let [all, chosen] = [0, 0];
  const mask = selection.current;
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    if (weight === weight) {
      all += weight;
      chosen += mask && mask[i] ? weight : 0;
    }
  }
  return all > 0 ? chosen / all : null;
}

/// For those who do not use a mouse, and for exact bounds.
function byValue(columns: Columns, selection: Selection): HTMLElement {
  let key = columns.infos[0]!.key;
  const low = html("input", { type: "number", step: "any", "aria-label": "from" });
  const high = html("input", { type: "number", step: "any", "aria-label": "to" });
  const bound = (field: HTMLInputElement, otherwise: number) => (field.value === "" ? otherwise : Number(field.value));
  const select = async (add: boolean) => {
    const mask = between(await columns.values(key), bound(low, -Infinity), bound(high, Infinity));
    if (add) {
      selection.add(mask);
    } else {
      selection.set(mask);
    }
  };
  const choices = columns.infos.map((info) => ({ value: info.key, label: columnName(info) }));
  return html(
    "div",
    { class: "controls" },
    dropDown("Select where", choices, key, (chosen) => (key = chosen)),
    html("label", { class: "field" }, html("span", {}, "from"), low),
    html("label", { class: "field" }, html("span", {}, "to"), high),
    button("select", "Select the points between these bounds", () => void select(false)),
    button("add", "Add them to the selection", () => void select(true)),
  );
}

function committorHint(payload: Payload): HTMLElement {
  const command = `itomap committor --result ${payload.directory ? quoted(payload.directory) : "DIR"} --source source.txt --sink sink.txt`;
  return html("p", { class: "quiet" }, "Two selections, saved as source.txt and sink.txt, are what ", html("code", {}, command), " takes.");
}

export function selectionPanel(payload: Payload, columns: Columns, selection: Selection): HTMLElement {
  const summary = html("p", { class: "selection-summary", "aria-live": "polite" }, "No points selected: draw around them with the lasso, or select by value.");
  const numbers = html("code", { class: "numbers" });
  const save = (name: string) => void selectedNumbers(columns, selection).then((all) => downloadText(name, all.join("\n") + "\n"));
  const actions = html(
    "div",
    { class: "controls", hidden: true },
    button("save as source.txt", "Numbers of the selected points, for committor --source", () => save("source.txt")),
    button("save as sink.txt", "Numbers of the selected points, for committor --sink", () => save("sink.txt")),
    button("save values", "All columns of the selected points", () =>
      void pointsCsv(columns, columns.infos.map((info) => info.key), selection.positions()).then((text) => downloadText("selection.csv", text, "text/csv"))),
    button("clear", "Select nothing", () => selection.set(null)),
  );
  const show = async () => {
    actions.hidden = selection.current === null;
    if (selection.current === null) {
      summary.textContent = "No points selected: draw around them with the lasso, or select by value.";
      numbers.textContent = "";
      return;
    }
    const [all, share] = await Promise.all([selectedNumbers(columns, selection), stationaryShare(columns, selection)]);
    const weight = share === null ? "" : `, ${percent(share)} of the stationary weight`;
    const part = payload.points.shown < payload.points.total ? ` (of the ${count(payload.points.shown)} that are shown)` : "";
    summary.textContent = `${plural(all.length, "point")} selected${part}${weight}:`;
    numbers.textContent = all.slice(0, mostListed).join(", ") + (all.length > mostListed ? ", …" : "");
  };
  selection.changed(() => void show());
  return html("div", { class: "selection" }, html("h3", {}, "Selection"), byValue(columns, selection), summary, numbers, actions, committorHint(payload));
}
