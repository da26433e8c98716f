#include "io/zip.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <cstdint>
#include <new>
#include <utility>

#include "io/quote.hpp"
#include "io/values.hpp"
#include "itomap/core/error.hpp"

namespace itomap::detail {
namespace {

// A deflated match of the largest length, 258 bytes, takes at least two bits.
constexpr std::uint64_t largest_ratio = 4 * 258;

class ZipError {
 public:
  ZipError() { ::zip_error_init(&error_); }
  ZipError(const ZipError&) = delete;
  ZipError& operator=(const ZipError&) = delete;
  ~ZipError() { ::zip_error_fini(&error_); }

  zip_error_t* get() { return &error_; }
  int code() const { return ::zip_error_code_zip(&error_); }
  const char* text() { return ::zip_error_strerror(&error_); }

 private:
  zip_error_t error_{};
};

[[noreturn]] void refuse_archive(const std::string& archive_name, std::string_view what) {
  throw IoError(fmt::format("{}: damaged or truncated archive ({}); copy or save it again", archive_name, what));
}

[[noreturn]] void refuse_without_directory(const std::string& archive_name) {
  throw IoError(
      fmt::format("{}: is not a whole .npz file (no zip directory at its end); copy or save it again", archive_name));
}

[[noreturn]] void refuse_archive(const std::string& archive_name, ZipError& error) {
  if (error.code() == ZIP_ER_MEMORY) {
    throw std::bad_alloc();
  }
  if (error.code() == ZIP_ER_NOZIP) {
    refuse_without_directory(archive_name);
  }
  refuse_archive(archive_name, error.text());
}

zip_t* open_archive(Bytes file, const std::string& name) {
  if (file.empty()) {
    refuse_without_directory(name);  // for libzip nothing at all is an empty archive
  }
  ZipError error;
  zip_source_t* source = ::zip_source_buffer_create(file.data(), file.size(), 0, error.get());
  zip_t* archive = source == nullptr ? nullptr : ::zip_open_from_source(source, ZIP_RDONLY, error.get());
  if (archive != nullptr) {
    return archive;
  }
  ::zip_source_free(source);
  refuse_archive(name, error);
}

std::vector<std::string> member_names(zip_t* archive) {
  std::vector<std::string> names;
  const auto count = static_cast<std::uint64_t>(::zip_get_num_entries(archive, 0));
  for (std::uint64_t i = 0; i < count; ++i) {
    const char* name = ::zip_get_name(archive, i, ZIP_FL_ENC_RAW);
    names.emplace_back(name == nullptr ? "" : name);
  }
  return names;
}

class OpenMember {
 public:
  OpenMember(zip_t* archive, std::size_t member) : file_(::zip_fopen_index(archive, member, 0)) {}

  /// Bytes read; fewer than there is room for if the member ends or is damaged.
  std::size_t read(std::span<std::byte> room) {
    std::size_t used = 0;
    while (file_ != nullptr && used < room.size()) {
      const auto count = ::zip_fread(file_.get(), room.data() + used, room.size() - used);
      if (count <= 0) {
        break;
      }
      used += static_cast<std::size_t>(count);
    }
    return used;
  }

  /// ZIP_ER_OK if all that was asked for went well.
  int error() const { return file_ == nullptr ? ZIP_ER_OPEN : ::zip_error_code_zip(::zip_file_get_error(file_.get())); }

 private:
  struct Close {
    void operator()(zip_file_t* file) const { ::zip_fclose(file); }
  };
  std::unique_ptr<zip_file_t, Close> file_;
};

}  // namespace

const char* zip_library() { return ::zip_libzip_version(); }

void check_zip_start(Bytes start, const std::string& archive_name) {
  constexpr std::uint32_t member = 0x04034b50, end = 0x06054b50;  // what their records begin with
  const auto signature = start.size() < 4 ? 0 : little_endian<std::uint32_t>(start, 0);
  if (signature != member && signature != end) {
    throw IoError(fmt::format("{}: is not a .npz file; check its name or save it again", archive_name));
  }
}

ZipArchive::ZipArchive(SharedBytes file, std::string name)
    : file_(std::move(file)),
      name_(std::move(name)),
      archive_(open_archive(file_.bytes, name_)),
      members_(member_names(archive_.get())) {}

void ZipArchive::Close::operator()(::zip* archive) const { ::zip_discard(archive); }

void ZipArchive::damaged(std::size_t member, const char* what) const {
  refuse_archive(name_, quote(members_[member]) + " " + what);
}

// What a member claims to unpack to, if the file can hold that.
std::size_t ZipArchive::checked_size(std::size_t member) const {
  zip_stat_t claims{};
  if (::zip_stat_index(archive_.get(), member, 0, &claims) != 0) {
    damaged(member, "cannot be unpacked");
  }
  const bool stored = claims.comp_method == ZIP_CM_STORE;
  if (claims.encryption_method != ZIP_EM_NONE || (!stored && claims.comp_method != ZIP_CM_DEFLATE)) {
    throw IoError(fmt::format("{}: {} is encrypted or packed by an unknown method; save it with numpy.savez", name_,
                              quote(members_[member])));
  }
  if (claims.comp_size > file_.bytes.size()) {
    damaged(member, "lies outside the file");
  }
  if (stored && claims.size != claims.comp_size) {
    damaged(member, "has two different sizes");
  }
  if (claims.size / largest_ratio > claims.comp_size) {
    damaged(member, "cannot be unpacked");
  }
  return claims.size;
}

SharedBytes ZipArchive::unpack(std::size_t member) const {
  const std::size_t size = checked_size(member);
  require_memory(size, name_);
  // Asked for a byte more than there should be, libzip comes to the end, where it compares checksum and size.
  const std::shared_ptr<std::byte[]> buffer(new std::byte[size + 1]);
  OpenMember open(archive_.get(), member);
  const std::size_t used = open.read({buffer.get(), size + 1});
  if (open.error() == ZIP_ER_CRC) {
    damaged(member, "has a wrong checksum");
  }
  if (open.error() != ZIP_ER_OK || used != size) {
    damaged(member, "cannot be unpacked");
  }
  return {buffer, Bytes(buffer.get(), size)};
}

}  // namespace itomap::detail
