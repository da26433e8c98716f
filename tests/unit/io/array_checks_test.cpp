#include "io/array_checks.hpp"

#include <limits>

#include "io_test.hpp"

namespace itomap::test {
namespace {

TEST(ArrayChecks, FiniteNamesThePlace) {
  const auto values = std::make_shared<std::vector<double>>(std::vector{1.0, 2.0, 3.0, 4.0});
  const Array array{{2, 2}, {values, values->data()}, "x.npy"};
  EXPECT_NO_THROW(detail::check_finite(array));
  (*values)[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error_of([&] { detail::check_finite(array); }),
            "x.npy: inf in row 1, column 1 (counted from 0); mend or remove that row");
}

TEST(ArrayChecks, PeriodsThatCoordinatesCanTell) {
  const Points points = (Points(2, 2) << 1000.0, 0.0, -2000.0, 0.0).finished();
  for (const double length : {0.0, 1e-9, 360.0}) {
    EXPECT_NO_THROW(detail::check_period({length, 1e-150}, points, "x.npy")) << length;
  }
  EXPECT_NO_THROW(detail::check_period({}, points, "x.npy"));
  EXPECT_EQ(error_of([&] {
              detail::check_period({1e-12, 0.0}, points, "x.npy");
            }),
            "period: 1e-12 for coordinate 0 is too short for x.npy, where that coordinate reaches 2000; take "
            "4.44089e-10 or more, or other units");
  EXPECT_NE(error_of([&] {
              detail::check_period({0.0, 1e-160}, points, "x.npy");
            }).find("coordinate 1"),
            std::string::npos);
}

}  // namespace
}  // namespace itomap::test
