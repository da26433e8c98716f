#include "blocks/checkpoint.hpp"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "io/output_file.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

constexpr std::uint64_t magic = 0x31737361706F7469;  // "itopass1"
constexpr const char* identity_name = "run.txt";
constexpr const char* sums_extension = ".sums";

/// FNV-1a over whole words: for files that were cut short or damaged, not against malice.
std::uint64_t checksum(std::span<const std::byte> bytes) {
  constexpr std::uint64_t prime = 0x100000001B3;
  std::uint64_t hash = 0xCBF29CE484222325;
  std::size_t k = 0;
  for (; k + sizeof(std::uint64_t) <= bytes.size(); k += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + k, sizeof word);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 29U;
  }
  for (; k < bytes.size(); ++k) {
    hash = (hash ^ std::uint64_t(bytes[k])) * prime;
  }
  return hash;
}

/// Numbers one after the other, in the order of this machine.
class Writer {
 public:
  template <class Number>
  void put(std::span<const Number> numbers) {
    const auto more = std::as_bytes(numbers);
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }
  void put(std::uint64_t number) { put(std::span<const std::uint64_t>(&number, 1)); }

  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// False if so many are not left.
  template <class Number>
  bool take(std::span<Number> numbers) {
    const auto wanted = std::as_writable_bytes(numbers);
    if (wanted.size() > rest_.size()) {
      return false;
    }
    std::copy_n(rest_.begin(), wanted.size(), wanted.begin());
    rest_ = rest_.subspan(wanted.size());
    return true;
  }
  bool expect(std::uint64_t number) {
    std::uint64_t found = 0;
    return take(std::span(&found, 1)) && found == number;
  }
  bool ended() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

std::vector<std::byte> content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

void replace_file(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  const std::filesystem::path fresh = file.string() + ".new";
  OutputFile output(fresh.string());
  output.write(bytes);
  output.close();
  std::filesystem::rename(fresh, file);
}

std::vector<std::byte> packed(const PassState& state) {
  const auto parts = state.sums.parts();
  Writer writer;
  writer.put(magic);
  writer.put(std::uint64_t(state.done.size()));
  writer.put(std::uint64_t(parts.size()));
  writer.put(std::uint64_t(state.largest.size()));
  writer.put(std::uint64_t(state.numbers.cols()));
  writer.put(std::span<const std::int64_t>(parts));
  writer.put(std::span<const double>(state.largest));
  writer.put(std::span<const double>(state.numbers.data(), std::size_t(state.numbers.size())));
  writer.put(std::span<const std::uint8_t>(state.done));
  writer.put(checksum(writer.bytes()));
  return writer.bytes();
}

/// Whether these are sums of the same sizes as in `state`, which then has them.
bool unpack(std::span<const std::byte> bytes, PassState& state) {
  if (bytes.size() < sizeof(std::uint64_t)) {
    return false;
  }
  const auto body = bytes.first(bytes.size() - sizeof(std::uint64_t));
  Reader reader(body);
  PassState found = state;
  std::vector<std::int64_t> parts(ExactSums::parts_a_sum * state.sums.size());
  const bool fits = Reader(bytes.subspan(body.size())).expect(checksum(body)) && reader.expect(magic) &&
                    reader.expect(state.done.size()) && reader.expect(parts.size()) &&
                    reader.expect(state.largest.size()) && reader.expect(std::uint64_t(state.numbers.cols())) &&
                    reader.take(std::span(parts)) && reader.take(std::span(found.largest)) &&
                    reader.take(std::span(found.numbers.data(), std::size_t(found.numbers.size()))) &&
                    reader.take(std::span(found.done)) && reader.ended();
  if (fits) {
    found.sums.set_parts(parts);
    state = std::move(found);
  }
  return fits;
}

}  // namespace

Checkpoint::Checkpoint(const std::filesystem::path& directory, const std::string& identity, const Ranks& ranks,
                       Interval interval)
    : directory_(directory), rank_(fmt::format("{}-of-{}", ranks.rank(), ranks.size())), interval_(interval) {
  std::error_code failure;
  std::filesystem::create_directories(directory_, failure);
  if (failure) {
    throw IoError(fmt::format("{}: cannot be created: {}", directory_.string(), failure.message()));
  }
  const auto known = content(directory_ / identity_name);
  const auto wanted = std::as_bytes(std::span(identity));
  if (known.empty() && ranks.first()) {
    replace_file(directory_ / identity_name, wanted);
  } else if (!known.empty() && !std::equal(known.begin(), known.end(), wanted.begin(), wanted.end())) {
    throw InvalidArgument(
        fmt::format("checkpoint: {} holds sums of another run (other points, files or options, see {}); name another "
                    "directory, or remove it",
                    directory_.string(), identity_name));
  }
}

std::filesystem::path Checkpoint::file(const std::string& pass) const {
  std::string name = pass + "-" + rank_ + sums_extension;
  std::replace(name.begin(), name.end(), ' ', '-');
  return directory_ / name;
}

void Checkpoint::load(const std::string& pass, PassState& state) const {
  if (const auto bytes = content(file(pass)); !bytes.empty()) {
    unpack(bytes, state);
  }
}

void Checkpoint::save(const std::string& pass, const PassState& state) const {
  replace_file(file(pass), packed(state));
}

void Checkpoint::remove(const std::filesystem::path& directory) noexcept {
  std::error_code failure;
  std::vector<std::filesystem::path> own{directory / identity_name};
  for (const auto& entry : std::filesystem::directory_iterator(directory, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(sums_extension) || name.ends_with(std::string(sums_extension) + ".new")) {
      own.push_back(entry.path());
    }
  }
  for (const auto& path : own) {
    std::filesystem::remove(path, failure);
  }
  std::filesystem::remove(directory, failure);  // which fails, as it should, if anything else is there
}

}  // namespace itomap::detail
