#include "reproduce/gallery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

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

/// What a reader sees on the pictures; one that is not listed is called by its name.
constexpr std::array captions{
    std::pair(
        "large_time_step",
        "The sample is not the target (top); time scales and the slowest eigenfunction of the three maps (bottom)"),
    std::pair("timescales_by_epsilon", "Time scales over those of the reference, for three choices of epsilon"),
    std::pair("seeds", "Errors of all seeds; the stars are the paper's one run"),
    std::pair("switch1_potential", "The potential, and the points that were sampled hot"),
    std::pair("switch2_densities",
              "TMDmap's estimate of the cold density (left) beside the density of the sample (right)"),
    std::pair("switch3_eigenfunctions",
              "The slowest eigenfunction, hot and cold, from the same points; lines are the reference"),
    std::pair("switch4_embeddings", "The points in the first two diffusion coordinates at beta = 2, coloured by y"),
    std::pair("conformations", "The carbons of the molecule in each of the three sets"),
    std::pair("eigenfunctions", "The two slow eigenfunctions over the dihedral angle"),
    std::pair("timescales", "Time scales of the map, beside those of a Markov model of the same trajectory"),
    std::pair("lengths", "The length of the kernel, chosen on one run: time scales and weights over it, on both runs"),
    std::pair("wake1_eigenfunctions", "Four eigenfunctions behind the body: what stays together in the flow"),
    std::pair("wake2_clusters", "Sets of points that the flow keeps together"),
    std::pair("wake3_zone", "The zone of recirculation, and lines along the flow")};

/// Unless it is listed, "switch2_densities" is the second picture, of densities.
std::string caption(const std::string& name) {
  const auto* known = std::ranges::find(captions, name, [](const auto& pair) { return std::string_view(pair.first); });
  if (known != captions.end()) {
    return known->second;
  }
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
