#include "itomap/core/scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "itomap/core/error.hpp"

namespace itomap {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Scale, IsANumberOrARule) {
  const Scale value = 0.01;
  EXPECT_TRUE(value.is_value());
  EXPECT_EQ(value.value(), 0.01);
  EXPECT_TRUE(Scale::balanced().is_balanced());
  EXPECT_TRUE(Scale::steepest().is_steepest());
  EXPECT_NE(Scale::balanced(), Scale::steepest());
  EXPECT_NE(Scale::balanced(), Scale(0.0));
}

TEST(Scale, TextComesBackToTheSameBits) {
  for (const Scale& scale : {Scale(0.1), Scale(1.0 / 3.0), Scale(1e-200), Scale::balanced(), Scale::steepest()}) {
    EXPECT_EQ(Scale::from_text(scale.text()), scale) << scale.text();
  }
  EXPECT_EQ(Scale::balanced().text(), "auto");
  for (const char* text : {"", "wide", "1e", "0.1 ", "0,1"}) {
    EXPECT_THAT([&] { Scale::from_text(text); }, ThrowsMessage<InvalidArgument>(HasSubstr("auto or steepest"))) << text;
  }
}

TEST(Scale, ValidateNamesTheScale) {
  EXPECT_NO_THROW(Scale(1e-100).validate("epsilon"));
  EXPECT_NO_THROW(Scale::steepest().validate("epsilon"));
  for (const double value : {0.0, -1.0, 1e-300, double(NAN), double(INFINITY)}) {
    EXPECT_THAT([&] { Scale(value).validate("density_epsilon"); },
                ThrowsMessage<InvalidArgument>(HasSubstr("density_epsilon: ")))
        << value;
  }
}

}  // namespace
}  // namespace itomap
