// Metastable sets: a network of rates, a table, and what a molecule looks like in each.
import { drawNetwork, ratesOf } from "../charts/network";
import type { Cluster, Payload } from "../data/payload";
import { html, table } from "../dom";
import { csv, fileName } from "../export/download";
import { figure } from "../export/figure";
import { setColor } from "../scatter/colors";
import { count, formatted, list, percent, subscript } from "../text/format";
import { asideLink, section } from "./section";
import { structures } from "./structures";

function setName(k: number): HTMLElement {
  const patch = html("span", { class: "patch" });
  patch.style.background = setColor(k);
  return html("span", {}, patch, ` ${k}`);
}

function setTable(cluster: Cluster, unit: string): HTMLElement {
  const headings = ["set", "points", "share of time", "a visit lasts", "escape rate"];
  const rows = cluster.points.map((points, k) => [
    setName(k), count(points), percent(cluster.stationary[k] ?? 0), formatted(cluster.exit_times[k] ?? null), formatted(cluster.escape_rates[k] ?? null),
  ]);
  return table(headings, rows, unit ? `The sets; times in ${unit}` : "The sets");
}

export function setsSection(payload: Payload): HTMLElement | null {
  const { cluster } = payload;
  if (!cluster) {
    return payload.structures.length > 0 ? section("sets", "Structures", structures(payload)) : null;
  }
  const soft = cluster.method === "pcca";
  const functions = list(cluster.functions.map((n) => `ψ${subscript(n)}`));
  return section(
    "sets",
    "Sets in which the process stays",
    html(
      "p",
      {},
      `${cluster.points.length} sets by ${soft ? "PCCA+" : "k-means"} from ${functions}. `,
      soft ? "" : "For hard sets like these every crossing of a border counts, also those that turn back at once: rates are upper bounds. ",
      asideLink("sets", "What sets and rates are"),
    ),
    figure({
      name: `${fileName(payload.title || payload.name)}-network`,
      caption: `Circles are sets, as large as their share of time. Arrows are rates: how often, per ${payload.time_unit || "unit of time"}, the process goes that way from within the set it leaves.`,
      draw: (width) => drawNetwork(cluster, width),
      csv: () => csv(["from", "to", "rate"], ratesOf(cluster).map((rate) => [rate.from, rate.to, rate.rate])),
    }),
    setTable(cluster, payload.time_unit),
    structures(payload),
  );
}
