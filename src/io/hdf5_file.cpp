#include "io/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "io/hdf5_handle.hpp"
#include "io/mapped_file.hpp"
#include "io/quote.hpp"
#include "io/shape.hpp"
#include "io/values.hpp"
#include "itomap/core/error.hpp"

namespace itomap::io {
namespace {

Hdf5Handle open_hdf5(const std::string& file, const std::string& name) {
  check_regular(file, name);
  Hdf5Handle handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!handle.valid()) {
    throw IoError(fmt::format("{}: is not a whole HDF5 file ({}); copy or save it again", name, hdf5_error()));
  }
  return handle;
}

std::vector<std::string> dataset_paths(const Hdf5Handle& root) {
  const auto keep = [](hid_t, const char* path, const H5O_info_t* object, void* paths) -> herr_t {
    if (object->type == H5O_TYPE_DATASET)
      static_cast<std::vector<std::string>*>(paths)->push_back("/" + std::string(path));
    return 0;
  };
  std::vector<std::string> paths;
  H5Ovisit2(root.get(), H5_INDEX_NAME, H5_ITER_NATIVE, keep, &paths, H5O_INFO_BASIC);
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string only_dataset(const Hdf5Handle& root, const std::string& file) {
  const std::vector<std::string> paths = dataset_paths(root);
  if (paths.empty()) throw IoError(fmt::format("{}: holds no dataset; save one with h5py or any HDF5 tool", file));
  if (paths.size() > 1) {
    throw IoError(fmt::format("{}: holds several datasets; add one of these paths, as in {}:{}: {}", file, file,
                              paths[0], list_names(paths)));
  }
  return paths[0];
}

Hdf5Handle open_dataset(const Hdf5Handle& root, const std::string& path, const std::string& name) {
  Hdf5Handle dataset(H5Dopen2(root.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (dataset.valid()) return dataset;
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
  if (H5Tget_class(type.get()) == H5T_FLOAT && (size == 4 || size == 8)) return;
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

Array read_dataset(const Hdf5Handle& dataset, const std::string& name) {
  check_type(dataset, name);
  std::vector<std::size_t> shape = shape_of(dataset, name);
  const auto count = count_values(shape);
  if (!count) throw IoError(fmt::format("{}: impossible shape {}", name, shape_text(shape)));
  const std::shared_ptr<double[]> values = new_values(*count, name);
  if (H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.get()) < 0) {
    throw IoError(fmt::format("{}: cannot be read ({}); copy or save it again", name, hdf5_error()));
  }
  return {std::move(shape), {values, values.get()}, name};
}

}  // namespace

Array read_hdf5(const std::string& file, const std::string& path) {
  const Hdf5Silence silence;
  const Hdf5Handle root = open_hdf5(file, path.empty() ? file : file + ":" + path);
  const std::string chosen = path.empty() ? only_dataset(root, file) : path;
  const std::string name = file + ":" + chosen;
  return read_dataset(open_dataset(root, chosen, name), name);
}

}  // namespace itomap::io
