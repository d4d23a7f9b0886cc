// Writes TOML as a person would: equals signs in a column, long lists over several lines.
//
// A dollar sign in a string is doubled, since a single one begins a parameter (parameters.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::scenario {

/// "orders": quoted, and escaped where necessary.
[[nodiscard]] std::string toml_string(std::string_view text);
/// A key, quoted only where necessary.
[[nodiscard]] std::string toml_key(std::string_view key);
/// ["a", "b"]
[[nodiscard]] std::string toml_list(std::span<const std::string> texts);
/// "a" for one text, else a list.
[[nodiscard]] std::string toml_text_or_list(std::span<const std::string> texts);

/// The keys of one table in the order of adding.
class TomlTable {
 public:
  /// `value` is TOML.
  void add(std::string_view key, std::string value);
  void add_text(std::string_view key, std::string_view text) { add(key, toml_string(text)); }
  void add_number(std::string_view key, std::int64_t number) { add(key, std::to_string(number)); }
  /// A list over several lines if one is too short.
  void add_texts(std::string_view key, std::span<const std::string> texts);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// { a = 1, b = 2 }
  [[nodiscard]] std::string inline_text() const;
  /// One key a line, each line indented.
  [[nodiscard]] std::string lines(std::size_t indent = 0) const;

 private:
  struct Entry {
    std::string key;
    std::string value;
    std::vector<std::string> items;  ///< of a list that may be broken
  };
  std::vector<Entry> entries_;
};

/// Whether the table is short enough for one line.
[[nodiscard]] bool fits_inline(const TomlTable& table);

}  // namespace lockstep::scenario
