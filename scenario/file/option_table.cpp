#include "scenario/file/option_table.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

OptionValue read_value(const TableReader& table, std::string_view key) {
  const toml::node& node = *table.node(key);
  if (const auto* number = node.as_integer()) return number->get();
  if (const auto* yes = node.as_boolean()) return yes->get();
  throw InputError(
      table.value_place(key),
      fmt::format(
          "the option {} is {}; expected a whole number, a word, a duration or true or false",
          in_quotes(key), type_in_words(node)));
}

/// "30s" under "timeout" is 30000 under "timeout_ms"; other strings are words.
OptionValue read_text(const LocatedText& key, const LocatedText& value, std::string& name) {
  if (value.text.empty())
    value.complain(fmt::format("the option {} is empty", in_quotes(key.text)));
  const bool is_duration = value.text.find_first_of("0123456789+-.") == 0;
  if (!is_duration) return std::string(value.text);
  if (!name.ends_with("_ms")) name += "_ms";
  return milliseconds_of(value, DurationSign::not_negative) / sim::millisecond_ns;
}

/// `timeout_ms` as it may be given: `timeout = "3s"`; empty where that would be another option.
std::string duration_key_of(const Options& options, std::string_view name, std::int64_t value_ms) {
  constexpr std::string_view ending = "_ms";
  constexpr std::int64_t milliseconds_max = std::int64_t{8760} * 3600 * 1000;
  if (!name.ends_with(ending) || value_ms < 0 || value_ms > milliseconds_max) return {};
  name.remove_suffix(ending.size());
  if (name.empty() || name.ends_with(ending) || options.contains(name)) return {};
  return std::string(name);
}

void add_option(const Options& options, const std::string& name, const OptionValue& value,
                TomlTable& table) {
  if (const auto* yes = std::get_if<bool>(&value)) return table.add(name, *yes ? "true" : "false");
  if (const auto* word = std::get_if<std::string>(&value)) return table.add_text(name, *word);
  const std::int64_t number = std::get<std::int64_t>(value);
  const std::string key = duration_key_of(options, name, number);
  if (key.empty()) return table.add_number(name, number);
  table.add_text(key, format_duration(number * sim::millisecond_ns));
}

}  // namespace

void read_option_table(const TableReader& above, std::string_view key, Options& options,
                       OptionPlaces& places) {
  const auto table = above.table(key);
  if (!table) return;
  for (const LocatedText& option : table->keys()) {
    std::string name(option.text);
    const OptionValue value = table->node(option.text)->is_string()
                                  ? read_text(option, *table->text(option.text), name)
                                  : read_value(*table, option.text);
    if (!options.emplace(name, value).second) {
      option.complain(fmt::format("the option {} is given twice", in_quotes(name)));
    }
    places[name] = option.place;
    // By its own spelling, too, in which complaints speak of it.
    if (name != option.text) places.emplace(option.text, option.place);
  }
}

void add_options(const Options& options, TomlTable& table) {
  for (const auto& [name, value] : options) add_option(options, name, value, table);
}

void write_option_table(std::string_view key, const Options& options, TableText& text) {
  TableText table = text.below_key(key);
  add_options(options, table.keys);
  text.add(key, table);
}

std::string options_in_words(const Options& options) {
  std::string text;
  for (const auto& [name, value] : options) {
    const auto* const number = std::get_if<std::int64_t>(&value);
    const auto* const yes = std::get_if<bool>(&value);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name,
                        number != nullptr ? std::to_string(*number)
                        : yes != nullptr  ? (*yes ? "true" : "false")
                                          : std::get<std::string>(value));
  }
  return text;
}

}  // namespace lockstep::scenario
