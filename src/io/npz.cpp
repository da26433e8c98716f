#include "io/npz.hpp"

#include <fmt/format.h>

#include "io/npy.hpp"
#include "io/quote.hpp"
#include "io/zip.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

constexpr std::string_view suffix = ".npy";

// "points" for the member "points.npy".
std::string key_of(const std::string& member) {
  return member.ends_with(suffix) ? member.substr(0, member.size() - suffix.size()) : member;
}

std::vector<std::string> keys_of(const std::vector<ZipMember>& members) {
  std::vector<std::string> keys;
  for (const ZipMember& member : members) keys.push_back(key_of(member.name));
  return keys;
}

const ZipMember& only_member(const std::vector<ZipMember>& members, const std::string& name) {
  if (members.empty()) throw IoError(fmt::format("{}: holds no array; save it with numpy.savez", name));
  if (members.size() > 1) {
    throw IoError(fmt::format("{}: holds several arrays; add one of these keys, as in {}:{}: {}", name, name,
                              key_of(members[0].name), list_names(keys_of(members))));
  }
  return members[0];
}

const ZipMember& member_named(const std::vector<ZipMember>& members, const std::string& key, const std::string& name) {
  if (key.empty()) return only_member(members, name);
  for (const ZipMember& member : members) {
    if (member.name == key || key_of(member.name) == key) return member;
  }
  throw IoError(fmt::format("{}: no such array; the archive has {}", name,
                            members.empty() ? "none" : list_names(keys_of(members))));
}

}  // namespace

Array parse_npz(const SharedBytes& file, const std::string& key, const std::string& name, NpyKind kind) {
  const std::vector<ZipMember> members = zip_members(file.bytes, name);
  const ZipMember& member = member_named(members, key, name);
  return parse_npy(unzip(file, member, name), key.empty() ? name + ":" + key_of(member.name) : name, kind);
}

}  // namespace itomap::detail
