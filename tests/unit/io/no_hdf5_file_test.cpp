#include "io_test.hpp"

namespace itomap::test {
namespace {

class NoHdf5Test : public IoTest {};

TEST_F(NoHdf5Test, SaysWhatToDo) {
  const std::string file = write("a.h5", "whatever");
  EXPECT_EQ(
      error_of([&] { read_array(file + ":/x"); }),
      file + ":/x: this itomap was built without HDF5; save the array as .npy, or build with -DITOMAP_WITH_HDF5=ON");
}

TEST_F(NoHdf5Test, ThatAFileIsMissingComesFirst) {
  EXPECT_EQ(error_of([&] { read_array(path("a.h5")); }), path("a.h5") + ": no such file; check the path");
}

}  // namespace
}  // namespace itomap::test
