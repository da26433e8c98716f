#include "io/scan_json.hpp"

#include "itomap/core/version.hpp"

namespace itomap::detail {
namespace {

Json rows_json(const std::vector<ScaleScanRow>& rows) {
  Json list = Json::array();
  for (const ScaleScanRow& row : rows) {
    Json times = Json::array();
    for (const double time : row.timescales) {
      times.push_back(number(time));
    }
    list.push_back({{"epsilon", row.epsilon},
                    {"density_epsilon", row.density_epsilon},
                    {"points", row.points},
                    {"neighbours", number(row.neighbours)},
                    {"components", row.components},
                    {"isolated_points", row.isolated_points},
                    {"timescales", times},
                    {"bias", number(row.bias)},
                    {"few_points_bias", number(row.few_points)},
                    {"noise", number(row.noise)},
                    {"usable", row.usable}});
  }
  return list;
}

}  // namespace

Json scan_json(const ScaleScan& scan) {
  return {{"version", version()},
          {"epsilon", number(scan.epsilon)},
          {"density_epsilon", scan.density_epsilon ? number(*scan.density_epsilon) : Json(nullptr)},
          {"reason", scan.reason},
          {"scan", rows_json(scan.rows)},
          {"density_scan", rows_json(scan.density)}};
}

}  // namespace itomap::detail
