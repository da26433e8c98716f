#include "io/output_files.hpp"

#include "io/output_file.hpp"
#include "io_test.hpp"

namespace itomap::test {
namespace {

class OutputFilesTest : public IoTest {
 protected:
  std::size_t count() const {
    const std::filesystem::directory_iterator files(directory_);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }
};

TEST_F(OutputFilesTest, AppearTogether) {
  write("old.txt", "old");
  io::OutputFiles files(directory_);
  io::write_text(files.path("a.txt"), "a");
  io::write_text(files.path("b.json"), "b");
  EXPECT_FALSE(std::filesystem::exists(path("a.txt")));
  files.commit();
  EXPECT_EQ(slurp(path("a.txt")) + slurp(path("b.json")) + slurp(path("old.txt")), "abold");
  EXPECT_EQ(count(), 3u);
}

TEST_F(OutputFilesTest, ReplaceEarlierOnes) {
  write("a.txt", "old");
  io::OutputFiles files(directory_);
  io::write_text(files.path("a.txt"), "new");
  EXPECT_EQ(slurp(path("a.txt")), "old");
  files.commit();
  EXPECT_EQ(slurp(path("a.txt")), "new");
}

TEST_F(OutputFilesTest, LeaveNothingUnlessCommitted) {
  {
    io::OutputFiles files(directory_);
    io::write_text(files.path("a.txt"), "a");
    EXPECT_EQ(count(), 1u);
  }
  EXPECT_EQ(count(), 0u);
}

TEST_F(OutputFilesTest, RefuseADirectoryThatIsNotThere) {
  EXPECT_NE(error_of([&] { io::OutputFiles(path("nowhere")); }).find("cannot be written to"), std::string::npos);
}

}  // namespace
}  // namespace itomap::test
