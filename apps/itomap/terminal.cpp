#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace itomap::cli {
namespace {

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::string one_line(std::string_view message) {
  std::string line(message);
  std::ranges::replace_if(
      line, [](unsigned char c) { return c < ' '; }, ' ');
  return line;
}

}  // namespace

bool is_terminal(std::FILE* stream) { return isatty(fileno(stream)) == 1; }

std::size_t columns(std::FILE* stream, std::size_t otherwise) {
  winsize size{};
  const bool known = is_terminal(stream) && ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : otherwise;
}

bool speaks_utf8() {
  std::string locale;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (locale.empty()) {
      locale = environment(name);
    }
  }
  std::ranges::transform(locale, locale.begin(), [](unsigned char c) { return std::toupper(c); });
  return locale.find("UTF-8") != std::string::npos || locale.find("UTF8") != std::string::npos;
}

Style::Style(std::FILE* stream)
    : active_(is_terminal(stream) && environment("NO_COLOR").empty() && environment("TERM") != "dumb") {}

std::string Style::wrap(std::string_view code, std::string_view text) const {
  return active_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void occupy_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) {
      open("/dev/null", O_RDONLY);  // takes the lowest free number
    }
  }
}

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) {
    throw std::runtime_error(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  }
}

void tell(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_warning(std::string_view message) {
  constexpr std::string_view prefix = "itomap: warning: ";
  auto text = std::string(prefix) + one_line(message);
  if (is_terminal(stderr)) {
    text = wrapped(text, 2, std::max<std::size_t>(columns(stderr, 80), 40) - 2);
  }
  tell(fmt::format("itomap: {} {}\n", Style(stderr).warn("warning:"), text.substr(prefix.size())));
}

void print_error(std::string_view message) {
  tell(fmt::format("itomap: {} {}\n", Style(stderr).fail("error:"), one_line(message)));
}

}  // namespace itomap::cli
