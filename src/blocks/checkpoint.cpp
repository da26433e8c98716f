#include "blocks/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <iterator>
#include <utility>
#include <vector>

#include "io/output_file.hpp"
#include "itomap/core/error.hpp"
#include "itomap/io/output_directory.hpp"

namespace itomap::detail {
namespace {

constexpr std::uint64_t magic = 0x31737361706F7469;  // "itopass1"
constexpr const char* identity_name = "run.txt";
constexpr const char* sums_extension = ".sums";

/// FNV-1a over whole words: for files that were cut short or damaged, not against malice.
class Checksum {
 public:
  void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x100000001B3;
    hash_ ^= hash_ >> 29U;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325;
};

template <class Number>
concept Word = sizeof(Number) == sizeof(std::uint64_t);

/// Words one after the other, in the order of this machine, and their checksum at the end.
class SumsWriter {
 public:
  explicit SumsWriter(const std::string& file) : output_(file) {}

  template <Word Number>
  void put(std::span<const Number> numbers) {
    for (const Number& number : numbers) {
      sum_.add(std::bit_cast<std::uint64_t>(number));
    }
    output_.write(std::as_bytes(numbers));
  }
  void put(std::uint64_t number) { put(std::span<const std::uint64_t>(&number, 1)); }

  void close() {
    put(sum_.value());
    output_.close();
  }

 private:
  OutputFile output_;
  Checksum sum_;
};

class SumsReader {
 public:
  explicit SumsReader(const std::filesystem::path& file) : stream_(file, std::ios::binary) {}

  /// False if so many are not there.
  template <Word Number>
  bool take(std::span<Number> numbers) {
    const auto bytes = std::as_writable_bytes(numbers);
    if (!stream_.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
      return false;
    }
    for (const Number& number : numbers) {
      sum_.add(std::bit_cast<std::uint64_t>(number));
    }
    return true;
  }
  bool expect(std::uint64_t number) {
    std::uint64_t found = 0;
    return take(std::span(&found, 1)) && found == number;
  }
  bool ends_well() {
    const std::uint64_t sum = sum_.value();
    return expect(sum) && stream_.peek() == std::ifstream::traits_type::eof();
  }

 private:
  std::ifstream stream_;
  Checksum sum_;
};

std::string content(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

/// Whether the file holds sums of the same sizes as `state`, which then has them.
bool read_sums(const std::filesystem::path& file, PassState& state) {
  SumsReader reader(file);
  if (!reader.expect(magic) || !reader.expect(state.done.size()) || !reader.expect(state.sums.size()) ||
      !reader.expect(state.largest.size()) || !reader.expect(std::uint64_t(state.numbers.cols()))) {
    return false;
  }
  bool fits = true;
  state.sums.for_chunks([&](std::size_t first, std::size_t count) {
    ExactSums::Parts parts(ExactSums::parts_a_sum * count);
    fits = fits && reader.take(std::span(parts));
    state.sums.set_parts(first, parts);
  });
  std::vector<std::int64_t> done(state.done.size());
  fits = fits && reader.take(std::span(state.largest)) &&
         reader.take(std::span(state.numbers.data(), std::size_t(state.numbers.size()))) &&
         reader.take(std::span(done)) && reader.ends_well();
  std::transform(done.begin(), done.end(), state.done.begin(), [](std::int64_t flag) { return flag != 0 ? 1 : 0; });
  return fits;
}

void write_sums(const std::filesystem::path& file, const PassState& state) {
  SumsWriter writer(file.string());
  writer.put(magic);
  writer.put(std::uint64_t(state.done.size()));
  writer.put(std::uint64_t(state.sums.size()));
  writer.put(std::uint64_t(state.largest.size()));
  writer.put(std::uint64_t(state.numbers.cols()));
  state.sums.for_chunks([&](std::size_t first, std::size_t count) {
    const auto parts = state.sums.parts(first, count);
    writer.put(std::span<const std::int64_t>(parts));
  });
  writer.put(std::span<const double>(state.largest));
  writer.put(std::span<const double>(state.numbers.data(), std::size_t(state.numbers.size())));
  const std::vector<std::int64_t> done(state.done.begin(), state.done.end());
  writer.put(std::span<const std::int64_t>(done));
  writer.close();
}

/// Puts what `write` writes into place as a whole.
template <class Write>
void replace_file(const std::filesystem::path& file, const Write& write) {
  const std::filesystem::path fresh = file.string() + ".new";
  write(fresh);
  std::filesystem::rename(fresh, file);
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
  const std::string known = content(directory_ / identity_name);
  if (known.empty() && ranks.first()) {
    replace_file(directory_ / identity_name,
                 [&](const std::filesystem::path& fresh) { write_text(fresh.string(), identity); });
  } else if (!known.empty() && known != identity) {
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
  PassState found = state;
  if (read_sums(file(pass), found)) {
    state = std::move(found);
  }
}

void Checkpoint::save(const std::string& pass, const PassState& state) const {
  replace_file(file(pass), [&](const std::filesystem::path& fresh) { write_sums(fresh, state); });
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
