// What a check found: kinds and one line each.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace itomap::differential {

struct Finding {
  std::string kind;  ///< "eigenvalues", "flags", ...
  std::string text;
};

class Findings {
 public:
  template <class... Args>
  void add(std::string kind, fmt::format_string<Args...> text, Args&&... args) {
    all_.push_back({std::move(kind), fmt::format(text, std::forward<Args>(args)...)});
  }
  /// `value` is at most `bound`; NaN is not.
  void expect_at_most(const std::string& kind, const std::string& what, double value, double bound) {
    ++checked_[kind];
    if (!(value <= bound)) {
      add(kind, "{}: {:.3g}, at most {:.3g} expected", what, value, bound);
    }
  }
  /// A check that holds.
  void passed(const std::string& kind) { ++checked_[kind]; }
  /// A check that could not be made: conditions too bad, or a tie.
  void skipped(const std::string& kind) { ++skipped_[kind]; }

  /// The library said no, for a reason that the problem gives.
  void refuse(std::string why) { refusal_ = std::move(why); }

  const std::string& refusal() const { return refusal_; }
  bool none() const { return all_.empty(); }
  const std::vector<Finding>& all() const { return all_; }
  const std::map<std::string, long>& checks() const { return checked_; }
  const std::map<std::string, long>& skips() const { return skipped_; }

 private:
  std::vector<Finding> all_;
  std::map<std::string, long> checked_;
  std::map<std::string, long> skipped_;
  std::string refusal_;
};

}  // namespace itomap::differential
