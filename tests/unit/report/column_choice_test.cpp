#include "report/column_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "report/figures.hpp"
#include "report/point_order.hpp"

namespace itomap::detail {
namespace {

/// Two coordinates, which lead, and functions, of which the first two do.
class ColumnChoiceTest : public testing::Test {
 protected:
  static constexpr Index points = 500;

  ColumnChoiceTest() : values_(points, 6) {
    for (Index i = 0; i < points; ++i) {
      for (Index k = 0; k < values_.cols(); ++k) {
        values_(i, k) = std::fmod(0.6180339887 * double((k + 1) * (i + 1)), 1.0);
      }
    }
    data_.points = points;
    data_.dimension = 2;
    for (Index k = 0; k < values_.cols(); ++k) {
      data_.columns.push_back({.key = "c" + std::to_string(k),
                               .name = "column " + std::to_string(k),
                               .group = k < 2 ? ColumnGroup::Coordinate : ColumnGroup::Eigenfunction,
                               .mode = k < 2 ? 0 : k - 1,
                               .leading = k < 4,
                               .first = values_.data() + k,
                               .stride = values_.cols()});
    }
    numbers_.resize(points);
    std::iota(numbers_.begin(), numbers_.end(), 0U);
  }

  ColumnChoice choice(std::size_t size) const { return choose_columns(data_, numbers_, size); }

  Points values_;
  ReportData data_;
  std::vector<std::uint32_t> numbers_;
};

TEST_F(ColumnChoiceTest, EverythingIsExactWhereThereIsRoom) {
  const auto all = choice(1000000);
  EXPECT_TRUE(all.left_out.empty());
  for (const auto& stored : all.stored) {
    EXPECT_EQ(stored.packed.precision, Precision::Double);
  }
}

TEST_F(ColumnChoiceTest, NeverMoreThanThereIsRoomFor) {
  for (std::size_t size = 0; size < 60000; size += 500) {
    std::size_t used = 0;
    for (const auto& stored : choice(size).stored) {
      used += base64_size(stored.packed.bytes.size());
    }
    EXPECT_LE(used, size);
  }
}

TEST_F(ColumnChoiceTest, LeadingColumnsComeFirstAndOthersAreNamed) {
  for (std::size_t size = 0; size < 20000; size += 250) {
    const auto some = choice(size);
    EXPECT_EQ(some.stored.size() + some.left_out.size(), data_.columns.size());
    const bool others = std::ranges::any_of(some.stored, [](const auto& one) { return !one.column->leading; });
    const auto leading = std::ranges::count_if(some.stored, [](const auto& one) { return one.column->leading; });
    EXPECT_TRUE(!others || leading == 4);
  }
  EXPECT_EQ(choice(0).left_out.front(), "column 0");
}

TEST_F(ColumnChoiceTest, DefaultSizesGrowFromOneMegabyteToTwentyFour) {
  EXPECT_EQ(default_size(2), default_size(10000));
  EXPECT_LT(default_size(10000), 1500000U);
  EXPECT_GT(default_size(100000), default_size(10000));
  EXPECT_LT(default_size(1000000), 25000000U);
  EXPECT_EQ(default_size(1000000), default_size(9000000));
}

TEST_F(ColumnChoiceTest, AllPointsAreShownOrADrawOfThem) {
  const auto all = shown_points(data_, points);
  EXPECT_EQ(std::set(all.begin(), all.end()).size(), std::size_t(points));
  const auto some = shown_points(data_, 100);
  EXPECT_EQ(some.size(), 100U);
  EXPECT_EQ(std::set(some.begin(), some.end()).size(), 100U);
  EXPECT_EQ(some, shown_points(data_, 100));
}

TEST_F(ColumnChoiceTest, NeighboursInSpaceFollowEachOther) {
  const auto order = shown_points(data_, points);
  const auto way = [&](const auto& along) {
    double length = 0.0;
    for (std::size_t i = 1; i < along.size(); ++i) {
      length += (values_.row(Index(along[i])) - values_.row(Index(along[i - 1]))).head(2).norm();
    }
    return length;
  };
  EXPECT_LT(way(order), 0.5 * way(numbers_));
}

TEST_F(ColumnChoiceTest, SummariesPassOverWhatHasNoValue) {
  values_(3, 0) = NAN;
  values_(4, 0) = 50.0;
  const Json summary = summary_of(data_.columns[0], points);
  EXPECT_EQ(summary["missing"], 1);
  EXPECT_EQ(summary["range"][1], 50.0);
  EXPECT_LE(summary["color_range"][1], 1.0);
}

TEST_F(ColumnChoiceTest, ErrorsOfFunctionsAreWeighted) {
  const Vector weights = Vector::Constant(points, 1.0 / double(points));
  Points errors(points, 2);
  errors.col(0).setConstant(0.3);
  errors.col(1).setConstant(0.4);
  data_.columns.push_back({.key = "stationary", .group = ColumnGroup::Weight, .first = weights.data()});
  EXPECT_TRUE(function_errors(data_).is_null());
  for (const Index k : {0, 1}) {
    data_.columns.push_back({.key = k == 0 ? "psi1_error" : "psi1_im_error",
                             .group = ColumnGroup::ErrorBar,
                             .mode = 1,
                             .first = errors.data() + k,
                             .stride = 2});
  }
  const Json found = function_errors(data_);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0]["error"].get<double>(), 0.5, 1e-12);
}

}  // namespace
}  // namespace itomap::detail
