// What a page is made of, wherever it comes from: a result directory or a map in memory.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/json.hpp"
#include "itomap/core/types.hpp"
#include "itomap/report/report.hpp"

namespace itomap::detail {

enum class ColumnGroup { Coordinate, Eigenfunction, Weight, Analysis, ErrorBar, Values };

/// "coordinate", "eigenfunction", ...
std::string_view to_string(ColumnGroup group);

/// One number for each point of the user's data, NaN where a point is not in the map. Nothing is copied: `owner` keeps
/// the memory alive, and the number of point i is first[i * stride].
struct ReportColumn {
  /// "x1", "psi2", "psi2_im", "stationary", "set": what the page knows it by. "psi2_limit" and "psi2_error" are what
  /// error bars say of "psi2".
  std::string key{};
  std::string name{};  ///< the user's, where there is one
  ColumnGroup group = ColumnGroup::Coordinate;
  Index mode = 0;         ///< of an eigenfunction
  bool positive = false;  ///< spans orders of magnitude: read by its logarithm
  bool whole = false;     ///< numbers of sets
  bool leading = false;   ///< shown first, stored first
  const double* first = nullptr;
  Index stride = 1;
  std::shared_ptr<const void> owner{};

  double operator[](Index i) const { return first[i * stride]; }
};

struct ReportData {
  Index points = 0;         ///< m of the user's data
  Index dimension = 0;      ///< N
  std::string name{};       ///< of the result
  std::string directory{};  ///< empty in memory
  Json result{};            ///< what result.json says
  Json cluster{};           ///< null, or what cluster.json says, and so on
  Json committor{};
  Json scale{};
  std::vector<ReportColumn> columns{};
  std::vector<ReportColumn> drift{};  ///< b, one column for each coordinate; empty if the method has none

  const ReportColumn* find(std::string_view key) const;
};

/// Values at epsilon -> 0 and for many points, and their standard errors: what comes behind the key of a column.
constexpr std::string_view limit_suffix = "_limit";
constexpr std::string_view error_suffix = "_error";

/// Throws IoError with one line if it is not a whole result.
ReportData data_of_directory(const std::string& directory);

/// The map and the spectrum must outlive it.
ReportData data_of_map(const Map& map, const Spectrum& spectrum, const ReportAnalyses& analyses);

/// The columns of a result: coordinates, eigenfunctions and weights, in the order in which the page offers them.
class ColumnList {
 public:
  explicit ColumnList(ReportData& data) : data_(data) {}

  /// `width` numbers for each point; their names, or "x_1", "x_2", ...
  void coordinates(const double* first, Index width, const std::shared_ptr<const void>& owner,
                   const std::vector<std::string>& names);
  /// Function n at first[n * step], the next point `stride` further; imaginary parts, of which there may be none,
  /// alike.
  void eigenfunctions(const double* re, const double* im, Index step, Index stride,
                      const std::shared_ptr<const void>& owner);
  /// Their limits or errors, laid out alike.
  void function_error_bars(std::string_view suffix, const double* re, const double* im, Index step, Index stride,
                           const std::shared_ptr<const void>& owner);
  void add(const std::string& key, ColumnGroup group, const double* first, std::shared_ptr<const void> owner,
           bool leading, bool positive = false);
  void drift(const double* first, Index width, const std::shared_ptr<const void>& owner);

 private:
  void functions(const ReportColumn& like, const double* re, const double* im, Index step);

  ReportData& data_;
};

}  // namespace itomap::detail
