#include "signals.hpp"

#include <unistd.h>

#include <csignal>

#include "itomap/core/error.hpp"

namespace itomap::cli {
namespace {

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t deferred = 0;

extern "C" void on_signal(int number) {
  if (!deferred) _exit(128 + number);
  received = number;
}

}  // namespace

void install_signal_handlers() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // reset: the second one kills
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaction(number, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that went away is an error of print(), not a reason to leave files behind
}

DeferSignals::DeferSignals() { deferred = 1; }
DeferSignals::~DeferSignals() { deferred = 0; }

int pending_signal() { return received; }

void stop_if_signalled() {
  if (received) throw Cancelled();
}

}  // namespace itomap::cli
