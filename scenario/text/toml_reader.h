// Reads a TOML table strictly: each getter says what it expects, with line and column.
//
// A thin layer over toml++ without knowledge of scenarios. A reader refers to the document.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/located_numbers.h"
#include "scenario/text/located_text.h"
#include "sim/time.h"

namespace lockstep::scenario {

struct SourceFile;

/// A parsed TOML file, or several merged (toml_merge.h). Throws InputError if one is not TOML.
class TomlDocument {
 public:
  TomlDocument(std::string path, std::string_view text);
  /// The first file over the second, that over the third, …
  explicit TomlDocument(std::span<const SourceFile> files);

  [[nodiscard]] const toml::table& root() const { return root_; }
  /// For changes before it is read.
  [[nodiscard]] toml::table& root() { return root_; }
  [[nodiscard]] SourceLocation place_of(const toml::source_region& region) const;
  /// The beginning of the (first) file.
  [[nodiscard]] SourceLocation beginning() const;
  /// The characters of a string with their place.
  [[nodiscard]] LocatedText placed(const toml::value<std::string>& value) const;

 private:
  struct Text {
    std::string path;
    std::string_view text;
    std::vector<std::size_t> line_begins;
  };
  void add(std::string path, std::string_view text);
  /// The text that contains a node.
  [[nodiscard]] const Text& text_of(const toml::source_region& region) const;

  std::vector<Text> texts_;
  toml::table root_;
};

/// The allowed numbers, both ends included.
struct NumberRange {
  std::int64_t min;
  std::int64_t max;
};

class TableReader {
 public:
  /// The whole file, named `title` in messages.
  TableReader(const TomlDocument& document, std::string title);

  /// The table's name in messages: "[redis]", "[[client.thread]]".
  [[nodiscard]] const std::string& title() const { return title_; }
  [[nodiscard]] const SourceLocation& place() const { return place_; }
  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  /// All keys in the order of the file.
  [[nodiscard]] std::vector<LocatedText> keys() const;
  /// Throws InputError at the first key that is not one of these.
  void allow_only(std::span<const std::string_view> known) const;
  /// Throws InputError for a missing key.
  [[noreturn]] void complain_missing(std::string_view key, std::string_view example) const;

  [[nodiscard]] SourceLocation key_place(std::string_view key) const;
  [[nodiscard]] SourceLocation value_place(std::string_view key) const;

  // Each: none if the key is absent; throws InputError for a value of another type.
  [[nodiscard]] std::optional<LocatedText> text(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view key,
                                                         NumberRange range) const;
  /// 3, or "1..3".
  [[nodiscard]] std::optional<NumberRange> number_range(std::string_view key,
                                                        NumberRange limits) const;
  [[nodiscard]] std::optional<bool> boolean(std::string_view key) const;
  [[nodiscard]] std::optional<sim::DurationNs> duration(std::string_view key,
                                                        DurationSign sign) const;
  /// "5s", or "5s..10s".
  [[nodiscard]] std::optional<DurationRange> duration_range(
      std::string_view key, DurationSign sign, Granularity whole = Granularity::nanoseconds) const;
  /// |result| < 1,000,000.
  [[nodiscard]] std::optional<std::int64_t> ppm(std::string_view key) const;
  [[nodiscard]] std::optional<TableReader> table(std::string_view key) const;

  /// The strings of an array; empty if the key is absent.
  [[nodiscard]] std::vector<LocatedText> texts(std::string_view key) const;
  /// As texts, or a single string.
  [[nodiscard]] std::vector<LocatedText> text_or_texts(std::string_view key) const;
  /// An array of arrays of strings; empty if the key is absent.
  [[nodiscard]] std::vector<std::vector<LocatedText>> text_groups(std::string_view key) const;
  /// The tables of [[key]]; empty if absent.
  [[nodiscard]] std::vector<TableReader> tables(std::string_view key) const;

  /// The raw node, for what no getter covers; null if absent.
  [[nodiscard]] const toml::node* node(std::string_view key) const { return table_.get(key); }
  [[nodiscard]] const TomlDocument& document() const { return document_; }

 private:
  TableReader(const TomlDocument& document, const toml::table& table, std::string prefix,
              std::string title, SourceLocation place);
  [[noreturn]] void complain_type(std::string_view key, std::string_view expected) const;
  [[nodiscard]] std::vector<LocatedText> texts_in(std::string_view key,
                                                  const toml::array& array) const;
  /// "client.thread" in [[client]]; "client" in the file.
  [[nodiscard]] std::string full_name(std::string_view key) const;

  const TomlDocument& document_;
  const toml::table& table_;
  std::string prefix_;  // of its keys' full names: "client."
  std::string title_;
  SourceLocation place_;
};

/// "a string", "a whole number", "a table", …
[[nodiscard]] std::string_view type_in_words(const toml::node& node);

}  // namespace lockstep::scenario
