#include "itomap/kernel/diffusion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "itomap/core/error.hpp"
#include "kernel/whitening.hpp"

namespace itomap {
using namespace detail;
namespace {

std::string refusal(const Diffusion& diffusion, Index points, Index dimension, double eta = 0.0) {
  try {
    diffusion.validate(points, dimension, eta);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Diffusion, AllFormsOfTheSameMatrixAgree) {
  const Points diagonals = Points::Constant(3, 2, 0.5);
  Points full(3, 4);
  full.rowwise() = Eigen::RowVector4d(0.5, 0.0, 0.0, 0.5);
  const Matrix expected = 0.5 * Matrix::Identity(2, 2);
  for (const auto& a :
       {Diffusion::constant(0.5), Diffusion::scalars(Vector::Constant(3, 0.5)), Diffusion::diagonals(diagonals),
        Diffusion::matrices(full), Diffusion::constant_matrix(expected)}) {
    EXPECT_EQ(refusal(a, 3, 2), "");
    EXPECT_EQ(a.at(1, 2), expected);
    EXPECT_NEAR(median_spread(a, 3, 2, 0.1), 0.6, 1e-15);
  }
}

TEST(Diffusion, NamesThePointThatIsNotPositiveDefinite) {
  Vector a = Vector::Ones(5);
  a[3] = -1.0;
  EXPECT_THAT(refusal(Diffusion::scalars(a), 5, 2), testing::HasSubstr("point 3 is not positive definite"));
  EXPECT_EQ(refusal(Diffusion::scalars(a), 5, 2, 1.5), "") << "eta repairs it";
  EXPECT_THAT(refusal(Diffusion::constant(0.0), 5, 2), testing::HasSubstr("not positive definite"));
}

TEST(Diffusion, NamesThePointThatIsNotSymmetricOrNotFinite) {
  Points a(2, 4);
  a << 1, 0, 0, 1, 1, 0.2, 0.1, 1;
  EXPECT_THAT(refusal(Diffusion::matrices(a), 2, 2), testing::HasSubstr("point 1 is not symmetric"));
  a(0, 0) = std::nan("");
  EXPECT_THAT(refusal(Diffusion::matrices(a), 2, 2), testing::HasSubstr("point 0 holds NaN"));
}

TEST(Diffusion, NamesShapesThatDoNotFit) {
  EXPECT_THAT(refusal(Diffusion::scalars(Vector::Ones(4)), 5, 2), testing::HasSubstr("4 x 1 values given"));
  EXPECT_THAT(refusal(Diffusion::diagonals(Points::Ones(5, 3)), 5, 2), testing::HasSubstr("need 5 x 2"));
}

TEST(Diffusion, StepsWiderThanNumbersAreRefused) {
  for (const auto& a : {Diffusion::constant(1.0), Diffusion::constant_matrix(Points::Identity(2, 2))}) {
    EXPECT_NO_THROW(Whitening::local(a, 3, 2, 1.0, 1e200));
    for (const double eta : {1e300, 1e308}) {
      EXPECT_THAT([&] { Whitening::local(a, 3, 2, 1.0, eta); },
                  testing::ThrowsMessage<InvalidArgument>(testing::HasSubstr("epsilon: a step from point 0 is")));
    }
  }
}

TEST(Diffusion, SubsetKeepsTheChosenRows) {
  const Vector a = Vector::LinSpaced(5, 1.0, 5.0);
  EXPECT_EQ(Diffusion::scalars(a).subset({1, 4}).at(1, 1)(0, 0), 5.0);
}

}  // namespace
}  // namespace itomap
