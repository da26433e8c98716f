// The scan of scales, where the result directory has one.
import { drawScan } from "../charts/scan";
import type { Maybe, Payload } from "../data/payload";
import { html } from "../dom";
import { csv, fileName } from "../export/download";
import { figure } from "../export/figure";
import { meaningLink, section } from "./section";

export function scanSection(payload: Payload): HTMLElement | null {
  const { scale, result } = payload;
  if (!scale || scale.scan.length === 0) {
    return null;
  }
  const modes = Math.max(...scale.scan.map((row) => row.timescales.length));
  const headings = ["epsilon", ...Array.from({ length: modes }, (_, n) => `t_${n + 1}`), "bias", "few_points_bias", "noise", "neighbours", "components", "usable"];
  const rows = scale.scan.map((row): Maybe[] => [
    row.epsilon, ...Array.from({ length: modes }, (_, n) => row.timescales[n] ?? null), row.bias, row.few_points_bias, row.noise,
    row.neighbours, row.components, row.usable ? 1 : 0,
  ]);
  return section(
    "scale",
    "The scale ε",
    figure({
      name: `${fileName(payload.title || payload.name)}-scales`,
      caption: html(
        "span",
        {},
        "Time scales at other scales ε. Where the lines are level, the choice of ε does not matter: ",
        meaningLink("epsilon", "the plateau"),
        `. Shaded: scales whose expected error is at most twice the smallest. The scan recommends ε = ${scale.epsilon.toPrecision(3)}: ${scale.reason}.`,
      ),
      draw: (width) => drawScan(scale, result.epsilon, payload.time_unit, width),
      csv: () => csv(headings, rows),
    }),
  );
}
