#include "scenario/text/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenario/duration_range.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_file.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_merge.h"
#include "sim/ascii.h"

namespace lockstep::scenario {
namespace {

std::vector<std::size_t> find_line_begins(std::string_view text) {
  std::vector<std::size_t> begins = {0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') begins.push_back(i + 1);
  }
  return begins;
}

/// toml++ says "Error while parsing …: what"; only the first word's case disturbs a sentence.
std::string as_sentence_part(std::string_view description) {
  std::string text(description);
  if (!text.empty() && text.front() == 'E') text.front() = 'e';
  return text;
}

/// No key of a person has so many parts; a tree of tables that is far deeper would exhaust the
/// stack.
constexpr std::size_t key_parts_max = 64;
constexpr std::size_t line_dots_max = 4096;

/// Refuses a line whose key may have too many parts: dots outside of quotes, as far as one line
/// tells, and dots altogether.
void require_flat(const std::string& path, std::string_view text,
                  const std::vector<std::size_t>& line_begins) {
  for (std::size_t line = 0; line < line_begins.size(); ++line) {
    std::size_t all = 0;
    std::size_t outside = 0;
    char quote = 0;
    for (std::size_t i = line_begins[line]; i < text.size() && text[i] != '\n'; ++i) {
      const char byte = text[i];
      if (quote == 0 && (byte == '"' || byte == '\'')) {
        quote = byte;
      } else if (byte == quote) {
        quote = 0;
      } else if (quote == 0 && byte == '#') {
        break;
      } else if (quote == '"' && byte == '\\') {
        ++i;
      } else if (byte == '.') {
        ++all;
        outside += quote == 0 ? 1 : 0;
      }
    }
    if (outside < key_parts_max && all < line_dots_max) continue;
    throw InputError(
        {path, static_cast<std::uint32_t>(line + 1), 1},
        fmt::format("too many dots on one line; a key has at most {} parts", key_parts_max));
  }
}

/// What the line may have been meant to be, where TOML's own words would not tell a newcomer: the
/// two mistakes that everybody makes once.
std::string_view likely_mistake(std::string_view text, const toml::source_position& at) {
  std::size_t begin = 0;
  for (toml::source_index line = 1; line < at.line && begin != std::string_view::npos; ++line) {
    begin = text.find('\n', begin);
    if (begin != std::string_view::npos) ++begin;
  }
  if (begin == std::string_view::npos || begin >= text.size()) return {};
  const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (at.column > line.size() && std::count(line.begin(), line.end(), '"') % 2 == 1) {
    return "; is a string not closed on this line?";
  }
  const std::size_t value =
      line.find_first_not_of(" \t-+", std::min(line.find('='), line.size() - 1) + 1);
  if (value == std::string_view::npos || !sim::is_digit(line[value])) return {};
  const std::size_t unit = line.find_first_not_of("0123456789._", value);
  const bool has_unit = unit != std::string_view::npos && line[unit] >= 'a' && line[unit] <= 'z';
  return has_unit ? "; what has a unit goes in quotes, as in \"250ms\"" : "";
}

toml::table parse(const std::string& path, std::string_view text) {
  try {
    return toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError({path, at.line, at.column},
                     fmt::format("this is not TOML: {}{}", as_sentence_part(error.description()),
                                 likely_mistake(text, at)));
  }
}

bool stands_before(const LocatedText& one, const LocatedText& other) {
  return std::pair(one.place.line, one.place.column) <
         std::pair(other.place.line, other.place.column);
}

}  // namespace

TomlDocument::TomlDocument(std::string path, std::string_view text) { add(std::move(path), text); }

TomlDocument::TomlDocument(std::span<const SourceFile> files) {
  for (std::size_t i = files.size(); i-- > 0;) add(files[i].path, files[i].text);
}

void TomlDocument::add(std::string path, std::string_view text) {
  texts_.push_back({std::move(path), text, find_line_begins(text)});
  const Text& added = texts_.back();
  require_flat(added.path, text, added.line_begins);
  toml::table table = parse(added.path, text);
  if (texts_.size() == 1) {
    root_ = std::move(table);
  } else {
    merge_over(root_, std::move(table));
  }
}

const TomlDocument::Text& TomlDocument::text_of(const toml::source_region& region) const {
  for (const Text& text : texts_) {
    if (region.path && *region.path == text.path) return text;
  }
  return texts_.back();
}

SourceLocation TomlDocument::place_of(const toml::source_region& region) const {
  return {text_of(region).path, region.begin.line, region.begin.column};
}

SourceLocation TomlDocument::beginning() const {
  const toml::source_position begin = root_.source().begin;
  return {texts_.back().path, begin.line, begin.column};
}

// The value stands in the text as it is, after its quote, unless it has escapes or spans lines.
LocatedText TomlDocument::placed(const toml::value<std::string>& value) const {
  LocatedText result{value.get(), place_of(value.source()), false};
  const Text& text = text_of(value.source());
  const std::uint32_t line = result.place.line;
  if (line == 0 || line > text.line_begins.size()) return result;
  std::string_view rest = text.text.substr(text.line_begins[line - 1]);
  for (std::uint32_t column = 1; column < result.place.column && !rest.empty(); ++column) {
    rest.remove_prefix(1);
    while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U) {
      rest.remove_prefix(1);
    }
  }
  const bool is_quoted = rest.starts_with('"') || rest.starts_with('\'');
  if (!is_quoted || !rest.substr(1).starts_with(result.text) ||
      !rest.substr(1 + result.text.size()).starts_with(rest.front())) {
    return result;
  }
  result.place.column += 1;
  result.can_locate = true;
  return result;
}

