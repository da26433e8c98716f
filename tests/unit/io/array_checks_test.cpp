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

}  // namespace
}  // namespace itomap::test
