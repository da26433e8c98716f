#include "itomap/io/distance_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "io/mapped_file.hpp"
#include "io/read_array.hpp"
#include "io/whole_numbers.hpp"
#include "io/zip.hpp"
#include "itomap/core/error.hpp"

namespace itomap {
using namespace detail;
namespace {

/// Whether it is an archive with this array in it.
bool has_member(const std::string& file, std::string_view member) {
  const bool archive = file.ends_with(".npz");
  if (!archive) {
    return false;
  }
  const ZipArchive zip(load_file(file, file, check_zip_start), file);
  return std::find(zip.members().begin(), zip.members().end(), member) != zip.members().end();
}

Distances read_sparse(const std::string& file) {
  const auto shape = whole_numbers<Index>(file + ":shape");
  const Array values = read_array_of(file + ":data", NpyKind::Float);
  auto begin = whole_numbers<Index>(file + ":indptr");
  const bool rows = shape.size() == 2 && Index(begin.size()) == shape[0] + 1;
  if (!rows) {
    throw IoError(
        fmt::format("{}: is not a matrix in CSR format; save it with scipy.sparse.save_npz(.., d.tocsr())", file));
  }
  const auto numbers = values.as_vector();
  return Distances::listed(shape[0], shape[1], std::move(begin), whole_numbers<std::int32_t>(file + ":indices"),
                           {numbers.begin(), numbers.end()});
}

}  // namespace

Distances read_distances(const std::string& file) {
  if (has_member(file, "indptr.npy")) {
    try {
      return read_sparse(file).symmetrised();
    } catch (const InvalidArgument& error) {
      throw IoError(fmt::format("{}: {}", file, error.what()));
    }
  }
  if (has_member(file, "row.npy") && has_member(file, "col.npy")) {
    throw IoError(
        fmt::format("{}: is a matrix in COO format; save it with scipy.sparse.save_npz(.., d.tocsr())", file));
  }
  const Array array = read_array(file);
  if (array.shape.size() != 2) {
    throw IoError(
        fmt::format("{}: is {}; distances are a matrix, one column for each point", file, array.shape_text()));
  }
  return Distances(array.cloud());
}

}  // namespace itomap
