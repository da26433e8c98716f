#include "core/vector_exp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace itomap {
using namespace detail;
namespace {

TEST(VectorExp, AgreesWithTheLongDoubleExponentialToRounding) {
  std::vector<double> u;
  for (int k = 0; k < 20000; ++k) {
    u.push_back(0.03534567 * k);  // up to 706.9
  }
  std::vector<double> y = u;
  exp_of_negative(y.data(), Index(y.size()));
  for (std::size_t k = 0; k < u.size(); ++k) {
    const long double exact = std::exp(-static_cast<long double>(u[k]));
    EXPECT_LT(std::abs(static_cast<long double>(y[k]) - exact), 4e-16L * exact) << "u = " << u[k];
  }
}

TEST(VectorExp, EndsInExactZeroWithoutNan) {
  std::vector<double> u = {0.0, 1e-300, 707.0, 1e6, 1e300, std::numeric_limits<double>::infinity()};
  exp_of_negative(u.data(), Index(u.size()));
  EXPECT_EQ(u, (std::vector<double>{1.0, 1.0, 0.0, 0.0, 0.0, 0.0}));
}

TEST(VectorExp, DoesNotDependOnThePositionInTheArray) {
  // Vector lanes and the loop's tail must round alike: rows may be cut anywhere.
  for (Index offset = 0; offset < 9; ++offset) {
    std::vector<double> u(20, 1.2345678901);
    exp_of_negative(u.data() + offset, Index(u.size()) - offset);
    double alone = 1.2345678901;
    exp_of_negative(&alone, 1);
    for (std::size_t k = std::size_t(offset); k < u.size(); ++k) {
      EXPECT_EQ(u[k], alone);
    }
  }
}

}  // namespace
}  // namespace itomap
