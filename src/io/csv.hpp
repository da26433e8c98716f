// Tables of numbers as text: .csv, .tsv and .txt.
//
// Values are separated by commas, semicolons, tabs or white space, which the first line of numbers decides. A first
// line without any number is a header. Blank lines and everything after '#' are skipped.
#pragma once

#include <string>

#include "io/bytes.hpp"
#include "itomap/io/array_file.hpp"

namespace itomap::detail {

/// Throws IoError if this is no text.
void check_text_start(Bytes start, const std::string& name);

/// m x N, or m for a single column. IoError with line and column where the text is not a table of numbers; `name` is
/// the file's. nan and inf are numbers here.
Array parse_csv(Bytes file, const std::string& name);

}  // namespace itomap::detail
