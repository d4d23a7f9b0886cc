// Replies as values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::sim {
class Digest;
}

namespace lockstep::redis {

/// A reply as a value, as the protocol has it in which it was written: in RESP2 a map is an array.
struct Reply {
  enum class Kind : std::uint8_t {
    null_bulk,
    null_array,
    integer,
    bulk,
    status,
    error,
    array,
    // Of RESP3.
    null,
    boolean,     ///< integer is 0 or 1
    real,        ///< text spells it
    big_number,  ///< text spells it
    verbatim,    ///< text begins with the format and a colon: "txt:…"
    map,         ///< elements are keys and values in turn
    set,
    push,
  };
  Kind kind = Kind::null_bulk;
  std::int64_t integer = 0;
  std::string text;             ///< bulk, status, error …
  std::vector<Reply> elements;  ///< array, map, set, push

  [[nodiscard]] bool is_error() const { return kind == Kind::error; }
  [[nodiscard]] bool is_null() const {
    return kind == Kind::null_bulk || kind == Kind::null_array || kind == Kind::null;
  }
  friend bool operator==(const Reply&, const Reply&) = default;
  void digest_into(sim::Digest& digest) const;
};

/// As redis-cli prints it on one line: `(integer) 1`, `"text"`, `(nil)`, `OK`, `(error) ERR …`,
/// `[…]`; of RESP3 `(null)`, `(true)`, `(double) 1.5`, `(big number) 1`, `(txt) "…"`, `map[…]`,
/// `set[…]`, `push[…]`.
[[nodiscard]] std::string describe(const Reply& reply);

}  // namespace lockstep::redis
