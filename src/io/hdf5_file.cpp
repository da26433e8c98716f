#include "io/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <vector>

#include "io/hdf5_handle.hpp"
#include "io/mapped_file.hpp"
#include "io/quote.hpp"
#include "io/run_apart.hpp"
#include "io/shape.hpp"
#include "io/values.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

Hdf5Handle open_hdf5(const std::string& file, const std::string& name) {
  Hdf5Handle handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!handle.valid()) {
    throw IoError(fmt::format("{}: is not a whole HDF5 file ({}); copy or save it again", name, hdf5_error()));
  }
  return handle;
}

std::vector<std::string> dataset_paths(const Hdf5Handle& root) {
  const auto keep = [](hid_t, const char* path, const H5O_info_t* object, void* paths) -> herr_t {
    if (object->type == H5O_TYPE_DATASET) {
      static_cast<std::vector<std::string>*>(paths)->push_back("/" + std::string(path));
    }
    return 0;
  };
  std::vector<std::string> paths;
  H5Ovisit2(root.get(), H5_INDEX_NAME, H5_ITER_NATIVE, keep, &paths, H5O_INFO_BASIC);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string only_dataset(const Hdf5Handle& root, const std::string& file) {
  const std::vector<std::string> paths = dataset_paths(root);
  if (paths.empty()) {
    throw IoError(fmt::format("{}: holds no dataset; save one with h5py or any HDF5 tool", file));
  }
  if (paths.size() > 1) {
    throw IoError(fmt::format("{}: holds several datasets; add one of these paths, as in {}:{}: {}", file, file,
                              paths[0], list_names(paths)));
  }
  return paths[0];
}

Hdf5Handle open_dataset(const Hdf5Handle& root, const std::string& path, const std::string& name) {
  Hdf5Handle dataset(H5Dopen2(root.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset.valid()) {
    return dataset;
  }
  const std::string reason = hdf5_error();
  const std::vector<std::string> paths = dataset_paths(root);
  const std::string absolute = path.starts_with('/') ? path : "/" + path;
  if (std::find(paths.begin(), paths.end(), absolute) != paths.end()) {
    throw IoError(fmt::format("{}: cannot be opened ({}); copy or save it again", name, reason));
  }
  throw IoError(fmt::format("{}: no such dataset; the file has {}", name, paths.empty() ? "none" : list_names(paths)));
}

std::string type_name(const Hdf5Handle& type) {
  const std::size_t bits = 8 * H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
      return fmt::format("{}{}", H5Tget_sign(type.get()) == H5T_SGN_NONE ? "uint" : "int", bits);
    case H5T_FLOAT:
      return fmt::format("float{}", bits);
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "compound values (complex numbers or records)";
    case H5T_ENUM:
      return "enumerated values (booleans)";
    case H5T_ARRAY:
    case H5T_VLEN:
      return "arrays of arrays";
    case H5T_REFERENCE:
      return "references";
    default:
      return "values of an unknown type";
  }
}

void check_type(const Hdf5Handle& dataset, const std::string& name) {
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const std::size_t size = H5Tget_size(type.get());
  if (H5Tget_class(type.get()) == H5T_FLOAT && (size == 4 || size == 8)) {
    return;
  }
  throw IoError(
      fmt::format("{}: holds {}, not float64 or float32; save it converted to float64", name, type_name(type)));
}

std::vector<std::size_t> shape_of(const Hdf5Handle& dataset, const std::string& name) {
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank < 0 || H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    throw IoError(fmt::format("{}: is an empty dataset; save it with values", name));
  }
  if (rank > static_cast<int>(most_dimensions)) {
    throw IoError(fmt::format("{}: has {} axes, at most {} have a meaning; reshape it", name, rank, most_dimensions));
  }
  std::vector<hsize_t> lengths(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr);
  return {lengths.begin(), lengths.end()};
}

