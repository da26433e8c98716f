// zlib, as far as archives need it.
#pragma once

#include <cstdint>
#include <optional>

#include "io/bytes.hpp"

namespace itomap::detail {

/// Unpacks a raw deflate stream of which the unpacked size is known; none if it is damaged or of another size.
/// Claims that no deflate stream of this length could fulfil are refused before memory is taken.
std::optional<SharedBytes> inflate_exactly(Bytes packed, std::uint64_t size);

/// CRC-32.
std::uint32_t checksum(Bytes bytes);

}  // namespace itomap::detail
