// What the program knows of the screen in front of it, and how text is laid out there.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace itomap::cli {

bool is_terminal(std::FILE* stream);
/// Columns of the terminal behind the stream; `otherwise` if there is none.
std::size_t columns(std::FILE* stream, std::size_t otherwise);
/// Whether the locale of the user can show more than ASCII.
bool speaks_utf8();

/// Marks for text on a terminal that shows colours; they vanish elsewhere and with NO_COLOR set.
struct Style {
  explicit Style(std::FILE* stream);
  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string warn(std::string_view text) const { return wrap("33", text); }
  std::string fail(std::string_view text) const { return wrap("31", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool active_;
};

/// Breaks `text` at blanks so that lines fit into `width`; every line but the first starts with `indent` blanks.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// "1 point", "2 points".
std::string plural(std::size_t count, std::string_view noun);

/// Standard streams that were closed by whoever started the program are opened on nothing: otherwise the first files
/// that it opens would get their numbers, and its messages. Writing to them fails as it did.
void occupy_standard_streams();

/// Writes to standard output or throws a std::runtime_error that says why it could not.
void print(std::string_view text);
/// Writes to standard error. If that fails there is nobody to tell: it never throws, and the exit code stays.
void tell(std::string_view text);
/// "itomap: warning: ..." on standard error: one line, broken between words on a terminal.
void print_warning(std::string_view message);
/// "itomap: error: ..." on standard error, in one line whatever the message holds.
void print_error(std::string_view message);

}  // namespace itomap::cli
