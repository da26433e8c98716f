// The execution that the calling thread is in: threads, memory and progress without an argument through many hands.
//
// A function of the public interface enters the execution of its map or of its options; whatever it calls asks here.
//
//   const ExecutionScope scope(map.execution());   // from here on, while it is in scope
//   current_threads();
#pragma once

#include "itomap/core/execution.hpp"

namespace itomap::detail {

class ExecutionScope {
 public:
  /// `execution` must outlive it. Scopes nest.
  explicit ExecutionScope(const Execution& execution);
  ~ExecutionScope();
  ExecutionScope(const ExecutionScope&) = delete;
  ExecutionScope& operator=(const ExecutionScope&) = delete;

 private:
  const Execution* outer_;
};

/// That of the innermost scope; all defaults where there is none.
const Execution& current_execution();

/// Its threads, with 0 replaced by all cores.
int current_threads();

}  // namespace itomap::detail
