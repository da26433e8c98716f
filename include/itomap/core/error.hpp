// What can go wrong, sorted by what the caller can do about it.
//
// Every message is one line: what is wrong, where, and what to do. The command line turns InvalidArgument and IoError
// into exit code 2, everything else into exit code 1.
#pragma once

#include <stdexcept>

namespace itomap {

/// The root: catch this to catch everything the library throws on purpose.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The input or an option is wrong, or asks for more memory than allowed: change the call.
class InvalidArgument : public Error {
 public:
  using Error::Error;
};

/// A file cannot be read or written, or is not what its name promises: mend the file or the path.
class IoError : public Error {
 public:
  using Error::Error;
};

/// What would be written is there already: choose another name, or allow it to be replaced.
class OutputExists : public IoError {
 public:
  using IoError::IoError;
};

/// The numbers broke down although the input was legal: try another epsilon, or report it.
class NumericalError : public Error {
 public:
  using Error::Error;
};

/// The progress callback asked to stop.
class Cancelled : public Error {
 public:
  Cancelled() : Error("stopped on request") {}
};

}  // namespace itomap
