#include "itomap/io/build_info.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include "core/context.hpp"
#include "core/instruction_set.hpp"
#include "core/memory.hpp"
#include "io/hdf5_file.hpp"
#include "io/zip.hpp"
#include "itomap/core/version.hpp"
#include "itomap/kernel/kernel_options.hpp"
#include "kernel/grid/fft.hpp"

namespace itomap {
namespace {

std::string numbered(int major, int minor, int patch) { return fmt::format("{}.{}.{}", major, minor, patch); }

std::string compiler() {
#if defined(__clang__)
  return "clang " + numbered(__clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return "gcc " + numbered(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

}  // namespace

BuildInfo build_info() {
  BuildInfo info;
  info.version = version();
  for (const Engine engine : {Engine::Sparse, Engine::Grid, Engine::Dense, Engine::Landmarks}) {
    info.engines.emplace_back(to_string(engine));
  }
  info.threads = detail::current_threads();
  info.simd = detail::simd_level();
  info.available_memory = detail::available_memory_bytes();
  info.compiler = compiler();
  info.libraries = {{"Eigen", numbered(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
                    {"HDF5", detail::hdf5_library()},
                    {"libzip", detail::zip_library()},
                    {"FFT", detail::fft_library()},
                    {"fmt", numbered(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
                    {"nlohmann_json",
                     numbered(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
  return info;
}

}  // namespace itomap
