#include "progress_display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "signals.hpp"
#include "terminal.hpp"

namespace itomap::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 2s;
constexpr auto redraw_period = 200ms;
constexpr auto line_period = 5s;
constexpr int bar_width = 24;

std::string bar(double fraction) {
  const int full = static_cast<int>(std::lround(std::clamp(fraction, 0.0, 1.0) * bar_width));
  const auto [done, todo] = speaks_utf8() ? std::pair("━", "╌") : std::pair("#", ".");
  const Style style(stderr);
  std::string left, right;
  for (int i = 0; i < bar_width; ++i) {
    (i < full ? left : right) += i < full ? done : todo;
  }
  return style.bold(left) + style.dim(right);
}

// The rest of the stage at the pace so far; silent until there is something to judge by.
std::string time_left(double elapsed, double fraction) {
  if (fraction <= 0.01 || elapsed < 1) {
    return "";
  }
  return duration_text(elapsed * (1 - fraction) / fraction) + " left";
}

std::string joined(const ProgressUpdate& update, double elapsed) {
  std::string text(update.stage);
  if (update.fraction >= 0) {
    text += fmt::format("  {:3.0f} %", 100 * std::min(update.fraction, 1.0));
  }
  const auto left = time_left(elapsed, update.fraction);
  text += fmt::format("  {}", left.empty() ? duration_text(elapsed) + " so far" : left);
  if (!update.detail.empty()) {
    text += fmt::format("  ({})", update.detail);
  }
  return text;
}

}  // namespace

std::string duration_text(double seconds) {
  const long s = std::lround(std::max(seconds, 0.0));
  if (s < 60) {
    return fmt::format("{} s", s);
  }
  if (s < 3600) {
    return fmt::format("{} min {} s", s / 60, s % 60);
  }
  return fmt::format("{} h {} min", s / 3600, s % 3600 / 60);
}

ProgressDisplay::ProgressDisplay(bool visible)
    : visible_(visible), terminal_(is_terminal(stderr)), next_draw_(Clock::now() + patience) {}

ProgressDisplay::~ProgressDisplay() { erase(); }

Progress ProgressDisplay::callback() {
  return [this](const ProgressUpdate& now) {
    update(now);
    return pending_signal() == 0;
  };
}

void ProgressDisplay::update(const ProgressUpdate& update) {
  const auto now = Clock::now();
  if (update.stage != stage_) {
    stage_ = update.stage;
    stage_begin_ = now;
  }
  if (visible_ && now >= next_draw_) {
    draw(update, now);
  }
}

void ProgressDisplay::draw(const ProgressUpdate& update, Clock::time_point now) {
  const auto text = joined(update, std::chrono::duration<double>(now - stage_begin_).count());
  next_draw_ = now + (terminal_ ? Clock::duration(redraw_period) : Clock::duration(line_period));
  if (!terminal_) {
    tell(fmt::format("itomap: {}\n", text));
    return;
  }
  const bool barred = update.fraction >= 0;
  const std::size_t room = std::max<std::size_t>(columns(stderr, 80), 20) - 1;
  const std::size_t taken = barred ? bar_width + 2 : 0;
  const auto shown = text.substr(0, room > taken ? room - taken : 0);
  tell(fmt::format("\r\033[K{}{}", barred ? bar(update.fraction) + "  " : "", shown));
  drawn_ = true;
}

void ProgressDisplay::erase() {
  if (drawn_) {
    tell("\r\033[K");
  }
  drawn_ = false;
}

}  // namespace itomap::cli
