// From a file of points to a result directory and back.
#include <cmath>
#include <cstdio>
#include <itomap/itomap.hpp>
#include <vector>

namespace {

// Some points on a line, as another program might leave them behind.
void make_points(const std::string& file, std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(std::sin(0.1 * static_cast<double>(i * i)));
  itomap::write_npy(file, values, {count, 1});
}

void compute(const std::string& file) {
  const itomap::Array points = itomap::read_array(file);
  std::printf("%s: %s\n", points.source.c_str(), points.shape_text().c_str());

  itomap::OutputDirectory out("files-result", /*force=*/true);  // throws now if it cannot be written later
  const auto map = itomap::diffusion_map(points.as_points(), {.epsilon = 0.01});
  const auto spectrum = itomap::eigenpairs(map, {.count = 3});
  itomap::write_result(out, map, spectrum, {.command = "files", .dimension = points.as_points().cols()});
  out.commit();  // now, and not before, there is a directory files-result
}

}  // namespace

int main() {
  make_points("files-points.npy", 300);
  compute("files-points.npy");

  const itomap::Array stationary = itomap::read_array("files-result/stationary.npy");
  std::printf("the weights sum to %.12f\n", stationary.as_vector().sum());
  return std::abs(stationary.as_vector().sum() - 1.0) < 1e-12 ? 0 : 1;
}
