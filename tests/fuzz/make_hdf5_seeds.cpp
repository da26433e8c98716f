// Writes small valid HDF5 files, one for each way of storing, for the fuzz target to start from: make_hdf5_seeds
// DIRECTORY.
#include <hdf5.h>

#include <string>
#include <vector>

namespace {

constexpr double values[] = {1, 2, 3, 4, 5, 6};

struct Seed {
  const char* name;
  const char* path = "x";
  hid_t type = H5T_IEEE_F64LE;
  H5D_layout_t layout = H5D_CONTIGUOUS;
  bool packed = false;
  H5F_libver_t version = H5F_LIBVER_EARLIEST;
};

hid_t layout_of(const Seed& seed) {
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[] = {2, 2};
  H5Pset_layout(properties, seed.layout);
  if (seed.layout == H5D_CHUNKED) {
    H5Pset_chunk(properties, 2, chunk);
  }
  if (seed.packed) {
    H5Pset_shuffle(properties);
  }
  if (seed.packed) {
    H5Pset_deflate(properties, 6);
  }
  return properties;
}

void write(const std::string& directory, const Seed& seed) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(access, seed.version, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate((directory + "/" + seed.name).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  const hid_t folders = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(folders, 1);
  const hsize_t shape[] = {3, 2};
  const hid_t space = H5Screate_simple(2, shape, nullptr);
  const hid_t layout = layout_of(seed);
  const hid_t set = H5Dcreate2(file, seed.path, seed.type, space, folders, layout, H5P_DEFAULT);
  H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
  H5Dclose(set);
  for (const hid_t properties : {access, folders, layout}) {
    H5Pclose(properties);
  }
  H5Sclose(space);
  H5Fclose(file);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    return 1;
  }
  const std::vector<Seed> seeds{
      {.name = "plain"},
      {.name = "folders", .path = "a/b/x"},
      {.name = "single", .type = H5T_IEEE_F32BE, .layout = H5D_COMPACT},
      {.name = "chunks", .layout = H5D_CHUNKED},
      {.name = "packed", .layout = H5D_CHUNKED, .packed = true, .version = H5F_LIBVER_LATEST},
      {.name = "latest", .version = H5F_LIBVER_LATEST},
      {.name = "integers", .type = H5T_STD_I32LE},
  };
  for (const Seed& seed : seeds) {
    write(argv[1], seed);
  }
  return 0;
}
