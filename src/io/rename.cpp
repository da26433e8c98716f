#include "io/rename.hpp"

#include <fcntl.h>
#include <stdio.h>

#include <cerrno>

namespace itomap::detail {
namespace {

using Path = std::filesystem::path;

std::error_code rename_with(const Path& from, const Path& to, unsigned flags) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0) {
    return {};
  }
  return {errno, std::generic_category()};
}

std::error_code plain_rename(const Path& from, const Path& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  return error;
}

bool is_unsupported(const std::error_code& error) {
  return error == std::errc::invalid_argument || error == std::errc::function_not_supported ||
         error == std::errc::operation_not_supported;
}

}  // namespace

std::error_code rename_new(const Path& from, const Path& to) {
  const std::error_code error = rename_with(from, to, RENAME_NOREPLACE);
  return is_unsupported(error) ? plain_rename(from, to) : error;
}

std::error_code exchange(const Path& one, const Path& other) {
  const std::error_code error = rename_with(one, other, RENAME_EXCHANGE);
  return is_unsupported(error) ? exchange_in_steps(one, other) : error;
}

std::error_code exchange_in_steps(const Path& one, const Path& other) {
  Path aside = one;
  aside += "-aside";
  if (const std::error_code error = plain_rename(other, aside)) {
    return error;
  }
  if (const std::error_code error = plain_rename(one, other)) {
    plain_rename(aside, other);
    return error;
  }
  return plain_rename(aside, one);
}

}  // namespace itomap::detail
