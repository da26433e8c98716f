#include "itomap/io/array_file.hpp"

#include <limits>

#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "io_test.hpp"

namespace itomap::test {
namespace {

class ArrayFileTest : public IoTest {
 protected:
  std::string refusal(const std::string& file) const {
    return error_of([&] { read_array(file); });
  }
};

TEST_F(ArrayFileTest, ViewsOfEveryShape) {
  const Values values = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto with_shape = [&](const Shape& shape) {
    return Array{shape, std::shared_ptr<const double>(std::shared_ptr<void>(), values.data()), ""};
  };
  const Array scalar = with_shape({}), vector = with_shape({8}), matrix = with_shape({4, 2}),
              tensor = with_shape({2, 2, 2});
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ(scalar.as_points()(0, 0), 1);
  EXPECT_EQ(scalar.shape_text(), "scalar");
  EXPECT_EQ(vector.as_points().rows(), 8);
  EXPECT_EQ(vector.as_points().cols(), 1);
  EXPECT_EQ(vector.shape_text(), "8");
  EXPECT_EQ(matrix.as_points()(1, 0), 3);
  EXPECT_EQ(matrix.shape_text(), "4 x 2");
  EXPECT_EQ(tensor.as_points().cols(), 4);
  EXPECT_EQ(tensor.as_points()(1, 3), 8);
  EXPECT_EQ(tensor.as_vector().sum(), 36);
}

TEST_F(ArrayFileTest, ExtensionsInAnyCase) {
  EXPECT_EQ(read_array(write("A.CSV", "1\n2\n")).shape, Shape{2});
  EXPECT_EQ(read_array(write("A.Npy", npy(npy_dictionary("(1,)"), doubles({1})))).shape, Shape{1});
}

TEST_F(ArrayFileTest, MissingFiles) {
  EXPECT_EQ(refusal(path("a.npy")), path("a.npy") + ": no such file; check the path");
  EXPECT_EQ(refusal(path("a.npz:x")), path("a.npz:x") + ": no such file; check the path");
  EXPECT_EQ(refusal(path("a.h5:/x")), path("a.h5:/x") + ": no such file; check the path");
  EXPECT_EQ(refusal(path("a.dat")), path("a.dat") + ": no such file; check the path");
}

TEST_F(ArrayFileTest, Directories) {
  for (const char* name : {"a.npy", "a.h5", "plain"}) {
    std::filesystem::create_directory(path(name));
    EXPECT_EQ(refusal(path(name)), path(name) + ": is a directory; name a file in it");
  }
}

TEST_F(ArrayFileTest, UnknownExtensions) {
  const std::string known = "; known are .npy, .npz, .csv, .tsv, .txt, .h5, .hdf5";
  EXPECT_EQ(refusal(write("a.dat", "1")), path("a.dat") + ": unknown file type '.dat'" + known);
  EXPECT_EQ(refusal(write("points", "1")), path("points") + ": unknown file type ''" + known);
}

TEST_F(ArrayFileTest, UnreadableFiles) {
  std::filesystem::create_symlink("loop.npy", path("loop.npy"));
  EXPECT_EQ(refusal(path("loop.npy")), path("loop.npy") + ": cannot be read: Too many levels of symbolic links");
}

TEST_F(ArrayFileTest, ForbiddenFiles) {
  const std::string file = write("a.npy", "");
  ::chmod(file.c_str(), 0);
  constexpr uid_t nobody = 65534;  // root may read everything, so become somebody else for a moment
  const bool root = ::geteuid() == 0;
  if (root && ::seteuid(nobody) != 0) {
    GTEST_SKIP() << "root that cannot become somebody else";
  }
  const std::string text = refusal(file);
  ASSERT_EQ(root ? ::seteuid(0) : 0, 0);
  EXPECT_EQ(text, file + ": cannot be read: Permission denied");
}

TEST_F(ArrayFileTest, KeysOnlyWhereTheyMeanSomething) {
  write("a.npy", npy(npy_dictionary("(1,)"), doubles({1})));
  EXPECT_EQ(refusal(path("a.npy:x")), path("a.npy:x") + ": " + path("a.npy") + " holds a single array; leave out ':x'");
}

TEST_F(ArrayFileTest, AFileWithAColonInItsNameWins) {
  EXPECT_EQ(read_array(write("a.npz:b.csv", "1\n2\n3\n")).shape, Shape{3});
}

TEST_F(ArrayFileTest, NamedPipes) {
  const std::string pipe = path("pipe.csv");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "1,2\n" << std::string(20000, ' ') << "\n3,4\n"; });
  EXPECT_EQ(values_of(read_array(pipe)), (Values{1, 2, 3, 4}));
  writer.join();
}

TEST(ArrayFile, FiniteNamesThePlace) {
  const auto values = std::make_shared<std::vector<double>>(std::vector{1.0, 2.0, 3.0, 4.0});
  const Array array{{2, 2}, {values, values->data()}, "x.npy"};
  EXPECT_NO_THROW(check_finite(array));
  (*values)[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of([&] { check_finite(array); }),
            "x.npy: inf in row 1, column 1 (counted from 0); mend or remove that row");
}

}  // namespace
}  // namespace itomap::test
