#include "reproduce/figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>

#include "itomap/io/output_directory.hpp"

namespace itomap::reproduce {
namespace {

namespace fs = std::filesystem;

constexpr int not_started = 127;  // as shells say it

class SpawnActions {
 public:
  SpawnActions() { posix_spawn_file_actions_init(&actions_); }
  ~SpawnActions() { posix_spawn_file_actions_destroy(&actions_); }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

// The words of the command go to the program as they are: no shell, no quoting.
int run_in(const fs::path& folder, std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (auto& word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  SpawnActions actions;
  posix_spawn_file_actions_addchdir_np(actions.get(), folder.c_str());
  pid_t child = 0;
  if (posix_spawnp(&child, arguments[0], actions.get(), nullptr, arguments.data(), environ) != 0) {
    return not_started;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<fs::path> scripts_in(const fs::path& folder) {
  std::vector<fs::path> scripts;
  if (!fs::is_directory(folder)) {
    return scripts;
  }
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".gp") {
      scripts.push_back(entry.path());
    }
  }
  std::ranges::sort(scripts);
  return scripts;
}

}  // namespace

void write_table(const fs::path& file, const std::vector<std::string>& names, PointsView rows) {
  fmt::memory_buffer text;
  fmt::format_to(std::back_inserter(text), "# {}\n", fmt::join(names, " "));
  for (Index i = 0; i < rows.rows(); ++i) {
    for (Index j = 0; j < rows.cols(); ++j) {
      fmt::format_to(std::back_inserter(text), "{:.9g}{}", rows(i, j), j + 1 < rows.cols() ? ' ' : '\n');
    }
  }
  write_text(file.string(), fmt::to_string(text));
}

void write_grid(const fs::path& file, VectorView x, VectorView y, const Matrix& values) {
  fmt::memory_buffer text;
  for (Index i = 0; i < x.size(); ++i) {
    for (Index j = 0; j < y.size(); ++j) {
      fmt::format_to(std::back_inserter(text), "{:.9g} {:.9g} {:.9g}\n", x[i], y[j], values(i, j));
    }
    fmt::format_to(std::back_inserter(text), "\n");
  }
  write_text(file.string(), fmt::to_string(text));
}

std::vector<std::string> draw_figures(const fs::path& scripts, const fs::path& out) {
  std::vector<std::string> problems;
  for (const auto& script : scripts_in(scripts)) {
    const auto style = fs::absolute(scripts.parent_path() / "style.gp");
    const int code = run_in(out, {"gnuplot", "-c", fs::absolute(script).string(), style.string()});
    if (code == not_started) {
      return {"gnuplot is not installed: the data of the figures are written, not the pictures"};
    }
    if (code != 0) {
      problems.push_back(fmt::format("gnuplot could not draw {}", script.filename().string()));
    }
  }
  return problems;
}

}  // namespace itomap::reproduce
