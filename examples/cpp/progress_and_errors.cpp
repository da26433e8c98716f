// How a program follows a long computation, stops it, and answers when something is wrong.
#include <cstdio>
#include <itomap/itomap.hpp>
#include <string>

int main() {
  const itomap::Points points = itomap::Points(itomap::Vector::LinSpaced(500, 0.0, 1.0));

  // Called a few times a second from the calling thread; returning false stops the computation.
  const itomap::Progress show = [](const itomap::ProgressUpdate& update) {
    std::fprintf(stderr, "%s %.0f %%\n", std::string(update.stage).c_str(), 100.0 * update.fraction);
    return true;
  };

  bool refused = false;
  try {
    const auto map = itomap::diffusion_map(points, {.epsilon = -1.0, .execution = {.progress = show}});
  } catch (const itomap::InvalidArgument& error) {  // the call is wrong: the message says what to change
    std::printf("%s\n", error.what());
    refused = true;
  } catch (const itomap::Cancelled&) {  // the callback returned false
  }

  const auto map = itomap::diffusion_map(points, {.epsilon = 1e-4, .execution = {.progress = show}});
  // What is computed from a map runs as the map was made: the callback sees this as well.
  const auto spectrum = itomap::eigenpairs(map, {.count = 5});
  for (const std::string& warning : map.diagnostics().warnings) {
    std::printf("%s\n", warning.c_str());
  }
  return refused && spectrum.status[5] == itomap::PairStatus::Converged ? 0 : 1;
}
