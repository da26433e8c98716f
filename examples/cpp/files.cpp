// From a file of points to a result directory and back.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>
#include <vector>

namespace {

// Some points on a line, as another program might leave them behind.
void make_points(const std::string& file, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(std::sin(0.1 * static_cast<double>(i * i)));
  }
  itomap::write_npy(file, values, {count, 1});
}

void compute(const std::string& file) {
  const itomap::Array points = itomap::read_array(file);
  std::printf("%s: %s\n", points.source.c_str(), points.shape_text().c_str());

  const auto map = itomap::diffusion_map(points.cloud(), {.epsilon = 0.01});  // the file itself, not a copy
  const auto spectrum = itomap::eigenpairs(map, {.count = 3});
  itomap::save("files-result", map, spectrum, {.force = true});  // appears whole or not at all
}

}  // namespace

int main() {
  make_points("files-points.npy", 300);
  compute("files-points.npy");

  // The map is built again, to the same bits, and whatever needs one can go on from here.
  const auto [map, spectrum] = itomap::load("files-result");
  std::printf("%td points, t_1 = %.4f\n", map.size(), spectrum.timescales(1));

  // Other programs read the arrays.
  const itomap::Array stationary = itomap::read_array("files-result/stationary.npy");
  std::printf("the weights sum to %.12f\n", stationary.as_vector().sum());
  return map.size() == 300 && std::abs(stationary.as_vector().sum() - 1.0) < 1e-12 ? 0 : 1;
}
