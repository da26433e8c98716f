// A reader of zip archives, as far as .npz files need it: stored and deflated members, zip64, checksums.
//
// Sizes and places come from the central directory at the end, so that members written as a stream (sizes after the
// data) need no special care. Every offset is checked against the archive before it is used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/bytes.hpp"

namespace itomap::detail {

struct ZipMember {
  std::string name;
  std::uint16_t flags = 0;
  std::uint16_t method = 0;  ///< 0 stored, 8 deflated
  std::uint32_t checksum = 0;
  std::uint64_t packed_size = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;  ///< of its local header
};

/// Throws IoError unless an archive can begin like this, with a member or, if it is empty, with its end.
void check_zip_start(Bytes start, const std::string& archive_name);

/// The members in the order of the directory; `archive_name` is for messages. IoError if it is not a whole zip archive.
std::vector<ZipMember> zip_members(Bytes archive, const std::string& archive_name);

/// The bytes of a member, its checksum verified; a stored one shares the archive's memory.
SharedBytes unzip(const SharedBytes& archive, const ZipMember& member, const std::string& archive_name);

}  // namespace itomap::detail
