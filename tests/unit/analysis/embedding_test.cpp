#include "itomap/analysis/embedding.hpp"

#include <gtest/gtest.h>

namespace itomap {
namespace {

TEST(Embedding, ScalesRealEigenfunctionsByWhatIsLeftOfThem) {
  Spectrum s;
  s.eigenvalues = (Eigen::VectorXcd(3) << 0.0, -1.0, -2.0).finished();
  s.eigenfunctions.re = Block::Ones(4, 3);
  const Block psi = embedding(s, 0.5);
  ASSERT_EQ(psi.cols(), 2);
  EXPECT_DOUBLE_EQ(psi(0, 0), std::exp(-0.5));
  EXPECT_DOUBLE_EQ(psi(3, 1), std::exp(-1.0));
}

TEST(Embedding, AComplexPairGivesRealAndImaginaryPart) {
  const std::complex<double> lambda(-1.0, 4.0);  // exp(lambda) has a negative imaginary part
  const std::complex<double> value(0.6, -0.8);
  Spectrum s;
  s.eigenvalues = (Eigen::VectorXcd(3) << 0.0, lambda, std::conj(lambda)).finished();
  s.eigenfunctions.re = (Block(1, 3) << 1.0, value.real(), value.real()).finished();
  s.eigenfunctions.im = (Block(1, 3) << 0.0, value.imag(), -value.imag()).finished();
  const std::complex<double> expected = std::exp(lambda) * value;
  const Block psi = embedding(s);
  EXPECT_NEAR(psi(0, 0), expected.real(), 1e-15);
  EXPECT_NEAR(psi(0, 1), expected.imag(), 1e-15);
}

}  // namespace
}  // namespace itomap