// The library believes the shape and reads on behind values that lie in one piece. None are stored if all are alike.
void check_storage(const Hdf5Handle& dataset, const std::vector<std::size_t>& shape, const std::string& name) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS) {
    return;
  }
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
  const std::size_t expected = count_values(shape).value_or(0) * H5Tget_size(type.get());
  const hsize_t stored = H5Dget_storage_size(dataset.get());
  if (stored != 0 && stored != expected) {
    throw IoError(fmt::format("{}: damaged: {} bytes of data expected for {}, {} found; copy or save it again", name,
                              expected, shape_text(shape), stored));
  }
}

/// What a child process says of a dataset: where it is and how large, or why it is refused.
struct Answer {
  bool refused;
  std::size_t rank;
  std::size_t lengths[most_dimensions];
  char text[1 << 14];  // path or reason

  void set_text(const std::string& content) {
    const std::size_t length = std::min(content.size(), sizeof(text) - 1);
    std::memcpy(text, content.data(), length);
    text[length] = '\0';
  }
};

void describe(const std::string& file, const std::string& path, Answer& answer) {
  const Hdf5Handle root = open_hdf5(file, path.empty() ? file : file + ":" + path);
  const std::string chosen = path.empty() ? only_dataset(root, file) : path;
  const std::string name = file + ":" + chosen;
  const Hdf5Handle dataset = open_dataset(root, chosen, name);
  check_type(dataset, name);
  const std::vector<std::size_t> shape = shape_of(dataset, name);
  check_storage(dataset, shape, name);
  answer.rank = shape.size();
  std::copy(shape.begin(), shape.end(), answer.lengths);
  answer.set_text(chosen);
}

void fill(const std::string& file, const std::string& path, double* values) {
  const std::string name = file + ":" + path;
  const Hdf5Handle root = open_hdf5(file, name);
  const Hdf5Handle dataset = open_dataset(root, path, name);
  if (H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
    throw IoError(fmt::format("{}: cannot be read ({}); copy or save it again", name, hdf5_error()));
  }
}

/// The library crashes on some files that are damaged, or never ends.
template <class Work>
std::shared_ptr<Answer> ask_child(const Work& work, std::size_t bytes, const std::string& name) {
  constexpr std::size_t bytes_per_second = 1000000;  // much to unpack
  const auto answer = std::static_pointer_cast<Answer>(shared_memory(sizeof(Answer)));
  const auto careful = [&] {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    try {
      work(*answer);
    } catch (const IoError& error) {
      answer->refused = true;
      answer->set_text(error.what());
    }
  };
  if (!run_apart(careful, unsigned(10 + bytes / bytes_per_second))) {
    throw IoError(fmt::format("{}: is damaged, the HDF5 library fails on it; copy or save it again", name));
  }
  if (answer->refused) {
    throw IoError(answer->text);
  }
  return answer;
}

}  // namespace

std::string hdf5_library() { return fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE); }

Array read_hdf5(const std::string& file, const std::string& path) {
  const std::string wanted = path.empty() ? file : file + ":" + path;
  check_regular(file, wanted);
  std::error_code unknown;
  const auto found = std::filesystem::file_size(file, unknown);
  const std::size_t packed = unknown ? 0 : found;
  const auto answer = ask_child([&](Answer& given) { describe(file, path, given); }, packed, wanted);
  const std::string chosen = answer->text;
  const std::string name = file + ":" + chosen;
  std::vector<std::size_t> shape(answer->lengths, answer->lengths + std::min(answer->rank, most_dimensions));
  const auto count = count_values(shape);
  if (!count) {
    throw IoError(fmt::format("{}: impossible shape {}", name, shape_text(shape)));
  }
  require_memory(*count * sizeof(double), name);
  const auto values = std::static_pointer_cast<double>(shared_memory(*count * sizeof(double)));
  ask_child([&](Answer&) { fill(file, chosen, values.get()); }, packed + *count * sizeof(double), name);
  return {std::move(shape), values, name};
}

}  // namespace itomap::detail
