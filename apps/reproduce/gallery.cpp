#include "reproduce/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "itomap/report/gallery.hpp"

namespace itomap::reproduce {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> pictures_in(const fs::path& folder) {
  std::vector<fs::path> pictures;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".png") {
      pictures.push_back(entry.path());
    }
  }
  std::ranges::sort(pictures);
  return pictures;
}

std::string words(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// "switch2_densities" is the second picture, of densities.
std::string caption(const std::string& name) {
  const auto gap = name.find('_');
  const bool numbered = gap != std::string::npos && gap > 0 && std::isdigit(static_cast<unsigned char>(name[gap - 1]));
  return words(numbered ? name.substr(gap + 1) : name);
}

GalleryRow row(const Verdict& verdict) {
  const auto text = [](std::optional<double> value) { return value ? fmt::format("{:.4g}", *value) : std::string(); };
  const auto* gap = verdict.required.empty() || verdict.note.empty() ? "" : "; ";
  return {{verdict.quantity, text(verdict.paper), text(verdict.itomap), text(verdict.reference), verdict.chosen,
           verdict.required + gap + verdict.note},
          verdict.pass};
}

GallerySection section(const fs::path& out, const ExampleRun& run) {
  const std::string name(run.example.name);
  GallerySection section{.title = words(name),
                         .text = std::string(run.example.story),
                         .headings = {"quantity", "paper", "itomap", "reference", "constants chosen", "required"}};
  std::ranges::replace(section.title, '-', ' ');
  for (const auto& report : run.reports) {
    section.links.push_back({name + "/" + report.file, report.title});
  }
  for (const auto& picture : pictures_in(out / name)) {
    section.pictures.push_back(
        {picture.string(), caption(picture.stem().string()), name + "/" + picture.filename().string()});
  }
  for (const auto& verdict : run.verdicts) {
    section.rows.push_back(row(verdict));
  }
  return section;
}

}  // namespace

void write_gallery_page(const fs::path& out, std::span<const ExampleRun> runs) {
  Gallery gallery{
      .title = "Diffusion maps tailored to arbitrary non-degenerate It\u00f4 processes",
      .text =
          "The numerical examples of Banisch, Trstanova, Bittracher, Klus and Koltai (2020), computed anew: what the "
          "paper prints beside what itomap finds and what is known to be right."};
  for (const auto& run : runs) {
    gallery.sections.push_back(section(out, run));
  }
  write_gallery((out / "index.html").string(), gallery);
}

}  // namespace itomap::reproduce
