// A page about a map, to look at and to send, and one that leads to it, with the pictures that are named.
//   report [PICTURE.png ...]
#include <cstdio>
#include <itomap/itomap.hpp>
#include <string>

int main(int count, char** words) {
  const auto system = itomap::make_system("double-well", {.beta = 2.0});
  const auto points = itomap::euler_maruyama(system, {.dt = 0.01, .steps = 200000, .thin = 100}).points;
  const auto map = itomap::target_measure_map(points, itomap::log_target_at(system, points), {.epsilon = 0.02});
  const auto spectrum = itomap::eigenpairs(map, {.count = 4});
  if (!itomap::has_report()) {
    std::puts("this build of the library has no report");
    return 0;
  }

  const auto sets = itomap::cluster(map, spectrum, 2);
  const auto bars = itomap::error_bars(map, spectrum, {.blocks = 5});
  itomap::write_report("double_well.html", map, spectrum, {.title = "Double well, beta = 2", .force = true},
                       {.error_bars = &bars, .sets = &sets});

  itomap::GallerySection well{.title = "Double well"};
  well.links = {{.address = "double_well.html", .text = "the report"}};
  well.headings = {"quantity", "value"};
  well.rows = {{.cells = {"sets", "2"}, .met = sets.points.size() == 2},
               {.cells = {"slowest time scale", std::to_string(spectrum.timescales[1])}}};
  for (int k = 1; k < count; ++k) {
    well.pictures.push_back({.file = words[k], .caption = words[k]});
  }
  itomap::write_gallery("wells.html", {.title = "Wells", .sections = {well}}, /*force=*/true);
}
