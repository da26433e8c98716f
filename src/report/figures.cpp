#include "report/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace itomap::detail {
namespace {

// Quantiles between which a picture begins, so that a few outliers do not decide its scale: of positions, of colours.
constexpr double few = 0.005;
constexpr double some = 0.02;

// Digits that a picture of some hundred pixels can show.
Json rounded(double value) {
  if (!std::isfinite(value) || value == 0.0) {
    return number(value);
  }
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 4.0);
  return std::isnormal(unit) ? number(std::round(value / unit) * unit) : number(value);
}

double quantile(std::vector<double>& values, double share) {
  const auto place = values.begin() + std::ptrdiff_t(std::lround(share * double(values.size() - 1)));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

std::vector<double> finite_values(const ReportColumn& column, Index points) {
  std::vector<double> values;
  values.reserve(std::size_t(points));
  for (Index i = 0; i < points; ++i) {
    if (std::isfinite(column[i])) {
      values.push_back(column[i]);
    }
  }
  return values;
}

struct Axis {
  double low = 0.0;
  double high = 1.0;

  Index cell(double value, Index cells) const {
    const double place = double(cells) * (value - low) / (high - low);
    return place >= 0.0 && place < double(cells) ? Index(place) : (value == high ? cells - 1 : -1);
  }
};

Axis central_range(const ReportColumn& column, Index points) {
  std::vector<double> values = finite_values(column, points);
  if (values.empty()) {
    return {};
  }
  const Axis axis{quantile(values, few), quantile(values, 1.0 - few)};
  return axis.high > axis.low ? axis : Axis{axis.low - 0.5, axis.low + 0.5};
}

// A pair of coordinates is a plane, whose drift is the mean over all other coordinates.
Json drift_field(const ReportData& data, std::size_t i, std::size_t j) {
  constexpr Index cells = 24;
  const ReportColumn &x = data.columns[i], &y = data.columns[j];
  const Axis horizontal = central_range(x, data.points), vertical = central_range(y, data.points);
  Points sums = Points::Zero(cells * cells, 3);
  for (Index row = 0; row < data.points; ++row) {
    const Index column = horizontal.cell(x[row], cells), line = vertical.cell(y[row], cells);
    if (column >= 0 && line >= 0) {
      sums.row(line * cells + column) += Eigen::RowVector3d(1.0, data.drift[i][row], data.drift[j][row]);
    }
  }
  Json u = Json::array(), v = Json::array();
  for (Index cell = 0; cell < sums.rows(); ++cell) {
    const bool empty = sums(cell, 0) == 0.0;
    u.push_back(empty ? Json(nullptr) : rounded(sums(cell, 1) / sums(cell, 0)));
    v.push_back(empty ? Json(nullptr) : rounded(sums(cell, 2) / sums(cell, 0)));
  }
  return {{"x", x.key},
          {"y", y.key},
          {"cells", cells},
          {"x_range", {number(horizontal.low), number(horizontal.high)}},
          {"y_range", {number(vertical.low), number(vertical.high)}},
          {"u", u},
          {"v", v}};
}

}  // namespace

Json summary_of(const ReportColumn& column, Index points) {
  std::vector<double> values = finite_values(column, points);
  const Index missing = points - Index(values.size());
  if (values.empty()) {
    return {{"missing", missing}, {"range", nullptr}, {"position_range", nullptr}, {"color_range", nullptr}};
  }
  const auto [low, high] = std::ranges::minmax(values);
  return {{"missing", missing},
          {"range", {number(low), number(high)}},
          {"position_range", {number(quantile(values, few)), number(quantile(values, 1.0 - few))}},
          {"color_range", {number(quantile(values, some)), number(quantile(values, 1.0 - some))}}};
}

Json committor_histogram(const ReportData& data) {
  const ReportColumn* q = data.find("committor");
  if (q == nullptr) {
    return nullptr;
  }
  constexpr Index bins = 40;
  const ReportColumn& weight = *data.find("stationary");
  const ReportColumn& flux = *data.find("flux");
  const Axis axis;
  Points sums = Points::Zero(bins, 2);
  for (Index i = 0; i < data.points; ++i) {
    if (const Index bin = axis.cell(std::clamp((*q)[i], 0.0, 1.0), bins); std::isfinite((*q)[i]) && bin >= 0) {
      sums(bin, 0) += weight[i];
      sums(bin, 1) += std::isfinite(flux[i]) ? flux[i] : 0.0;
    }
  }
  Json weights = Json::array(), fluxes = Json::array();
  for (Index bin = 0; bin < bins; ++bin) {
    weights.push_back(rounded(sums(bin, 0)));
    fluxes.push_back(rounded(sums(bin, 1)));
  }
  return {{"weight", weights}, {"flux", fluxes}};
}

Json function_errors(const ReportData& data) {
  const ReportColumn& weight = *data.find("stationary");
  Json errors = Json::array();
  for (const ReportColumn& column : data.columns) {
    if (column.group != ColumnGroup::ErrorBar || column.mode == 0 || !column.key.ends_with(error_suffix)) {
      continue;
    }
    double squares = 0.0;
    for (Index i = 0; i < data.points; ++i) {
      squares += std::isfinite(weight[i]) && weight[i] > 0.0 ? weight[i] * column[i] * column[i] : 0.0;
    }
    // The imaginary part of a mode comes behind its real part.
    if (!errors.empty() && errors.back()["mode"] == column.mode) {
      const double real = errors.back()["error"].is_null() ? INFINITY : errors.back()["error"].get<double>();
      errors.back()["error"] = number(std::hypot(real, std::sqrt(squares)));
    } else {
      errors.push_back({{"mode", column.mode}, {"error", number(std::sqrt(squares))}});
    }
  }
  return errors.empty() ? Json(nullptr) : errors;
}

Json drift_fields(const ReportData& data) {
  if (data.drift.size() < 2) {
    return nullptr;
  }
  constexpr std::size_t most = 3;
  const std::size_t count = std::min(most, data.drift.size());
  Json fields = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      fields.push_back(drift_field(data, i, j));
    }
  }
  return fields;
}

double effective_points(const ReportData& data) {
  const ReportColumn& weight = *data.find("stationary");
  double squares = 0.0;
  for (Index i = 0; i < data.points; ++i) {
    squares += std::isfinite(weight[i]) ? weight[i] * weight[i] : 0.0;
  }
  return squares > 0.0 ? 1.0 / squares : 0.0;
}

}  // namespace itomap::detail