TableReader::TableReader(const TomlDocument& document, std::string title)
    : TableReader(document, document.root(), "", std::move(title), document.beginning()) {}

TableReader::TableReader(const TomlDocument& document, const toml::table& table, std::string prefix,
                         std::string title, SourceLocation place)
    : document_(document),
      table_(table),
      prefix_(std::move(prefix)),
      title_(std::move(title)),
      place_(std::move(place)) {}

std::string TableReader::full_name(std::string_view key) const {
  return prefix_ + std::string(key);
}

std::vector<LocatedText> TableReader::keys() const {
  std::vector<LocatedText> result;
  result.reserve(table_.size());
  for (const auto& [key, value] : table_) {
    result.push_back({key.str(), document_.place_of(key.source()), false});
  }
  std::sort(result.begin(), result.end(), stands_before);
  return result;
}

void TableReader::allow_only(std::span<const std::string_view> known) const {
  for (const LocatedText& key : keys()) {
    if (std::find(known.begin(), known.end(), key.text) != known.end()) continue;
    key.complain("unknown key " + in_quotes(key.text) + did_you_mean(key.text, known) + " (" +
                 title_ + " has " + listed(known) + ")");
  }
}

void TableReader::complain_missing(std::string_view key, std::string_view example) const {
  throw InputError(
      place_, title_ + " lacks the key '" + std::string(key) + "', as in " + std::string(example));
}

SourceLocation TableReader::key_place(std::string_view key) const {
  const auto found = table_.find(key);
  return found == table_.end() ? place_ : document_.place_of(found->first.source());
}

SourceLocation TableReader::value_place(std::string_view key) const {
  const toml::node* value = node(key);
  if (value == nullptr) return place_;
  // What a parameter was put in for stands nowhere itself.
  return value->source().begin.line == 0 ? key_place(key) : document_.place_of(value->source());
}

void TableReader::complain_type(std::string_view key, std::string_view expected) const {
  throw InputError(value_place(key), "'" + std::string(key) + "' is " +
                                         std::string(type_in_words(*node(key))) + "; expected " +
                                         std::string(expected));
}

std::optional<LocatedText> TableReader::text(std::string_view key) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  const auto* found = value->as_string();
  if (found == nullptr) complain_type(key, "a string in quotes");
  return document_.placed(*found);
}

std::optional<std::int64_t> TableReader::whole_number(std::string_view key,
                                                      NumberRange range) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  const std::string expected =
      "a whole number from " + std::to_string(range.min) + " to " + std::to_string(range.max);
  const auto* found = value->as_integer();
  if (found == nullptr) complain_type(key, expected);
  if (found->get() < range.min || found->get() > range.max) {
    throw InputError(value_place(key), "'" + std::string(key) + "' is " +
                                           std::to_string(found->get()) + "; expected " + expected);
  }
  return found->get();
}

std::optional<bool> TableReader::boolean(std::string_view key) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  const auto* found = value->as_boolean();
  if (found == nullptr) complain_type(key, "true or false");
  return found->get();
}

std::optional<sim::DurationNs> TableReader::duration(std::string_view key,
                                                     DurationSign sign) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) complain_type(key, "a duration in quotes, as in \"250ms\" or \"10s\"");
  return duration_of(*text(key), sign);
}

