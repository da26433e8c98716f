#include "core/crew.hpp"

#include <system_error>

#include "core/context.hpp"

namespace itomap::detail {
namespace {

thread_local Crew* crew_of_this_thread = nullptr;

}  // namespace

Crew::Crew() {
  const int threads = current_threads();
  if (crew_of_this_thread != nullptr || threads < 2) {
    return;
  }
  try {
    for (int t = 1; t < threads; ++t) {
      helpers_.emplace_back([this] { serve(); });
    }
  } catch (const std::system_error&) {
    // The system has no more threads to give; fewer give the same result.
  }
  crew_of_this_thread = this;
}

Crew::~Crew() {
  if (crew_of_this_thread != this) {
    return;
  }
  crew_of_this_thread = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  start_.notify_all();
}

Crew* Crew::idle() {
  Crew* const crew = crew_of_this_thread;
  return crew != nullptr && crew->job_ == nullptr ? crew : nullptr;  // only this thread sets the job
}

void Crew::run(int helpers, const std::function<void()>& help, const std::function<void()>& own) {
  {
    const std::scoped_lock lock(mutex_);
    job_ = &help;
    ++number_;
    wanted_ = helpers;
  }
  if (helpers == 1) {
    start_.notify_one();
  } else {
    start_.notify_all();
  }
  own();
  std::unique_lock lock(mutex_);
  wanted_ = 0;
  finished_.wait(lock, [this] { return active_ == 0; });
  job_ = nullptr;
}

void Crew::serve() {
  std::uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    start_.wait(lock, [&] { return over_ || (number_ != seen && wanted_ > 0); });
    if (over_) {
      return;
    }
    seen = number_;
    --wanted_;
    ++active_;
    const auto* const job = job_;
    lock.unlock();
    (*job)();
    lock.lock();
    if (--active_ == 0) {
      finished_.notify_one();
    }
  }
}

}  // namespace itomap::detail
