#include <fmt/format.h>

#include "core/text.hpp"
#include "itomap/generator/map.hpp"

namespace itomap {
namespace {

using detail::plural;
using detail::report_line;

std::string_view title(Method method) {
  switch (method) {
    case Method::DiffusionMap:
      return "Diffusion map";
    case Method::TargetMeasureMap:
      return "Target measure diffusion map (TMDmap)";
    case Method::LocalKernelMap:
      return "Local kernel diffusion map (LKDmap)";
    case Method::BiasedLocalKernelMap:
      break;
  }
  return "Local kernel of Berry and Sauer, without density correction";
}

std::string points_text(const Map& map) {
  const Index dropped = map.diagnostics().dropped_points;
  const bool distances = map.dimension() == 0;
  return fmt::format("{}{}{}", map.input_points(),
                     distances ? ", by their distances" : " in " + plural(map.dimension(), "dimension"),
                     dropped > 0 ? fmt::format(" ({} left out)", dropped) : "");
}

std::string bandwidth_text(const Map& map) {
  return fmt::format("from {:.2g} to {:.3g} of the typical one, in {}", map.bandwidth().minCoeff(),
                     map.bandwidth().maxCoeff(), plural(map.bandwidth_dimension(), "dimension"));
}

}  // namespace

std::string Map::report() const {
  const Diagnostics& d = diagnostics();
  const bool chosen = !d.epsilon_reason.empty();
  std::string text(title(method()));
  text += "\n" + report_line("points", points_text(*this));
  text += report_line("epsilon", fmt::format("{:.6g}{}", epsilon(), chosen ? " (chosen from the data)" : ""));
  if (chosen) {
    text += report_line("", d.epsilon_reason);
  }
  text += report_line("density epsilon", fmt::format("{:.6g}", density_epsilon()));
  if (bandwidth().size() > 0) {
    text += report_line("bandwidth", bandwidth_text(*this));
  }
  text += report_line("kernel", fmt::format("{}, {:.1f} neighbours a point, {}", to_string(plan().engine),
                                            d.mean_neighbours, plural(d.components, "component")));
  if (plan().engine == Engine::Landmarks) {
    text +=
        report_line("landmarks", fmt::format("{}, kernel off by {:.2g} % in mean squared steps, {:.2g} % in sums",
                                             plan().landmarks, 100.0 * plan().step_error, 100.0 * plan().sum_error));
  }
  return text + report_line("dimension", fmt::format("about {:.2g} at this scale", d.intrinsic_dimension));
}

}  // namespace itomap
