// result.json, read with care: an entry that is missing, of another type or out of range is refused by its name.
//
//   const auto result = ResultEntry::whole("result");
//   result.at("epsilon").positive();  result.at("parameters").at("alpha").number();
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "itomap/core/types.hpp"

namespace itomap::detail {

class ResultEntry {
 public:
  /// The object in `directory`/result.json. IoError, as of all that follows, if there is none.
  static ResultEntry whole(const std::string& directory);

  ResultEntry at(const std::string& key) const;
  /// None where it is absent or null.
  std::optional<ResultEntry> find(const std::string& key) const;
  /// Refuses an object that has other keys than these.
  void check_keys(const std::vector<std::string_view>& known) const;
  std::vector<ResultEntry> list() const;
  std::vector<ResultEntry> list(Index size) const;

  double number() const;
  double positive() const;
  /// For lists of results: what JSON cannot hold stands there as null.
  double number_or(double null) const;
  Index count(Index least, Index most) const;
  bool flag() const;
  std::string text() const;

  /// "result/result.json: parameters.alpha `why`; ...".
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  using Json = nlohmann::json;

  ResultEntry(std::shared_ptr<const Json> value, std::string file, std::string name)
      : value_(std::move(value)), file_(std::move(file)), name_(std::move(name)) {}
  ResultEntry part(const Json& value, const std::string& name) const;

  std::shared_ptr<const Json> value_;
  std::string file_;
  std::string name_;  // empty for the whole
};

/// What to do about a directory that is not a whole result.
inline constexpr const char* whole_result_remedy =
    "give a directory that itomap dmap, tmd or lkd wrote, as it was written";

}  // namespace itomap::detail
