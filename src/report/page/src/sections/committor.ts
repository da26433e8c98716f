// From source to sink: committor, flux and times.
import { drawHistogram } from "../charts/histogram";
import type { Estimate, Maybe, Payload } from "../data/payload";
import { html, table } from "../dom";
import { csv, fileName } from "../export/download";
import { figure } from "../export/figure";
import { formatted, plural, withError } from "../text/format";
import { asideLink, section } from "./section";

/// At the ε of the result, and at ε = 0 where there are error bars.
function both(value: Maybe, estimate: Estimate | undefined): string {
  return estimate ? `${formatted(value)}; at ε = 0 ${withError(estimate.extrapolated, estimate.error)}` : formatted(value);
}

export function committorSection(payload: Payload): HTMLElement | null {
  const { committor, committor_histogram: histogram } = payload;
  if (!committor || !histogram) {
    return null;
  }
  const bins = histogram.weight.length;
  const name = fileName(payload.title || payload.name);
  const numbers = (values: readonly number[]) => values.map((value, k) => [k / bins, (k + 1) / bins, value]);
  const bars = committor.error_bars;
  const { inverse_rates: inverse, passage_times: times } = committor;
  const rows = [
    ["from source to sink", both(committor.rate, bars?.rate), formatted(inverse.source_to_sink), both(times.source_to_sink, bars?.passage_times.source_to_sink)],
    ["from sink to source", both(committor.reverse_rate, bars?.reverse_rate), formatted(inverse.sink_to_source), both(times.sink_to_source, bars?.passage_times.sink_to_source)],
  ];
  return section(
    "committor",
    "From source to sink",
    html(
      "p",
      {},
      `${plural(committor.source_points, "source point")}, ${plural(committor.sink_points, "sink point")}; ${both(committor.flux, bars?.flux)} passages per ${payload.time_unit || "unit of time"}. Colour the points by committor or flux to see where the way is decided. `,
      asideLink("committor", "What committor and flux are"),
    ),
    table(["", "rate", "1 / rate: from entering the one to entering the other", "mean time from within"], rows, payload.time_unit ? `Passages; times in ${payload.time_unit}` : "Passages"),
    figure({
      name: `${name}-committor`,
      caption: "How much of its time the process spends at each committor. Little in the middle means two states with a barrier between them.",
      draw: (width) => drawHistogram({ values: histogram.weight, label: "share of time", logarithmic: true, className: "histogram" }, width),
      csv: () => csv(["from", "to", "weight"], numbers(histogram.weight)),
    }),
    figure({
      name: `${name}-flux`,
      caption: "A check: every level of the committor is crossed by the same passages, so all bars should be about as high as the line. Where they scatter, points are few.",
      draw: (width) => drawHistogram({ values: histogram.flux, label: "share of the flux", logarithmic: false, className: "histogram flux", level: 1 / bins }, width),
      csv: () => csv(["from", "to", "flux"], numbers(histogram.flux)),
    }),
  );
}
