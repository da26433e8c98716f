// Ctrl-C, SIGTERM and a closed terminal.
//
// While nothing is on disk a signal ends the program at once. While a DeferSignals lives it is only noted, and whoever
// computes stops at the next opportunity and cleans up; a second signal then kills without further ado. Either way the
// exit code is 128 + the number of the signal, as shells expect.
#pragma once

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

}  // namespace itomap::cli
