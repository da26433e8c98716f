// What the HDF5 C library leaves to its callers: closing what was opened, and asking why something failed.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

namespace itomap::detail {

/// An identifier that closes itself.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle() {
    if (valid()) {
      close_(id_);
    }
  }

  bool valid() const { return id_ >= 0; }
  hid_t get() const { return id_; }

 private:
  hid_t id_;
  Close close_;
};

/// The innermost reason of the last failure, e.g. "file signature not found".
inline std::string hdf5_error() {
  const auto keep_first = [](unsigned depth, const H5E_error2_t* error, void* text) -> herr_t {
    if (depth == 0 && error->desc != nullptr) {
      *static_cast<std::string*>(text) = error->desc;
    }
    return 0;
  };
  std::string reason = "unknown reason";
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &reason);
  return reason;
}

}  // namespace itomap::detail
