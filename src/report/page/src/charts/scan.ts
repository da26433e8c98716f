// The scan of scales: time scales at each epsilon, and the epsilon that was taken.
import type { Maybe, Scale } from "../data/payload";
import { svg } from "../dom";
import { plateauRows } from "../text/checks";
import { formatted, subscript } from "../text/format";
import { frame, margins, padded } from "./axes";
import { timeLabel } from "./timescales";
import { dot, legend, legendHeight, line, verticalLine, type LegendEntry } from "./marks";

function isTime(value: Maybe | undefined): value is number {
  return value !== null && value !== undefined && value > 0;
}

export function drawScan(scale: Scale, epsilon: number, unit: string, width: number): SVGSVGElement {
  const modes = Math.max(0, ...scale.scan.map((row) => row.timescales.length));
  const times = scale.scan.flatMap((row) => row.timescales).filter(isTime);
  const entries = Array.from({ length: modes }, (_, n): LegendEntry => ({ className: `series${n % 8}`, shape: "dot", label: `t${subscript(n + 1)}` }));
  const above = legendHeight(width, entries);
  const chart = frame(
    width,
    300 + above,
    { label: "ε", domain: padded([epsilon, ...scale.scan.map((row) => row.epsilon)], 0.04, true), logarithmic: true },
    { label: timeLabel(unit), domain: padded(times, 0.12, true), logarithmic: true },
    { ...margins, top: margins.top + above },
  );
  const level = plateauRows(scale).map((row) => chart.x(row.epsilon));
  if (level.length > 0) {
    const [left, right] = [Math.min(...level), Math.max(...level)];
    chart.area.insertBefore(
      svg("rect", { class: "usable", x: left - 5, width: right - left + 10, y: 0, height: chart.height }),
      chart.area.firstChild,
    );
  }
  for (let n = 0; n < modes; n++) {
    const points = scale.scan
      .map((row) => [row.epsilon, row.timescales[n]] as const)
      .filter((point): point is readonly [number, number] => isTime(point[1]));
    line(chart, points, `curve series${n % 8}`);
    for (const [x, y] of points) {
      dot(chart, x, y, `series${n % 8}`, `t${subscript(n + 1)} = ${formatted(y)} at ε = ${formatted(x, 3)}`, 3);
    }
  }
  verticalLine(chart, epsilon, "choice", `ε = ${formatted(epsilon, 3)} of this result`);
  legend(chart, entries);
  chart.drawing.setAttribute("aria-label", "Time scales over the scale epsilon");
  return chart.drawing;
}
