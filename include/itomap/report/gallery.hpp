// One page that leads to several reports: texts, tables, pictures, and links to the pages beside it.
//
// `itomap reproduce` writes one of the paper's examples. The page holds its pictures and, like a report, opens without
// a network; links are relative, so that the folder can be moved or packed as it is.
//
//   itomap::Gallery gallery{.title = "Two temperatures"};
//   gallery.sections.push_back({.title = "Hot", .pictures = {{"hot/psi.png", "the slowest function"}},
//                               .links = {{"hot/report.html", "the report"}}});
//   itomap::write_gallery("index.html", gallery);
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace itomap {

struct GalleryPicture {
  std::string file{};  ///< a PNG, which becomes part of the page
  std::string caption{};
  std::string address{};  ///< where a click leads, relative to the page; nowhere if it is empty
};

struct GalleryLink {
  std::string address{};  ///< relative to the page
  std::string text{};
};

struct GalleryRow {
  std::vector<std::string> cells{};
  std::optional<bool> met{};  ///< of a requirement
};

struct GallerySection {
  std::string title{};
  std::string text{};
  std::vector<GalleryLink> links{};
  std::vector<GalleryPicture> pictures{};
  std::vector<std::string> headings{};  ///< of the table
  std::vector<GalleryRow> rows{};
};

struct Gallery {
  std::string title{};
  std::string text{};
  std::vector<GallerySection> sections{};
};

/// The file appears whole or not at all. Throws OutputExists unless `force`, IoError if a picture cannot be read, and
/// InvalidArgument in a build without reports.
void write_gallery(const std::string& file, const Gallery& gallery, bool force = false);

}  // namespace itomap
