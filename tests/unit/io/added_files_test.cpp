#include "itomap/io/added_files.hpp"

#include "io/own_files.hpp"
#include "io_test.hpp"

namespace itomap::test {
namespace {

namespace fs = std::filesystem;

class AddedFilesTest : public IoTest {
 protected:
  AddedFilesTest() {
    fs::create_directory(path("result"));
    write("result/result.json", "kept");
    write("result/last", "old");
    detail::list_own_files(path("result"));
  }
  static void put(AddedFiles& files, const std::string& name) { std::ofstream(files.path(name)) << "new " + name; }
  std::size_t siblings() const { return std::size_t(std::distance(fs::directory_iterator(directory_), {})); }
};

TEST_F(AddedFilesTest, AppearOnCommitAndLeaveTheOthersAlone) {
  AddedFiles files(path("result"));
  put(files, "first");
  put(files, "last");
  EXPECT_FALSE(fs::exists(path("result/first")));
  EXPECT_EQ(slurp(path("result/last")), "old");
  files.commit();
  EXPECT_EQ(slurp(path("result/first")), "new first");
  EXPECT_EQ(slurp(path("result/last")), "new last");
  EXPECT_EQ(slurp(path("result/result.json")), "kept");
}

TEST_F(AddedFilesTest, VanishWithoutCommit) {
  {
    AddedFiles files(path("result"));
    put(files, "first");
    EXPECT_EQ(siblings(), 2U);
  }
  EXPECT_EQ(siblings(), 1U);
  EXPECT_FALSE(fs::exists(path("result/first")));
}

// A file that cannot be put into place: the last one, which vouches for all, is gone then.
TEST_F(AddedFilesTest, NeverLeaveAnOldLastFileBesideNewOnes) {
  fs::create_directories(path("result/second/busy"));
  detail::list_own_files(path("result"));
  {
    AddedFiles files(path("result"));
    for (const char* name : {"first", "second", "last"}) {
      put(files, name);
    }
    EXPECT_NE(error_of([&] { files.commit(); }).find("cannot be written to"), std::string::npos);
  }
  EXPECT_FALSE(fs::exists(path("result/last")));
  EXPECT_EQ(siblings(), 1U);
}

TEST_F(AddedFilesTest, NeverReplaceAStranger) {
  write("result/first", "precious");
  {
    AddedFiles files(path("result"));
    for (const char* name : {"first", "last"}) {
      put(files, name);
    }
    EXPECT_EQ(error_of([&] { files.commit(); }),
              path("result/first") + ": is not on the list of what itomap wrote there (.itomap-files), and would be " +
                  "replaced; move it away or write to another directory");
  }
  EXPECT_EQ(slurp(path("result/first")), "precious");
  EXPECT_EQ(slurp(path("result/last")), "old");
}

TEST_F(AddedFilesTest, MayBeReplacedLater) {
  for (const char* content : {"first", "second"}) {
    AddedFiles files(path("result"));
    std::ofstream(files.path("sets")) << content;
    files.commit();
    EXPECT_EQ(slurp(path("result/sets")), content);
  }
  EXPECT_FALSE(detail::find_stranger(path("result")));
}

TEST_F(AddedFilesTest, RefuseADirectoryThatIsNone) {
  EXPECT_NE(error_of([&] { AddedFiles files(path("nowhere")); }).find("nowhere"), std::string::npos);
}

}  // namespace
}  // namespace itomap::test
