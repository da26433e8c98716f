// Eigenvalues in the complex plane: how fast a mode decays, and how fast it turns.
import type { Complex, Result } from "../data/payload";
import { formatted } from "../text/format";
import { frame, padded } from "./axes";
import { cross, dot, line } from "./marks";

function title(n: number, [re, im]: Complex): string {
  const sign = im < 0 ? "−" : "+";
  return `λ of mode ${n}: ${formatted(re)}${im === 0 ? "" : ` ${sign} ${formatted(Math.abs(im))} i`}`;
}

export function drawPlane(result: Result, width: number): SVGSVGElement {
  const values = result.eigenvalues;
  const chart = frame(
    width,
    320,
    { label: "Re λ: decays faster to the left", domain: padded([0, ...values.map(([re]) => re)], 0.06) },
    { label: "Im λ: turns", domain: padded(values.flatMap(([, im]) => [im, -im]), 0.12) },
  );
  const [low, high] = chart.x.domain() as [number, number];
  line(chart, [[low, 0], [high, 0]], "axis-line");
  values.forEach((value, n) => {
    const mark = result.spurious.includes(n) ? cross : dot;
    const className = result.spurious.includes(n) ? "spurious" : n === 0 ? "zero" : value[1] === 0 ? "paper" : "limit";
    mark(chart, value[0], value[1], className, title(n, value));
    // The list of a result may end within a pair.
    if (n === values.length - 1 && value[1] > 0) {
      mark(chart, value[0], -value[1], className, title(n, [value[0], -value[1]]));
    }
  });
  chart.drawing.setAttribute("aria-label", `Eigenvalues of ${values.length} modes in the complex plane`);
  return chart.drawing;
}
