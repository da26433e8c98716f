// The page that leads through a run of the examples: what the paper says beside what came out, figures and reports.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "reproduce/example.hpp"
#include "reproduce/verdict.hpp"

namespace itomap::reproduce {

struct ExampleRun {
  Example example;
  std::vector<Verdict> verdicts;
  std::vector<WrittenReport> reports;
};

/// index.html in the folder `out`, in which each example has a folder of its own.
void write_gallery_page(const std::filesystem::path& out, std::span<const ExampleRun> runs);

}  // namespace itomap::reproduce
