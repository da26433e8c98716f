// The HTML of a page: the bundle that CMake made of src/report/page, and the data that it shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/json.hpp"

namespace itomap::detail {

/// A script of the bundle, and what a content security policy calls it.
struct PageScript {
  std::string_view text;
  std::string_view hash;  ///< "sha256-.."
};

/// What CMake made of src/report/page.
struct PageAssets {
  std::string_view style;
  PageScript report;
  PageScript gallery;
  PageScript molecules;       ///< 3Dmol.js, for pages with structures alone
  std::string_view licences;  ///< of the libraries in the first two
  std::string_view molecule_licences;
};

const PageAssets& page_assets();

/// A block of data: the page finds it by its name.
struct PageBlock {
  std::string id;
  std::string text;  ///< base64
};

struct Page {
  const PageScript* script = nullptr;
  bool molecules = false;
  Json data{};
  std::vector<PageBlock> blocks{};
};

/// Writes the page; appears whole or not at all. Throws OutputExists unless `force`, IoError if it cannot be written.
void write_page(const std::string& file, const Page& page, bool force);

}  // namespace itomap::detail
