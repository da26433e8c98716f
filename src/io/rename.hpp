// Directories put into place in one step, so that nobody ever sees half of one.
#pragma once

#include <filesystem>
#include <system_error>

namespace itomap::detail {

/// Renames `from` to `to`, which must not exist. A file system that cannot promise that gets a plain rename, which
/// still refuses to overwrite all but an empty directory.
std::error_code rename_new(const std::filesystem::path& from, const std::filesystem::path& to);

/// Swaps two directories in one step where the file system can, and by exchange_in_steps where it cannot.
std::error_code exchange(const std::filesystem::path& one, const std::filesystem::path& other);

/// Swaps two directories by three renames; if one of them fails, what was done is undone.
std::error_code exchange_in_steps(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace itomap::detail
