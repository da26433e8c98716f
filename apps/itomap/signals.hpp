// Ctrl-C, SIGTERM and a closed terminal.
//
// While nothing is on disk a signal ends the program at once. While a DeferSignals lives it is only noted, and whoever
// computes stops at the next opportunity and cleans up; a second signal then kills without further ado. Either way the
// exit code is 128 + the number of the signal, as shells expect.
#pragma once

#include <functional>
#include <thread>

namespace itomap::cli {

void install_signal_handlers();

class DeferSignals {
 public:
  DeferSignals();
  ~DeferSignals();
  DeferSignals(const DeferSignals&) = delete;
  DeferSignals& operator=(const DeferSignals&) = delete;
};

/// The signal that came, or 0.
int pending_signal();
/// Throws Cancelled if one came.
void stop_if_signalled();
/// Says on standard error that the run was stopped; returns the exit code.
int report_stopped();

/// Ends the program if a computation does not obey a signal within two seconds, be it in the middle of a long product:
/// `clean_up` runs in a thread of its own, then the process exits. The computation must not touch what is cleaned up.
class Watchdog {
 public:
  explicit Watchdog(std::function<void()> clean_up);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

 private:
  std::jthread thread_;
};

}  // namespace itomap::cli
