// A Redis hash: fields with values.
//
// As in Redis it has two forms. A small one keeps the fields in the order of insertion and finds
// one by looking at each in turn. One with many fields, or with a long text, becomes a table for
// good: fields are found at once, and their order means nothing (Redis's is random, here it is
// fixed). Not covered: other limits than Redis's defaults (hash-max-listpack-entries and -value).
//
// Fields may expire each for itself (HPEXPIRE): what that means is the commands' business, here it
// is a number beside the field, which goes with it.
//
// The memory of deleted fields is kept for new ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::redis {

class HashValue {
 public:
  using Field = std::pair<std::string, std::string>;
  static constexpr std::size_t small_fields_max = 512;
  static constexpr std::size_t small_bytes_max = 64;

  [[nodiscard]] const std::string* find(std::string_view field) const;
  /// The same, to write a short text into.
  [[nodiscard]] std::string* find(std::string_view field);
  /// True where the field is new.
  bool set(std::string_view field, std::string_view value);
  /// Adds a field at the end. REQUIRES: it is not there yet.
  void add(std::string_view field, std::string_view value);
  bool erase(std::string_view field);
  void clear();
  /// In a table a field that is erased gives its place to the last one.
  [[nodiscard]] std::span<const Field> fields() const { return {fields_.data(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool is_table() const { return is_table_; }
  /// Whether its memory is that of at most so many fields, each of at most so many bytes.
  [[nodiscard]] bool is_small(std::size_t fields_max, std::size_t bytes_max) const;

  /// When fields expire, in Unix milliseconds, by field.
  using Expiries = std::map<std::string, std::int64_t, std::less<>>;
  [[nodiscard]] bool has_expiries() const { return !expiries_.empty(); }
  [[nodiscard]] const Expiries& expiries() const { return expiries_; }
  [[nodiscard]] std::optional<std::int64_t> expiry_of(std::string_view field) const;
  /// REQUIRES: the field is there.
  void set_expiry(std::string_view field, std::int64_t moment_ms);
  /// True where it had one.
  bool clear_expiry(std::string_view field);

  friend bool operator==(const HashValue& a, const HashValue& b);

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0};

  [[nodiscard]] std::size_t index_of(std::string_view field) const;
  void become_table();
  void fill_slots(std::size_t count);
  void put_into_slot(std::size_t index);
  /// Where a field of the table has its slot, or the empty one where it would have it.
  [[nodiscard]] std::size_t slot_of(std::string_view field) const;
  [[nodiscard]] std::size_t home_of(std::string_view field) const;
  void erase_slot(std::size_t slot);

  std::vector<Field> fields_;  // the first size_ are fields, the others memory for new ones
  std::size_t size_ = 0;
  bool is_table_ = false;
  std::vector<std::uint32_t> slots_;  // of a table: index + 1 of a field, or 0; a power of two
  Expiries expiries_;                 // of fields that are there
};

}  // namespace lockstep::redis
