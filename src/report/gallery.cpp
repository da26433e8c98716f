#include "itomap/report/gallery.hpp"

#include <fmt/format.h>

#include "io/mapped_file.hpp"
#include "itomap/core/error.hpp"
#include "itomap/core/version.hpp"
#include "report/packed_column.hpp"
#include "report/page.hpp"

namespace itomap {
using namespace detail;
namespace {

void check_png(Bytes start, const std::string& file) {
  if (!as_text(start).starts_with("\x89PNG\r\n")) {
    throw IoError(fmt::format("{}: is not a PNG picture", file));
  }
}

std::string picture_text(const std::string& file) { return base64(as_text(load_file(file, file, check_png).bytes)); }

Json section_json(const GallerySection& section, std::vector<PageBlock>& blocks) {
  Json json{{"title", section.title},    {"text", section.text},         {"links", Json::array()},
            {"pictures", Json::array()}, {"headings", section.headings}, {"rows", Json::array()}};
  for (const GalleryLink& link : section.links) {
    json["links"].push_back({{"address", link.address}, {"text", link.text}});
  }
  for (const GalleryPicture& picture : section.pictures) {
    blocks.push_back({fmt::format("picture{}", blocks.size()), picture_text(picture.file)});
    json["pictures"].push_back(
        {{"block", blocks.back().id}, {"caption", picture.caption}, {"address", picture.address}});
  }
  for (const GalleryRow& row : section.rows) {
    json["rows"].push_back({{"cells", row.cells}, {"met", row.met ? Json(*row.met) : Json(nullptr)}});
  }
  return json;
}

}  // namespace

void write_gallery(const std::string& file, const Gallery& gallery, bool force) {
  Page page{.script = &page_assets().gallery};
  page.data = {{"version", version()}, {"title", gallery.title}, {"text", gallery.text}, {"sections", Json::array()}};
  for (const GallerySection& section : gallery.sections) {
    page.data["sections"].push_back(section_json(section, page.blocks));
  }
  write_page(file, page, force);
}

}  // namespace itomap
