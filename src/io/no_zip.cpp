#include <fmt/format.h>

#include <utility>

#include "io/zip.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

[[noreturn]] void refuse_zip(const std::string& name) {
  throw IoError(fmt::format(
      "{}: this itomap was built without libzip; save the array as .npy, or build with -DITOMAP_WITH_ZIP=ON", name));
}

}  // namespace

const char* zip_library() { return "none"; }

void check_zip_start(Bytes, const std::string& archive_name) { refuse_zip(archive_name); }

void ZipArchive::Close::operator()(::zip*) const {}

ZipArchive::ZipArchive(SharedBytes file, std::string name) : file_(std::move(file)), name_(std::move(name)) {
  refuse_zip(name_);
}

SharedBytes ZipArchive::unpack(std::size_t) const { refuse_zip(name_); }

}  // namespace itomap::detail
