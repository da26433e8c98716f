// An open file that closes itself.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace itomap::detail {

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() { close(); }

  bool valid() const { return number_ >= 0; }
  int get() const { return number_; }

  /// False if the system reports here that an earlier write was lost.
  bool close() { return !valid() || ::close(std::exchange(number_, -1)) == 0; }

 private:
  int number_;
};

/// The reason of the last failed system call, in words.
inline std::string last_error() { return std::generic_category().message(errno); }

}  // namespace itomap::detail
