#include "itomap/kernel/kernel_operator.hpp"

namespace itomap {

Vector KernelOperator::row_sums() const {
  Block sums(size(), 1);
  apply(Block::Ones(size(), 1), sums);
  return sums.col(0);
}

}  // namespace itomap
