// Code of others that may crash on damaged input, run where it does no harm: in a child process.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace itomap::detail {

/// Memory of this process and of the children that it starts, zero at first. Throws std::bad_alloc.
std::shared_ptr<void> shared_memory(std::size_t bytes);

/// Runs `work` in a child process and waits for it; what it leaves in shared memory is all that stays of it. False if
/// it threw, crashed, or took more than so many seconds of processor time. The child prints nothing and ends with us.
bool run_apart(const std::function<void()>& work, unsigned seconds);

}  // namespace itomap::detail
