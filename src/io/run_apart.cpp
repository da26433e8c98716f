#include "io/run_apart.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <new>

namespace itomap::detail {
namespace {

void limit(__rlimit_resource resource, rlim_t most) {
  rlimit now{};
  getrlimit(resource, &now);
  now.rlim_cur = std::min(now.rlim_cur, most);
  setrlimit(resource, &now);
}

/// Never returns: what stands behind the fork is the parent's.
[[noreturn]] void be_child(const std::function<void()>& work, unsigned seconds, volatile bool& finished) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_CORE, 0);
  const int nowhere = open("/dev/null", O_WRONLY);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    dup2(nowhere, stream);
  }
  try {
    work();
    finished = true;
  } catch (...) {
  }
  _exit(0);
}

}  // namespace

std::shared_ptr<void> shared_memory(std::size_t bytes) {
  const std::size_t size = std::max<std::size_t>(bytes, 1);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw std::bad_alloc();
  }
  return {memory, [size](void* address) { munmap(address, size); }};
}

bool run_apart(const std::function<void()>& work, unsigned seconds) {
  const auto memory = shared_memory(sizeof(bool));
  volatile bool& finished = *static_cast<volatile bool*>(memory.get());
  const pid_t child = fork();
  if (child < 0) {
    throw std::bad_alloc();
  }
  if (child == 0) {
    be_child(work, seconds, finished);
  }
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return finished;
}

}  // namespace itomap::detail
