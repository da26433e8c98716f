#include "io/inflate.hpp"

#define ZLIB_CONST  // zlib then takes const input
#include <zlib.h>

#include <limits>

namespace itomap::detail {
namespace {

// A match of the largest length, 258 bytes, takes at least two bits.
constexpr std::uint64_t largest_ratio = 4 * 258;

class Inflater {
 public:
  Inflater() : ready_(::inflateInit2(&stream_, -MAX_WBITS) == Z_OK) {}
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (ready_) ::inflateEnd(&stream_);
  }

  // zlib counts in 32 bits, so that large members take several rounds. True if input and output end together.
  bool run(Bytes packed, std::span<std::byte> unpacked) {
    if (!ready_) return false;
    stream_.next_in = reinterpret_cast<const Bytef*>(packed.data());
    stream_.next_out = reinterpret_cast<Bytef*>(unpacked.data());
    std::size_t in_left = packed.size(), out_left = unpacked.size();
    int status = Z_OK;
    while (status == Z_OK) {
      refill(stream_.avail_in, in_left);
      refill(stream_.avail_out, out_left);
      status = ::inflate(&stream_, Z_NO_FLUSH);
    }
    return status == Z_STREAM_END && out_left + stream_.avail_out == 0;
  }

 private:
  static void refill(uInt& available, std::size_t& left) {
    if (available > 0) return;
    available = static_cast<uInt>(std::min<std::size_t>(left, std::numeric_limits<uInt>::max()));
    left -= available;
  }

  z_stream stream_{};
  bool ready_;
};

}  // namespace

std::optional<SharedBytes> inflate_exactly(Bytes packed, std::uint64_t size) {
  if (size / largest_ratio > packed.size()) return std::nullopt;
  const std::shared_ptr<std::byte[]> buffer(new std::byte[size + 1]);  // zlib wants a place even for nothing
  const std::span<std::byte> unpacked(buffer.get(), size);
  if (!Inflater().run(packed, unpacked)) return std::nullopt;
  return SharedBytes{buffer, unpacked};
}

std::uint32_t checksum(Bytes bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace itomap::detail
