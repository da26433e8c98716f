#include "io/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

#include "io/quote.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

using Text = std::string_view;

constexpr Text white_space = " \t\r\f\v";
constexpr Text separators = " \t,;";

Text trim(Text text) {
  const std::size_t begin = std::min(text.find_first_not_of(white_space), text.size());
  return text.substr(begin, text.find_last_not_of(white_space) + 1 - begin);
}

// A number at the front of `text`; how far it reaches, 0 if there is none. As from_chars, but with a leading plus.
std::size_t scan_number(Text text, double& value, std::errc& error) {
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  const char* begin = text.data() + (plus ? 1 : 0);
  const auto result = std::from_chars(begin, text.data() + text.size(), value);
  error = result.ec;
  return result.ptr == begin ? 0 : static_cast<std::size_t>(result.ptr - text.data());
}

bool is_number(Text word) {
  double value = 0;
  std::errc error{};
  return !word.empty() && scan_number(word, value, error) == word.size();
}

bool has_number(Text line) {
  while (!line.empty()) {
    const std::size_t end = std::min(line.find_first_of(separators), line.size());
    if (is_number(line.substr(0, end))) {
      return true;
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return false;
}

// A blank means any run of white space.
char separator_of(Text line) {
  for (const char separator : {';', ',', '\t'}) {
    if (line.find(separator) != Text::npos) {
      return separator;
    }
  }
  return ' ';
}

// Hands out the lines that hold something, without comments and white space at their ends, and counts all of them.
class Lines {
 public:
  explicit Lines(Text text) : rest_(text) {}

  std::optional<Text> next() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      const Text line = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      const Text content = trim(line.substr(0, line.find('#')));
      if (!content.empty()) {
        return content;
      }
    }
    return std::nullopt;
  }

  std::size_t number() const { return number_; }

 private:
  Text rest_;
  std::size_t number_ = 0;
};

class Table {
 public:
  Table(Text text, const std::string& name) : name_(name), text_(text), lines_(text) {}

  Array read() {
    std::optional<Text> line = lines_.next();
    Text header;
    if (line && !has_number(*line)) {
      header = *line;
      line = lines_.next();
    }
    if (!line) {
      throw IoError(fmt::format("{}: holds no numbers; expected one line per point", name_));
    }
    separator_ = separator_of(*line);
    columns_ = read_row(*line);
    reserve();
    while ((line = lines_.next())) {
      check_columns(read_row(*line));
    }
    Array table = array();
    if (auto names = names_in(header); names.size() == columns_) {
      table.column_names = std::move(names);
    }
    return table;
  }

 private:
  // Without the quotes that some programs put around them.
  std::vector<std::string> names_in(Text header) const {
    std::vector<std::string> names;
    while (!header.empty()) {
      const std::size_t end =
          std::min(separator_ == ' ' ? header.find_first_of(" \t") : header.find(separator_), header.size());
      Text name = trim(header.substr(0, end));
      if (name.size() > 1 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front()) {
        name = name.substr(1, name.size() - 2);
      }
      names.emplace_back(name);
      header.remove_prefix(std::min(end + 1, header.size()));
      if (separator_ == ' ') {
        skip_blanks(header);
      }
    }
    return names;
  }

  // Appends the numbers of a line; how many there were.
  std::size_t read_row(Text rest) {
    for (std::size_t column = 1;; ++column) {
      skip_blanks(rest);
      values_.push_back(take_number(rest, column));
      if (rest.empty()) {
        return column;
      }
      if (separator_ != ' ') {
        rest.remove_prefix(1);
      }
    }
  }

  // Leaves `rest` at the separator after the number.
  double take_number(Text& rest, std::size_t column) {
    double value = 0;
    std::errc error{};
    Text after = rest.substr(scan_number(rest, value, error));
    const bool ends_here = after.empty() || separators.find(after[0]) != Text::npos;
    skip_blanks(after);
    const bool separated = after.empty() || separator_ == ' ' || after[0] == separator_;
    if (error != std::errc{} || !ends_here || !separated) {
      refuse_field(rest, column, error);
    }
    rest = after;
    return value;
  }

  void skip_blanks(Text& rest) const {
    const Text blanks = separator_ == '\t' ? " " : white_space;
    while (!rest.empty() && blanks.find(rest[0]) != Text::npos) {
      rest.remove_prefix(1);
    }
  }

  [[noreturn]] void refuse_field(Text rest, std::size_t column, std::errc error) const {
    const Text field = trim(rest.substr(0, separator_ == ' ' ? rest.find_first_of(" \t") : rest.find(separator_)));
    const std::string where = fmt::format("{}, line {}, column {}: ", name_, lines_.number(), column);
    if (field.empty()) {
      throw IoError(where + "is empty; every line needs the same number of values");
    }
    if (error == std::errc::result_out_of_range) {
      throw IoError(where + quote(field) + " is beyond double precision");
    }
    throw IoError(where + quote(field) + " is not a number");
  }

  void check_columns(std::size_t found) const {
    if (found == columns_) {
      return;
    }
    throw IoError(fmt::format("{}: line {} has {} value{}, the lines before it {}", name_, lines_.number(), found,
                              found == 1 ? "" : "s", columns_));
  }

  // Exact for a plain table, and never more than the text can hold (two characters a value).
  void reserve() {
    const auto lines = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n')) + 1;
    values_.reserve(lines > text_.size() / columns_ ? text_.size() / 2 + 1 : lines * columns_);
  }

  Array array() {
    const std::size_t rows = values_.size() / columns_;
    const auto owner = std::make_shared<const std::vector<double>>(std::move(values_));
    const std::shared_ptr<const double> data(owner, owner->data());
    return {columns_ == 1 ? std::vector{rows} : std::vector{rows, columns_}, data, name_};
  }

  const std::string& name_;
  Text text_;
  Lines lines_;
  char separator_ = ' ';
  std::size_t columns_ = 0;
  std::vector<double> values_;
};

Text without_byte_order_mark(Text text, const std::string& name) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    throw IoError(fmt::format("{}: is UTF-16 text; save it as UTF-8 or plain text", name));
  }
  if (text.starts_with("\xEF\xBB\xBF")) {
    text.remove_prefix(3);
  }
  return text;
}

}  // namespace

void check_text_start(Bytes start, const std::string& name) {
  constexpr std::size_t enough = 4096;
  const Text text = without_byte_order_mark(as_text(start), name);
  if (text.substr(0, enough).find('\0') != Text::npos) {
    throw IoError(fmt::format("{}: is not text; check its name or save it again", name));
  }
}

Array parse_csv(Bytes file, const std::string& name) {
  check_text_start(file, name);
  return Table(without_byte_order_mark(as_text(file), name), name).read();
}

}  // namespace itomap::detail
