#include "io/result_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "io/mapped_file.hpp"
#include "io/quote.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

[[noreturn]] void refuse_file(const std::string& file) {
  throw IoError(fmt::format("{}: is not a JSON object; {}", file, whole_result_remedy));
}

void check_object_start(Bytes start, const std::string& file) {
  const std::string_view text = as_text(start);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '{') {
    refuse_file(file);
  }
}

}  // namespace

ResultEntry ResultEntry::whole(const std::string& directory) {
  const std::string file = (std::filesystem::path(directory) / "result.json").string();
  std::error_code unreadable;
  if (!std::filesystem::exists(file, unreadable)) {
    throw IoError(
        fmt::format("{}: not a result directory, result.json is missing; {}", directory, whole_result_remedy));
  }
  const SharedBytes bytes = load_file(file, file, check_object_start);
  auto value = std::make_shared<const Json>(Json::parse(as_text(bytes.bytes), nullptr, /*allow_exceptions=*/false));
  if (!value->is_object()) {
    refuse_file(file);
  }
  return {std::move(value), file, ""};
}

ResultEntry ResultEntry::part(const Json& value, const std::string& name) const {
  return {std::shared_ptr<const Json>(value_, &value), file_, name};
}

std::optional<ResultEntry> ResultEntry::find(const std::string& key) const {
  if (!value_->is_object()) {
    refuse("is not an object");
  }
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) {
    return std::nullopt;
  }
  return part(*found, name_.empty() ? key : name_ + "." + key);
}

ResultEntry ResultEntry::at(const std::string& key) const {
  if (const auto found = find(key)) {
    return *found;
  }
  part(*value_, name_.empty() ? key : name_ + "." + key).refuse("is missing");
}

void ResultEntry::check_keys(const std::vector<std::string_view>& known) const {
  if (!value_->is_object()) {
    refuse("is not an object");
  }
  for (const auto& [key, value] : value_->items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      part(value, name_.empty() ? key : name_ + "." + key).refuse("is not a field of such a result");
    }
  }
}

std::vector<ResultEntry> ResultEntry::list() const {
  if (!value_->is_array()) {
    refuse("is not a list");
  }
  std::vector<ResultEntry> parts;
  for (const Json& value : *value_) {
    parts.push_back(part(value, fmt::format("{}[{}]", name_, parts.size())));
  }
  return parts;
}

std::vector<ResultEntry> ResultEntry::list(Index size) const {
  auto parts = list();
  if (Index(parts.size()) != size) {
    refuse(fmt::format("has {} entries, not {}", parts.size(), size));
  }
  return parts;
}

double ResultEntry::number() const {
  if (!value_->is_number() || !std::isfinite(value_->get<double>())) {
    refuse("is not a number");
  }
  return value_->get<double>();
}

double ResultEntry::positive() const {
  if (!(number() > 0.0)) {
    refuse("is not a number > 0");
  }
  return number();
}

double ResultEntry::number_or(double null) const { return value_->is_null() ? null : number(); }

Index ResultEntry::count(Index least, Index most) const {
  const bool whole = value_->is_number_integer() && value_->get<double>() < 9e18;
  const Index found = whole ? value_->get<Index>() : -1;
  if (!whole || found < least || found > most) {
    refuse(fmt::format("is not a whole number from {} to {}", least, most));
  }
  return found;
}

bool ResultEntry::flag() const {
  if (!value_->is_boolean()) {
    refuse("is neither true nor false");
  }
  return value_->get<bool>();
}

std::string ResultEntry::text() const {
  if (!value_->is_string()) {
    refuse("is not text");
  }
  return value_->get<std::string>();
}

void ResultEntry::refuse(const std::string& why) const {
  throw IoError(fmt::format("{}: {} {}; {}", file_, quote(name_), why, whole_result_remedy));
}

}  // namespace itomap::detail
