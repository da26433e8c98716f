#include "io/npy_dictionary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "io/quote.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

  NpyDictionary parse() {
    expect('{');
    while (!accept('}')) {
      parse_item();
      if (accept(',')) {
        continue;
      }
      expect('}');
      break;
    }
    skip_space();
    if (!rest_.empty()) {
      damaged("text after the dictionary");
    }
    if (!descr_ || !fortran_order_ || !shape_) {
      damaged("descr, fortran_order or shape is missing");
    }
    return {std::move(*descr_), *fortran_order_, std::move(*shape_)};
  }

 private:
  void parse_item() {
    const std::string_view key = quoted();
    expect(':');
    if (key == "descr") {
      set(descr_, descr());
    } else if (key == "fortran_order") {
      set(fortran_order_, boolean());
    } else if (key == "shape") {
      set(shape_, tuple());
    } else {
      damaged("unknown key " + quote(key));
    }
  }

  template <class Value>
  void set(std::optional<Value>& field, Value value) {
    if (field) {
      damaged("a key occurs twice");
    }
    field = std::move(value);
  }

  std::string descr() {
    skip_space();
    if (rest_.starts_with('[')) {
      throw IoError(fmt::format("{}: holds a structured dtype; save a plain array of float64", name_));
    }
    return std::string(quoted());
  }

  bool boolean() {
    skip_space();
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
      if (!rest_.starts_with(word)) {
        continue;
      }
      rest_.remove_prefix(std::string_view(word).size());
      return value;
    }
    damaged("fortran_order is neither True nor False");
  }

  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> lengths;
    expect('(');
    while (!accept(')')) {
      lengths.push_back(number());
      if (accept(',')) {
        continue;
      }
      expect(')');
      if (lengths.size() == 1) {
        damaged("shape is not a tuple");
      }
      break;
    }
    return lengths;
  }

  std::size_t number() {
    skip_space();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) {
      damaged("a length in shape is no possible number");
    }
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    if (rest_.starts_with('L')) {
      rest_.remove_prefix(1);  // Python 2 wrote long integers so
    }
    return value;
  }

  std::string_view quoted() {
    skip_space();
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) {
      damaged("a quoted word is missing");
    }
    const std::size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) {
      damaged("a quote is not closed");
    }
    const std::string_view word = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return word;
  }

  void skip_space() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  bool accept(char c) {
    skip_space();
    if (!rest_.starts_with(c)) {
      return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!accept(c)) {
      damaged(fmt::format("'{}' is missing", c));
    }
  }

  [[noreturn]] void damaged(const std::string& why) const {
    throw IoError(fmt::format("{}: damaged .npy header: {}; save it again", name_, why));
  }

  std::string_view rest_;
  const std::string& name_;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::size_t>> shape_;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, const std::string& name) {
  return DictionaryParser(text, name).parse();
}

}  // namespace itomap::detail