std::optional<NumberRange> TableReader::number_range(std::string_view key,
                                                     NumberRange limits) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) {
    const std::int64_t number = *whole_number(key, limits);
    return NumberRange{number, number};
  }
  const LocatedText range = *text(key);
  const std::size_t dots = range.text.find("..");
  if (dots == std::string_view::npos) {
    range.complain(fmt::format("{} is no range; expected a whole number, or one as in \"1..3\"",
                               in_quotes(range.text)));
  }
  const std::int64_t least = whole_number_of(range.part(0, dots), limits.min, limits.max);
  return NumberRange{least, whole_number_of(range.part(dots + 2), least, limits.max)};
}

std::optional<DurationRange> TableReader::duration_range(std::string_view key, DurationSign sign,
                                                         Granularity whole) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) {
    complain_type(key, "a duration in quotes, as in \"250ms\", or a range, as in \"1s..5s\"");
  }
  return duration_range_of(*text(key), sign, whole);
}

std::optional<std::int64_t> TableReader::ppm(std::string_view key) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) complain_type(key, "a clock's rate in quotes, as in \"200ppm\"");
  return ppm_of(*text(key));
}

std::optional<TableReader> TableReader::table(std::string_view key) const {
  const toml::node* value = node(key);
  if (value == nullptr) return std::nullopt;
  const std::string name = full_name(key);
  const auto* found = value->as_table();
  if (found == nullptr) complain_type(key, fmt::format("a table, [{}]", name));
  return TableReader(document_, *found, fmt::format("{}.", name), fmt::format("[{}]", name),
                     key_place(key));
}

std::vector<LocatedText> TableReader::texts_in(std::string_view key,
                                               const toml::array& array) const {
  std::vector<LocatedText> result;
  for (const toml::node& element : array) {
    const auto* found = element.as_string();
    if (found == nullptr) {
      throw InputError(
          document_.place_of(element.source()),
          fmt::format("'{}' lists {}; expected strings in quotes", key, type_in_words(element)));
    }
    result.push_back(document_.placed(*found));
  }
  return result;
}

std::vector<LocatedText> TableReader::texts(std::string_view key) const {
  const toml::node* value = node(key);
  if (value == nullptr) return {};
  const auto* array = value->as_array();
  if (array == nullptr) complain_type(key, "a list of strings in brackets");
  return texts_in(key, *array);
}

std::vector<std::vector<LocatedText>> TableReader::text_groups(std::string_view key) const {
  std::vector<std::vector<LocatedText>> result;
  const toml::node* value = node(key);
  if (value == nullptr) return result;
  const auto* array = value->as_array();
  if (array == nullptr) complain_type(key, "lists of strings in brackets");
  for (const toml::node& element : *array) {
    const auto* group = element.as_array();
    if (group == nullptr) {
      throw InputError(document_.place_of(element.source()),
                       fmt::format("'{}' lists {}; expected lists of strings in brackets", key,
                                   type_in_words(element)));
    }
    result.push_back(texts_in(key, *group));
  }
  return result;
}

std::vector<LocatedText> TableReader::text_or_texts(std::string_view key) const {
  const toml::node* value = node(key);
  if (value == nullptr) return {};
  if (value->is_string()) return {*text(key)};
  if (!value->is_array()) complain_type(key, "a string, or a list of strings in brackets");
  return texts(key);
}

std::vector<TableReader> TableReader::tables(std::string_view key) const {
  std::vector<TableReader> result;
  const toml::node* value = node(key);
  if (value == nullptr) return result;
  const std::string name = full_name(key);
  const std::string header = fmt::format("[[{}]]", name);
  const auto* array = value->as_array();
  if (array == nullptr) complain_type(key, fmt::format("tables, each under {}", header));
  for (const toml::node& element : *array) {
    const auto* found = element.as_table();
    if (found == nullptr) {
      throw InputError(document_.place_of(element.source()),
                       fmt::format("'{}' lists {}; expected tables, each under {}", key,
                                   type_in_words(element), header));
    }
    result.push_back(TableReader(document_, *found, fmt::format("{}.", name), header,
                                 document_.place_of(found->source())));
  }
  return result;
}

std::string_view type_in_words(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::none:
      return "nothing";
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "a whole number";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    case toml::node_type::boolean:
      return "true or false";
    case toml::node_type::date:
      return "a date";
    case toml::node_type::time:
      return "a time of day";
    case toml::node_type::date_time:
      return "a date and time";
  }
  return "unknown";
}

}  // namespace lockstep::scenario
