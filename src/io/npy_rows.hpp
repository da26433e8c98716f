// A .npy file whose rows are written in any order, by several threads or processes.
#pragma once

#include <string>
#include <vector>

#include "io/descriptor.hpp"
#include "itomap/core/types.hpp"

namespace itomap::detail {

/// What numbers are in files: in four bytes each, or eight.
enum class FloatWidth { Single, Double };

/// The first bytes of a .npy file, version 1.0. `kind` is "f8", "f4", "i8", "c16" or "c8". The data begin at a multiple
/// of 64 bytes, so that a mapping of them is aligned.
std::string npy_header(const std::string& kind, const std::vector<std::size_t>& shape);

class NpyRows {
 public:
  /// `cols` of 0: the file has one axis. Creates the file if `create`; otherwise it is there, made by another process.
  NpyRows(std::string file, Index rows, Index cols, bool complex, FloatWidth width, bool create);

  /// Row by row from `first` on. Threads may call this at the same time. IoError if it cannot be written.
  void write(Index first, PointsView re) const;
  void write(Index first, PointsView re, PointsView im) const;

  /// To be called last.
  void close();

 private:
  void write_numbers(Index first, const std::vector<double>& numbers) const;
  void write_bytes(const void* bytes, std::size_t size, std::size_t offset) const;
  [[noreturn]] void fail() const;

  std::string file_;
  FloatWidth width_;
  std::size_t numbers_a_row_;
  std::size_t data_offset_;
  Descriptor descriptor_;
};

}  // namespace itomap::detail
