// What scripts leave behind in the process of their server, for the scripts that follow.
#pragma once

#include <cstdint>

#include "lua/interpreter/drand48.h"

namespace lockstep::redis {

enum class InvalidNumbers : std::uint8_t { refused, written, written_as_null };

/// What scripts can set of the cjson library; it holds for the scripts that follow, too.
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

struct ScriptProcessState {
  lua::Drand48 random;  ///< of math.random, which Redis 7.0 never seeds anew
  JsonOptions json;     ///< of cjson; SCRIPT FLUSH sets them back
};

}  // namespace lockstep::redis
