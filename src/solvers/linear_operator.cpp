#include "solvers/linear_operator.hpp"

#include <utility>

#include "core/stopwatch.hpp"

namespace itomap::detail {

LinearOperator counted(LinearOperator a, ProductTally& tally) {
  a.apply = [apply = std::move(a.apply), &tally](PointsView x) -> Block {
    const Stopwatch watch(tally.seconds);
    tally.products += x.cols();
    return apply(x);
  };
  return a;
}

}  // namespace itomap::detail
