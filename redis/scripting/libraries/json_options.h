// What scripts can set of the cjson library.
#pragma once

#include <cstdint>

namespace lockstep::redis {

enum class InvalidNumbers : std::uint8_t { refused, written, written_as_null };

/// Set by the library's functions, for the scripts that follow, too.
struct JsonOptions {
  bool converts_sparse_arrays = false;
  int sparse_ratio = 2;
  int sparse_safe = 10;
  int encode_depth_max = 1000;
  int decode_depth_max = 1000;
  int number_precision = 14;
  InvalidNumbers encode_invalid_numbers = InvalidNumbers::refused;
  bool decodes_invalid_numbers = true;
  bool keeps_buffer = true;
};

}  // namespace lockstep::redis
