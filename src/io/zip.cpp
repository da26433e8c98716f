#include "io/zip.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/inflate.hpp"
#include "io/quote.hpp"
#include "io/values.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

// Names, places and fields of the records as in the format's specification (PKWARE APPNOTE).
constexpr std::uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50, end_signature = 0x06054b50,
                        end64_signature = 0x06064b50, locator64_signature = 0x07064b50;
constexpr std::size_t local_size = 30, central_size = 46, end_size = 22, end64_size = 56, locator64_size = 20;
constexpr std::uint32_t see_zip64 = 0xFFFFFFFF;
constexpr std::uint16_t see_zip64_count = 0xFFFF;

struct Place {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

[[noreturn]] void damaged(const std::string& archive_name, std::string_view what) {
  throw IoError(fmt::format("{}: damaged or truncated archive ({}); copy or save it again", archive_name, what));
}

// The part of the archive at `place`.
Bytes part(Bytes archive, Place place, const std::string& archive_name) {
  if (place.offset > archive.size() || place.size > archive.size() - place.offset) {
    damaged(archive_name, "a record lies outside the file");
  }
  return archive.subspan(place.offset, place.size);
}

Bytes record(Bytes archive, Place place, std::uint32_t signature, const std::string& archive_name) {
  const Bytes found = part(archive, place, archive_name);
  if (little_endian<std::uint32_t>(found, 0) != signature) damaged(archive_name, "a record has a wrong signature");
  return found;
}

// The end record is the last thing in the file but for a comment of up to 65535 bytes.
std::size_t find_end(Bytes archive, const std::string& archive_name) {
  for (std::size_t comment = 0; comment <= 0xFFFF && comment + end_size <= archive.size(); ++comment) {
    const std::size_t offset = archive.size() - end_size - comment;
    if (little_endian<std::uint32_t>(archive, offset) == end_signature &&
        little_endian<std::uint16_t>(archive, offset + 20) == comment) {
      return offset;
    }
  }
  throw IoError(
      fmt::format("{}: is not a whole .npz file (no zip directory at its end); copy or save it again", archive_name));
}

Place directory64(Bytes archive, std::size_t end, const std::string& archive_name) {
  if (end < locator64_size) damaged(archive_name, "no zip64 locator");
  const Bytes locator = record(archive, {end - locator64_size, locator64_size}, locator64_signature, archive_name);
  const Bytes end64 =
      record(archive, {little_endian<std::uint64_t>(locator, 8), end64_size}, end64_signature, archive_name);
  return {little_endian<std::uint64_t>(end64, 48), little_endian<std::uint64_t>(end64, 40)};
}

Place directory(Bytes archive, const std::string& archive_name) {
  const std::size_t end = find_end(archive, archive_name);
  const Place place{little_endian<std::uint32_t>(archive, end + 16), little_endian<std::uint32_t>(archive, end + 12)};
  const bool zip64 = little_endian<std::uint16_t>(archive, end + 10) == see_zip64_count || place.offset == see_zip64 ||
                     place.size == see_zip64;
  return zip64 ? directory64(archive, end, archive_name) : place;
}

// Fields that did not fit into 32 bits stand in the zip64 extra field, in this order, only those that did not.
void read_zip64_extra(ZipMember& member, Bytes extra, const std::string& archive_name) {
  std::size_t at = 0;
  for (std::uint64_t* field : {&member.size, &member.packed_size, &member.offset}) {
    if (*field != see_zip64) continue;
    if (extra.size() - at < 8) damaged(archive_name, "a zip64 field is missing");
    *field = little_endian<std::uint64_t>(extra, at);
    at += 8;
  }
}

void read_extras(ZipMember& member, Bytes extras, const std::string& archive_name) {
  while (extras.size() >= 4) {
    const std::size_t size = little_endian<std::uint16_t>(extras, 2);
    if (size > extras.size() - 4) damaged(archive_name, "an extra field is cut off");
    if (little_endian<std::uint16_t>(extras, 0) == 1) read_zip64_extra(member, extras.subspan(4, size), archive_name);
    extras = extras.subspan(4 + size);
  }
}

// Takes one member off the front of what is left of the directory.
ZipMember take_member(Bytes& rest, const std::string& archive_name) {
  const Bytes fixed = record(rest, {0, central_size}, central_signature, archive_name);
  const std::size_t name_size = little_endian<std::uint16_t>(fixed, 28);
  const std::size_t extra_size = little_endian<std::uint16_t>(fixed, 30);
  const std::size_t comment_size = little_endian<std::uint16_t>(fixed, 32);
  const Bytes name = part(rest, {central_size, name_size}, archive_name);
  ZipMember member;
  member.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
  member.flags = little_endian<std::uint16_t>(fixed, 8);
  member.method = little_endian<std::uint16_t>(fixed, 10);
  member.checksum = little_endian<std::uint32_t>(fixed, 16);
  member.packed_size = little_endian<std::uint32_t>(fixed, 20);
  member.size = little_endian<std::uint32_t>(fixed, 24);
  member.offset = little_endian<std::uint32_t>(fixed, 42);
  read_extras(member, part(rest, {central_size + name_size, extra_size}, archive_name), archive_name);
  const std::size_t total = central_size + name_size + extra_size + comment_size;
  rest = rest.subspan(part(rest, {0, total}, archive_name).size());
  return member;
}

Bytes packed_bytes(Bytes archive, const ZipMember& member, const std::string& archive_name) {
  const Bytes local = record(archive, {member.offset, local_size}, local_signature, archive_name);
  const std::uint64_t begin =
      member.offset + local_size + little_endian<std::uint16_t>(local, 26) + little_endian<std::uint16_t>(local, 28);
  return part(archive, {begin, member.packed_size}, archive_name);
}

SharedBytes unpacked(const SharedBytes& archive, const ZipMember& member, const std::string& archive_name) {
  const Bytes packed = packed_bytes(archive.bytes, member, archive_name);
  if (member.method == 8) {
    require_memory(member.size, archive_name);
    const auto bytes = inflate_exactly(packed, member.size);
    if (!bytes) damaged(archive_name, quote(member.name) + " cannot be unpacked");
    return *bytes;
  }
  if (packed.size() != member.size) damaged(archive_name, quote(member.name) + " has two different sizes");
  return {archive.owner, packed};
}

}  // namespace

void check_zip_start(Bytes start, const std::string& archive_name) {
  const auto signature = start.size() < 4 ? 0 : little_endian<std::uint32_t>(start, 0);
  if (signature != local_signature && signature != end_signature)
    throw IoError(fmt::format("{}: is not a .npz file; check its name or save it again", archive_name));
}

std::vector<ZipMember> zip_members(Bytes archive, const std::string& archive_name) {
  Bytes rest = part(archive, directory(archive, archive_name), archive_name);
  std::vector<ZipMember> members;
  while (!rest.empty()) members.push_back(take_member(rest, archive_name));
  return members;
}

SharedBytes unzip(const SharedBytes& archive, const ZipMember& member, const std::string& archive_name) {
  constexpr unsigned encrypted = 1;
  if ((member.flags & encrypted) != 0 || (member.method != 0 && member.method != 8)) {
    throw IoError(fmt::format("{}: {} is encrypted or packed by an unknown method; save it with numpy.savez",
                              archive_name, quote(member.name)));
  }
  SharedBytes bytes = unpacked(archive, member, archive_name);
  if (checksum(bytes.bytes) != member.checksum) damaged(archive_name, quote(member.name) + " has a wrong checksum");
  return bytes;
}

}  // namespace itomap::detail
