// Shows on standard error how far a long computation has come.
//
// On a terminal: one line with a bar, redrawn a few times a second and erased at the end. Elsewhere: a plain line every
// few seconds. Nothing is shown for what is done within two seconds.
#pragma once

#include <chrono>
#include <string>

#include "itomap/core/execution.hpp"

namespace itomap::cli {

class ProgressDisplay {
 public:
  explicit ProgressDisplay(bool visible);
  ~ProgressDisplay();
  ProgressDisplay(const ProgressDisplay&) = delete;
  ProgressDisplay& operator=(const ProgressDisplay&) = delete;

  /// For the options of the library; stops the computation when a signal came. Must not outlive this object.
  Progress callback();

  /// Takes the bar off the screen; the destructor does so too.
  void erase();

 private:
  using Clock = std::chrono::steady_clock;

  void update(const ProgressUpdate& update);
  void draw(const ProgressUpdate& update, Clock::time_point now);

  bool visible_;
  bool terminal_;
  bool drawn_ = false;
  std::string stage_;
  Clock::time_point stage_begin_;
  Clock::time_point next_draw_;
};

/// "45 s", "3 min 20 s", "2 h 5 min".
std::string duration_text(double seconds);

}  // namespace itomap::cli
