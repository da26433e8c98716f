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

std::vector<std::string> keys_of(const std::vector<std::string>& members) {
  std::vector<std::string> keys;
  for (const std::string& member : members) {
    keys.push_back(key_of(member));
  }
  return keys;
}

std::size_t only_member(const std::vector<std::string>& members, const std::string& name) {
  if (members.empty()) {
    throw IoError(fmt::format("{}: holds no array; save it with numpy.savez", name));
  }
  if (members.size() > 1) {
    throw IoError(fmt::format("{}: holds several arrays; add one of these keys, as in {}:{}: {}", name, name,
                              key_of(members[0]), list_names(keys_of(members))));
  }
  return 0;
}

std::size_t member_named(const std::vector<std::string>& members, const std::string& key, const std::string& name) {
  if (key.empty()) {
    return only_member(members, name);
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i] == key || key_of(members[i]) == key) {
      return i;
    }
  }
  throw IoError(fmt::format("{}: no such array; the archive has {}", name,
                            members.empty() ? "none" : list_names(keys_of(members))));
}

}  // namespace

Array parse_npz(const SharedBytes& file, const std::string& key, const std::string& name, NpyKind kind) {
  const ZipArchive archive(file, name);
  const std::size_t member = member_named(archive.members(), key, name);
  return parse_npy(archive.unpack(member), key.empty() ? name + ":" + key_of(archive.members()[member]) : name, kind);
}

}  // namespace itomap::detail
