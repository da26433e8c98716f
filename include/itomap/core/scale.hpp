// A length or time scale of a kernel: a number, or a rule that finds one in the data.
//
// The same everywhere: `epsilon` of a map in C++, --epsilon on the command line, a number or a name in files.
//
//   Scale(0.01)          the value
//   Scale::balanced()    bias and noise of the leading time scales balanced over a scan of scales: itomap/scales/
//                        scale_scan.hpp. "auto" on the command line and in files, and the default. A density scale that
//                        is balanced makes both kernels equally wide where epsilon is given, and is scanned with it
//                        where that is balanced too.
//   Scale::steepest()    where the sum of all kernel values grows fastest: itomap/scales/kernel_sum.hpp. Cheap, and
//                        often too small for data with tails.
#pragma once

#include <string>
#include <string_view>

namespace itomap {

class Scale {
 public:
  Scale(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): {.epsilon = 0.01}
  static Scale balanced() { return Scale(Rule::Balanced); }
  static Scale steepest() { return Scale(Rule::Steepest); }

  bool is_value() const { return rule_ == Rule::Value; }
  bool is_balanced() const { return rule_ == Rule::Balanced; }
  bool is_steepest() const { return rule_ == Rule::Steepest; }
  /// Of a scale that is one; 0 for a rule.
  double value() const { return value_; }

  /// "0.01", "auto" or "steepest", and back. Throws InvalidArgument for anything else.
  std::string text() const;
  static Scale from_text(std::string_view text);

  /// Throws InvalidArgument, naming `name`, for a value that is not positive or out of reach.
  void validate(std::string_view name) const;

  friend bool operator==(const Scale&, const Scale&) = default;

 private:
  enum class Rule { Value, Balanced, Steepest };
  explicit Scale(Rule rule) : rule_(rule) {}

  Rule rule_ = Rule::Value;
  double value_ = 0.0;
};

}  // namespace itomap
