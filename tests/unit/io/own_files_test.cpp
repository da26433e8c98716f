#include "io/own_files.hpp"

#include "io_test.hpp"

namespace itomap::test {
namespace {

namespace fs = std::filesystem;

class OwnFilesTest : public IoTest {
 protected:
  OwnFilesTest() {
    fs::create_directories(path("out/folder"));
    write("out/a", "ours");
    write("out/folder/b", "ours");
    detail::list_own_files(path("out"));
  }

  std::optional<std::string> stranger() const { return detail::find_stranger(path("out")); }
};

TEST_F(OwnFilesTest, WhatWasListedIsNoStranger) { EXPECT_EQ(stranger(), std::nullopt); }

TEST_F(OwnFilesTest, WhatCameLaterIs) {
  write("out/folder/c", "theirs");
  EXPECT_EQ(stranger(), "folder/c");
  write("out/b", "theirs");
  EXPECT_EQ(stranger(), "b");
}

TEST_F(OwnFilesTest, NeedNotAllBeThere) {
  fs::remove(path("out/a"));
  EXPECT_EQ(stranger(), std::nullopt);
}

TEST_F(OwnFilesTest, AnotherKindOfThingInItsPlaceIsAStranger) {
  fs::remove(path("out/a"));
  fs::create_symlink("folder/b", path("out/a"));
  EXPECT_EQ(stranger(), "a");
  fs::remove(path("out/a"));
  fs::create_directory(path("out/a"));
  EXPECT_EQ(stranger(), "a");
}

TEST_F(OwnFilesTest, WithoutAListAllAreStrangers) {
  fs::rename(path("out/.itomap-files"), path("list"));
  EXPECT_EQ(stranger(), "a");
  fs::create_symlink(path("list"), path("out/.itomap-files"));
  EXPECT_EQ(stranger(), ".itomap-files");
}

TEST_F(OwnFilesTest, MayBeAddedWhateverTheListEndsWith) {
  std::ofstream(path("out/.itomap-files"), std::ios::app) << "unfinish";
  const std::vector<std::string> names{"c", "d"};
  detail::add_own_files(path("out"), names);
  write("out/c", "ours");
  EXPECT_EQ(stranger(), std::nullopt);
  EXPECT_EQ(detail::find_stranger(path("out"), names), std::nullopt);
  EXPECT_EQ(detail::find_stranger(path("out"), std::vector<std::string>{"a", "nowhere", "e"}), std::nullopt);
}

TEST_F(OwnFilesTest, AloneAreRemoved) {
  write("out/folder/theirs", "precious");
  std::ofstream(path("out/.itomap-files"), std::ios::app) << "../outside\n" << path("outside") << "\n";
  write("outside", "precious");
  detail::remove_own_files(path("out"));
  EXPECT_FALSE(fs::exists(path("out/a")));
  EXPECT_FALSE(fs::exists(path("out/folder/b")));
  EXPECT_EQ(slurp(path("out/folder/theirs")), "precious");
  EXPECT_EQ(slurp(path("outside")), "precious");
  fs::remove(path("out/folder/theirs"));
  detail::list_own_files(path("out"));
  detail::remove_own_files(path("out"));
  EXPECT_FALSE(fs::exists(path("out")));
}

}  // namespace
}  // namespace itomap::test
