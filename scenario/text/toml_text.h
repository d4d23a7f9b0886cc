// TOML as a person writes it: a table with its equals signs in a column, and lists that are broken
// where they are long.
//
// Strings are a scenario's: a dollar sign is doubled, since one alone begins a parameter
// (parameters.h). What toml_reader.h reads, this writes back; comments are nobody's business here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::scenario {

/// "orders": quoted, and escaped where it must be.
[[nodiscard]] std::string toml_string(std::string_view text);
/// A key, quoted only where it must be.
[[nodiscard]] std::string toml_key(std::string_view key);
/// ["a", "b"]
[[nodiscard]] std::string toml_list(std::span<const std::string> texts);
/// "a" where there is one, else a list.
[[nodiscard]] std::string toml_text_or_list(std::span<const std::string> texts);

/// The keys of one table in the order in which they are added.
class TomlTable {
 public:
  /// `value` is TOML already.
  void add(std::string_view key, std::string value);
  void add_text(std::string_view key, std::string_view text) { add(key, toml_string(text)); }
  void add_number(std::string_view key, std::int64_t number) { add(key, std::to_string(number)); }
  /// Strings that are broken over lines where they don't fit on one.
  void add_texts(std::string_view key, std::span<const std::string> texts);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// { a = 1, b = 2 }
  [[nodiscard]] std::string inline_text() const;
  /// One key a line, each line indented by so much.
  [[nodiscard]] std::string lines(std::size_t indent = 0) const;

 private:
  struct Entry {
    std::string key;
    std::string value;
    std::vector<std::string> items;  ///< of a list that may be broken
  };
  std::vector<Entry> entries_;
};

/// Whether such a table is better read on one line than as a table of its own.
[[nodiscard]] bool fits_inline(const TomlTable& table);

}  // namespace lockstep::scenario
