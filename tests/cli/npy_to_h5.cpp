// Writes the array of an .npy file into a new HDF5 file: npy_to_h5 IN.npy OUT.h5 NAME. For tests; h5py is not needed.
#include <hdf5.h>

#include <cstdio>
#include <vector>

#include "itomap/io/array_file.hpp"

int main(int argc, char** argv) {
  if (argc != 4) {
    return 1;
  }
  const auto array = itomap::read_array(argv[1]);
  const std::vector<hsize_t> shape(array.shape.begin(), array.shape.end());
  const hid_t file = H5Fcreate(argv[2], H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr);
  const hid_t set = H5Dcreate2(file, argv[3], H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const bool written = H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.data.get()) >= 0;
  H5Dclose(set);
  H5Sclose(space);
  return H5Fclose(file) >= 0 && written ? 0 : 1;
}
