// A build without npm or without zlib: no page.
#include "itomap/core/error.hpp"
#include "itomap/report/gallery.hpp"
#include "itomap/report/report.hpp"

namespace itomap {

bool has_report() { return false; }

void check_has_report() {
  throw InvalidArgument(
      "this build of itomap has no report; install nodejs, npm and zlib1g-dev, then configure and build it again");
}

void write_report(const std::string&, const std::string&, const ReportOptions&) { check_has_report(); }

void write_report(const std::string&, const Map&, const Spectrum&, const ReportOptions&, const ReportAnalyses&) {
  check_has_report();
}

void write_gallery(const std::string&, const Gallery&, bool) { check_has_report(); }

}  // namespace itomap
