#include "signals.hpp"

#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

#include "itomap/core/error.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

constexpr std::time_t patience_seconds = 2;

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t deferred = 0;
sem_t wake;  // what a handler may post

extern "C" void on_signal(int number) {
  if (!deferred) {
    _exit(128 + number);
  }
  received = number;
  sem_post(&wake);
}

void wait_for_wake() {
  while (sem_wait(&wake) != 0 && errno == EINTR) {
  }
}

bool woken_within_patience() {
  timespec deadline{};
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += patience_seconds;
  int status = 0;
  while ((status = sem_timedwait(&wake, &deadline)) != 0 && errno == EINTR) {
  }
  return status == 0;
}

}  // namespace

void install_signal_handlers() {
  sem_init(&wake, 0, 0);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);  // reset: the second one kills
  sigemptyset(&action.sa_mask);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    sigaction(number, &action, nullptr);
  }
  // A reader that went away or a limit on the size of files is an error of whoever writes, which cleans up.
  for (const int number : {SIGPIPE, SIGXFSZ}) {
    std::signal(number, SIG_IGN);
  }
}

DeferSignals::DeferSignals() { deferred = 1; }
DeferSignals::~DeferSignals() { deferred = 0; }

int pending_signal() { return received; }

void stop_if_signalled() {
  if (received) {
    throw Cancelled();
  }
}

int report_stopped() {
  tell("itomap: stopped; nothing was written\n");
  return 128 + pending_signal();
}

Watchdog::Watchdog(std::function<void()> clean_up)
    : thread_([clean_up = std::move(clean_up)](const std::stop_token& over) {
        wait_for_wake();  // a signal, or the end of the computation
        if (over.stop_requested() || woken_within_patience()) {
          return;
        }
        clean_up();
        _exit(report_stopped());
      }) {}

Watchdog::~Watchdog() {
  thread_.request_stop();
  sem_post(&wake);
}

}  // namespace itomap::cli
