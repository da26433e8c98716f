#include "report/page.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "io/output_file.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

namespace fs = std::filesystem;

// Inside a script element nothing but "</script" and "<!--" means anything; without a '<' there is neither. In JSON it
// stands in strings alone.
std::string script_safe(const std::string& json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

// No network, no frames, no forms; scripts by their hash alone. Libraries set styles of single elements.
std::string policy(const Page& page, const PageAssets& assets) {
  return fmt::format(
      "default-src 'none'; script-src '{}'{}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
      "form-action 'none'",
      page.script->hash, page.molecules ? fmt::format(" '{}'", assets.molecules.hash) : "");
}

void write_html(OutputFile& out, const Page& page, const PageAssets& assets) {
  out.write(
      fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                  "<title>itomap</title>\n<style>\n",
                  policy(page, assets)));
  out.write(assets.style);
  out.write(
      "</style>\n</head>\n<body>\n<noscript><p>This page draws its figures with JavaScript, which is switched off in "
      "this browser. It loads nothing from elsewhere.</p></noscript>\n<div id=\"page\"></div>\n"
      "<script type=\"application/json\" id=\"data\">");
  out.write(script_safe(page.data.dump(-1, ' ', false, Json::error_handler_t::replace)));
  out.write("</script>\n");
  for (const PageBlock& block : page.blocks) {
    out.write(fmt::format("<script type=\"text/plain\" id=\"{}\">", block.id));
    out.write(block.text);
    out.write("</script>\n");
  }
  out.write("<script type=\"text/plain\" id=\"licences\">");
  out.write(assets.licences);
  out.write(page.molecules ? assets.molecule_licences : std::string_view());
  out.write("</script>\n");
  if (page.molecules) {
    out.write("<script>");
    out.write(assets.molecules.text);
    out.write("</script>\n");
  }
  out.write("<script>");
  out.write(page.script->text);
  out.write("</script>\n</body>\n</html>\n");
}

// A file beside the one to be, until it is whole.
class Staged {
 public:
  explicit Staged(const fs::path& file)
      : path_(file.parent_path() / fmt::format(".{}.partial-{}", file.filename().string(), ::getpid())) {}
  Staged(const Staged&) = delete;
  Staged& operator=(const Staged&) = delete;
  ~Staged() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

void write_page(const std::string& file, const Page& page, bool force) {
  const PageAssets& assets = page_assets();
  std::error_code error;
  if (!force && fs::exists(file, error)) {
    throw OutputExists(fmt::format("{} exists; choose another name or allow it to be replaced", file));
  }
  if (fs::is_directory(file, error)) {
    throw IoError(fmt::format("{}: is a directory; name a file", file));
  }
  const Staged staged(file);
  OutputFile out(staged.path().string());
  write_html(out, page, assets);
  out.close();
  fs::rename(staged.path(), file, error);
  if (error) {
    throw IoError(fmt::format("{}: cannot be written: {}", file, error.message()));
  }
}

}  // namespace itomap::detail
