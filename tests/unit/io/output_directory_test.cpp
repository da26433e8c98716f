#include "itomap/io/output_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "io/own_files.hpp"
#include "io/rename.hpp"
#include "io_test.hpp"

namespace itomap::test {
namespace {

namespace fs = std::filesystem;

class OutputDirectoryTest : public IoTest {
 protected:
  // Everything in the scratch directory, hidden or not.
  std::vector<std::string> names(const std::string& below = "") const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(directory_ / below)) {
      found.push_back(entry.path().filename());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  // An earlier result, with `content` in it.
  std::string earlier_result(const std::string& content) const {
    OutputDirectory out(path("out"), false);
    write_file(out, "result.json", content);
    write_file(out, "stale.npy", content);
    out.commit();
    return path("out");
  }

  static void write_file(const OutputDirectory& out, const std::string& name, const std::string& content) {
    std::ofstream(out.path(name)) << content;
  }

  std::string refusal(const std::string& target, bool force) const {
    const auto before = names();
    const std::string text = error_of([&] { OutputDirectory out(target, force); });
    EXPECT_EQ(names(), before);
    return text;
  }
};

using Names = std::vector<std::string>;
const std::string list = detail::own_files_list;

TEST_F(OutputDirectoryTest, AppearsWhole) {
  OutputDirectory out(path("out"), false);
  write_file(out, "a.txt", "hello");
  EXPECT_FALSE(fs::exists(path("out")));
  ASSERT_EQ(names().size(), 1);
  EXPECT_EQ(names()[0].find(".out.partial-"), 0);
  out.commit();
  EXPECT_EQ(names(), Names{"out"});
  EXPECT_EQ(slurp(path("out/a.txt")), "hello");
  EXPECT_EQ(out.path("a.txt"), path("out/a.txt"));
}

TEST_F(OutputDirectoryTest, OrNotAtAll) {
  {
    OutputDirectory out(path("out"), false);
    write_file(out, "a.txt", "hello");
  }
  EXPECT_EQ(names(), Names{});
}

TEST_F(OutputDirectoryTest, CommitTwiceIsCommitOnce) {
  OutputDirectory out(path("out"), false);
  out.commit();
  out.commit();
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(OutputDirectoryTest, HasThePermissionsOfAnyNewDirectory) {
  OutputDirectory out(path("out"), false);
  out.commit();
  fs::create_directory(path("plain"));
  EXPECT_EQ(fs::status(path("out")).permissions(), fs::status(path("plain")).permissions());
}

TEST_F(OutputDirectoryTest, MakesMissingParentsOnlyWhenDone) {
  {
    OutputDirectory out(path("a/b/out/"), false);
    EXPECT_FALSE(fs::exists(path("a")));
  }
  EXPECT_EQ(names(), Names{});
  OutputDirectory out(path("a/b/out/"), false);
  out.commit();
  EXPECT_EQ(names("a/b"), Names{"out"});
  EXPECT_EQ(names(), Names{"a"});
}

TEST_F(OutputDirectoryTest, RefusesAnExistingDirectory) {
  const std::string out = earlier_result("old");
  EXPECT_EQ(refusal(out, false), "output directory '" + out + "' exists; choose another or allow it to be replaced");
}

TEST_F(OutputDirectoryTest, RefusesAFile) {
  const std::string file = write("out", "data");
  for (const bool force : {false, true}) {
    EXPECT_EQ(refusal(file, force), "output directory '" + file + "' is a file; choose another name");
  }
  EXPECT_EQ(slurp(file), "data");
  EXPECT_EQ(refusal(file + "/below", false),
            "output directory '" + file + "/below' cannot be created: Not a directory");
}

TEST_F(OutputDirectoryTest, ForceReplacesAnEarlierResult) {
  earlier_result("old");
  OutputDirectory out(path("out"), true);
  write_file(out, "result.json", "new");
  EXPECT_EQ(slurp(path("out/result.json")), "old");
  out.commit();
  EXPECT_EQ(names(), Names{"out"});
  EXPECT_EQ(names("out"), (Names{list, "result.json"}));
  EXPECT_EQ(slurp(path("out/result.json")), "new");
}

TEST_F(OutputDirectoryTest, ForceKeepsTheEarlierResultOnFailure) {
  earlier_result("old");
  {
    OutputDirectory out(path("out"), true);
    write_file(out, "result.json", "new");
  }
  EXPECT_EQ(names(), Names{"out"});
  EXPECT_EQ(slurp(path("out/result.json")), "old");
}

TEST_F(OutputDirectoryTest, ForceReplacesAnEmptyDirectoryAndMakesANewOne) {
  fs::create_directory(path("out"));
  for (const char* name : {"out", "other"}) {
    OutputDirectory out(path(name), true);
    write_file(out, "a", "a");
    out.commit();
    EXPECT_EQ(names(name), (Names{list, "a"}));
  }
}

TEST_F(OutputDirectoryTest, ForceNeverDeletesOtherThings) {
  fs::create_directory(path("home"));
  write("home/precious.txt", "data");
  const auto expected = [&](const std::string& stranger) {
    return "output directory '" + path("home") + "' holds '" + stranger +
           "', which is not on its list of what itomap wrote (.itomap-files), and nothing else is replaced; move "
           "it away or choose another directory";
  };
  EXPECT_EQ(refusal(path("home"), true), expected("precious.txt"));
  write("home/a.json", "{}");
  EXPECT_EQ(refusal(path("home"), true), expected("a.json"));
  EXPECT_EQ(slurp(path("home/precious.txt")), "data");
}

TEST_F(OutputDirectoryTest, ForceReplacesFoldersThatItWrote) {
  for (const bool again : {false, true}) {
    OutputDirectory out(path("paper"), again);
    fs::create_directory(out.path("wake"));
    write_file(out, "wake/flow.dat", "1");
    out.commit();
    EXPECT_EQ(names(), Names{"paper"});
    EXPECT_EQ(names("paper"), (Names{list, "wake"}));
  }
  fs::create_directory(path("paper/wake/deeper"));
  EXPECT_NE(refusal(path("paper"), true).find("holds 'wake/deeper'"), std::string::npos);
}

TEST_F(OutputDirectoryTest, ForceNeverReplacesStrangersThatCameMeanwhile) {
  earlier_result("old");
  {
    OutputDirectory out(path("out"), true);
    write_file(out, "result.json", "new");
    write("out/precious.txt", "data");
    EXPECT_NE(error_of([&] { out.commit(); }).find("holds 'precious.txt'"), std::string::npos);
  }
  EXPECT_EQ(names(), Names{"out"});
  EXPECT_EQ(names("out"), (Names{list, "precious.txt", "result.json", "stale.npy"}));
  EXPECT_EQ(slurp(path("out/result.json")), "old");
}

TEST_F(OutputDirectoryTest, ForceNeverReplacesWhereYouAre) {
  const std::string out = earlier_result("old");
  const fs::path before = fs::current_path();
  fs::current_path(out);
  EXPECT_EQ(refusal(".", true), "output directory '.' is where you are working; choose another");
  fs::current_path(before);
  EXPECT_EQ(slurp(path("out/result.json")), "old");
}

TEST_F(OutputDirectoryTest, ForceFollowsALinkToTheDirectory) {
  earlier_result("old");
  fs::create_directory_symlink("out", path("link"));
  OutputDirectory out(path("link"), true);
  write_file(out, "result.json", "new");
  out.commit();
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(slurp(path("out/result.json")), "new");
  EXPECT_EQ(names(), (Names{"link", "out"}));
}

TEST_F(OutputDirectoryTest, NeverReplacesWhatAppearedMeanwhile) {
  {
    OutputDirectory out(path("out"), false);
    fs::create_directory(path("out"));
    EXPECT_EQ(error_of([&] { out.commit(); }),
              "output directory '" + path("out") + "' exists; choose another or allow it to be replaced");
  }
  EXPECT_EQ(names(), Names{"out"});
}

TEST_F(OutputDirectoryTest, RefusesNamesThatCannotBe) {
  EXPECT_EQ(refusal("", false), "output directory has an empty name; name one");
  const std::string nowhere = "/proc/itomap-cannot-be-here/out";
  EXPECT_EQ(refusal(nowhere, false).find("output directory '" + nowhere + "' cannot be created: "), 0);
}

TEST_F(OutputDirectoryTest, TakesTheLongestNames) {
  const std::string name(255, 'n');
  OutputDirectory out(path(name), false);
  out.commit();
  EXPECT_EQ(names(), Names{name});
}

TEST_F(OutputDirectoryTest, ExchangesInStepsWhereOneStepIsNotPossible) {
  for (const char* name : {"one", "other"}) {
    fs::create_directory(path(name));
    write(std::string(name) + "/file", name);
  }
  EXPECT_FALSE(detail::exchange_in_steps(path("one"), path("other")));
  EXPECT_EQ(slurp(path("one/file")), "other");
  EXPECT_EQ(slurp(path("other/file")), "one");
  EXPECT_EQ(names(), (Names{"one", "other"}));
}

TEST_F(OutputDirectoryTest, FailedExchangeInStepsIsUndone) {
  fs::create_directory(path("other"));
  EXPECT_EQ(detail::exchange_in_steps(path("missing"), path("other")), std::errc::no_such_file_or_directory);
  EXPECT_EQ(names(), Names{"other"});
}

}  // namespace
}  // namespace itomap::test
