// Which files of an output directory itomap wrote itself: the only ones that it ever replaces or removes.
//
// The directory says so in a list, one path a line, folders with a slash at their end. A path on it gives leave to
// remove what lies there and nothing else: a list that was made to name files elsewhere does no harm.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace itomap::detail {

inline constexpr const char* own_files_list = ".itomap-files";

/// Lists everything that is in the directory, folders and their files included.
void list_own_files(const std::filesystem::path& directory);

/// Adds files to the list, before they are put into place. Programs that do so at the same time do not disturb each
/// other.
void add_own_files(const std::filesystem::path& directory, std::span<const std::string> names);

/// What is in the directory and not on its list, or neither a plain file nor a folder: the first by the alphabet.
std::optional<std::string> find_stranger(const std::filesystem::path& directory);

/// The same among the files of these names; those that do not exist are no strangers.
std::optional<std::string> find_stranger(const std::filesystem::path& directory, std::span<const std::string> names);

/// Removes what is on the list, and the directory unless something else is in it.
void remove_own_files(const std::filesystem::path& directory);

}  // namespace itomap::detail
