// Random problems for rapidcheck: RC_GTEST_PROP(Suite, Property, (const ProblemShape& shape)) { ... }
//
// Runs are reproducible: the seed is fixed unless RC_PARAMS is set in the environment, for example to
// RC_PARAMS="seed=7 max_success=1000".
#pragma once

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdlib>

#include "support/random_problem.hpp"

namespace rc {

template <>
struct Arbitrary<itomap::samples::ProblemShape> {
  static Gen<itomap::samples::ProblemShape> arbitrary() {
    using Shape = itomap::samples::ProblemShape;
    return gen::build<Shape>(gen::set(&Shape::points, gen::inRange<itomap::Index>(2, 80)),
                             gen::set(&Shape::dimension, gen::inRange<itomap::Index>(1, 7)),
                             gen::set(&Shape::diffusion_kind, gen::inRange(0, 5)),
                             gen::set(&Shape::periodic_axes, gen::oneOf(gen::just(0), gen::inRange(0, 8))),
                             gen::set(&Shape::duplicates, gen::arbitrary<bool>()),
                             gen::set(&Shape::seed, gen::arbitrary<std::uint64_t>()));
  }
};

}  // namespace rc

namespace itomap::samples {

/// Read by rapidcheck at the first property.
inline const int rapidcheck_defaults = ::setenv("RC_PARAMS", "seed=20240229 max_success=25", /*overwrite=*/0);

}  // namespace itomap::samples
