// How much lies at each committor from 0 to 1.
import { svg } from "../dom";
import { formatted, percent } from "../text/format";
import { frame } from "./axes";
import { line } from "./marks";

export interface HistogramParts {
  values: readonly number[];
  label: string;
  /// Shares of the sum, on a linear or a logarithmic axis.
  logarithmic: boolean;
  className: string;
  /// A share to compare with.
  level?: number;
}

export function drawHistogram(parts: HistogramParts, width: number): SVGSVGElement {
  const total = parts.values.reduce((sum, value) => sum + Math.max(0, value), 0) || 1;
  const shares = parts.values.map((value) => Math.max(0, value) / total);
  const largest = Math.max(...shares, parts.level ?? 0, 1e-12);
  const smallest = Math.min(...shares.filter((share) => share > 0), largest);
  const bottom = parts.logarithmic ? Math.max(smallest / 1.5, largest * 1e-8) : 0;
  const chart = frame(
    width,
    240,
    { label: "committor: chance to reach the sink first", domain: [0, 1] },
    { label: parts.label, domain: [bottom, largest * (parts.logarithmic ? 2 : 1.08)], logarithmic: parts.logarithmic },
  );
  shares.forEach((share, k) => {
    if (share <= bottom) {
      return;
    }
    const [from, to] = [k / shares.length, (k + 1) / shares.length];
    const top = chart.y(share);
    chart.area.append(
      svg(
        "rect",
        { class: parts.className, x: chart.x(from) + 0.5, width: Math.max(1, chart.x(to) - chart.x(from) - 1), y: top, height: chart.height - top },
        svg("title", {}, `committor ${formatted(from, 3)} to ${formatted(to, 3)}: ${percent(share)}`),
      ),
    );
  });
  if (parts.level !== undefined) {
    line(chart, [[0, parts.level], [1, parts.level]], "level");
  }
  chart.drawing.setAttribute("aria-label", parts.label);
  return chart.drawing;
}
