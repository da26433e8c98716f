#include "itomap/io/trajectory_file.hpp"

#include "io_test.hpp"

namespace itomap {
namespace {

class TrajectoryFile : public test::IoTest {
 protected:
  static std::string floats(Index count) {
    std::string bytes;
    for (Index k = 0; k < count; ++k) {
      bytes += test::little(float(k) / 4);
    }
    return bytes;
  }
  static Points frames_of(const Trajectory& run, Index begin, Index end) {
    Points storage;
    return run.block(begin, end, storage);
  }
};

TEST_F(TrajectoryFile, ReadsFloat32BlockByBlock) {
  const auto file = write("run.npy", test::npy(test::npy_dictionary("<f4", false, "(5, 2)"), floats(10)));
  const Trajectory run = open_trajectory(file);
  EXPECT_EQ(run.frames(), 5);
  EXPECT_EQ(run.dimension(), 2);
  EXPECT_EQ(run.name(), file);
  EXPECT_EQ(frames_of(run, 1, 3), (Points(2, 2) << 0.5, 0.75, 1.0, 1.25).finished());
}

TEST_F(TrajectoryFile, ReadsSwappedAndFortranFloat32) {
  std::string big;
  for (Index k = 0; k < 4; ++k) {
    big += test::big(float(k));
  }
  const auto swapped = open_trajectory(write("a.npy", test::npy(test::npy_dictionary(">f4", false, "(2, 2)"), big)));
  EXPECT_EQ(frames_of(swapped, 1, 2), (Points(1, 2) << 2.0, 3.0).finished());
  const auto fortran =
      open_trajectory(write("b.npy", test::npy(test::npy_dictionary("<f4", true, "(2, 2)"), floats(4))));
  EXPECT_EQ(frames_of(fortran, 1, 2), (Points(1, 2) << 0.25, 0.75).finished());
}

TEST_F(TrajectoryFile, FlattensAtoms) {
  const auto file = write("run.npy", test::npy(test::npy_dictionary("<f4", false, "(2, 4, 3)"), floats(24)));
  const Trajectory run = open_trajectory(file);
  EXPECT_EQ(run.frames(), 2);
  EXPECT_EQ(run.dimension(), 12);
  EXPECT_EQ(frames_of(run, 1, 2)(0, 11), 23.0 / 4);
}

TEST_F(TrajectoryFile, ReadsTheOtherFormats) {
  const Trajectory text = open_trajectory(write("run.csv", "1,2\n3,4\n5,6\n"));
  EXPECT_EQ(frames_of(text, 1, 3), (Points(2, 2) << 3.0, 4.0, 5.0, 6.0).finished());
  const std::vector<double> values{1.0, 2.0, 3.0};
  write_npy(path("line.npy"), values, {3});
  const Trajectory line = open_trajectory(path("line.npy"));
  EXPECT_EQ(line.dimension(), 1);
  EXPECT_EQ(frames_of(line, 2, 3)(0, 0), 3.0);
}

TEST_F(TrajectoryFile, RefusesOtherShapesAndTruncatedFiles) {
  const auto three = write("a.npy", test::npy(test::npy_dictionary("<f4", false, "(2, 3, 4)"), floats(24)));
  EXPECT_NE(test::error_of([&] { open_trajectory(three); }).find("frames x atoms x 3"), std::string::npos);
  const auto cut = write("b.npy", test::npy(test::npy_dictionary("<f4", false, "(5, 2)"), floats(9)));
  EXPECT_NE(test::error_of([&] { open_trajectory(cut); }).find("truncated"), std::string::npos);
  const auto none = write("c.npy", test::npy(test::npy_dictionary("<f4", false, "(0, 2)"), ""));
  EXPECT_NE(test::error_of([&] { open_trajectory(none); }).find("no frames"), std::string::npos);
  EXPECT_NE(test::error_of([&] { open_trajectory(path("nowhere.npy")); }).find("no such file"), std::string::npos);
}

}  // namespace
}  // namespace itomap
