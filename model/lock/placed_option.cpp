#include "model/lock/placed_option.h"

#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/located_text.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::model {

std::pair<std::string, PlacedOption> read_option(const scenario::TableReader& table,
                                                 std::string_view key) {
  std::string name(key);
  const scenario::SourceLocation place = table.value_place(key);
  const toml::node& node = *table.node(key);
  if (node.is_integer())
    return {name, {*table.whole_number(key, {INT64_MIN, INT64_MAX}), place, name}};
  if (node.is_boolean()) return {name, {*table.boolean(key), place, name}};
  if (!node.is_string()) {
    throw scenario::InputError(
        place, "'" + name + "' is " + std::string(scenario::type_in_words(node)) +
                   "; expected a whole number, true or false, a duration in quotes, "
                   "or a word in quotes");
  }
  const scenario::LocatedText text = *table.text(key);
  const scenario::ParsedNumber duration = scenario::parse_duration(text.text);
  if (!duration.ok()) return {name, {std::string(text.text), place, name}};
  if (duration.value % sim::millisecond_ns != 0) {
    text.complain("a client model counts milliseconds; " + scenario::in_quotes(text.text) +
                  " is not a whole number of them");
  }
  return {name + "_ms", {duration.value / sim::millisecond_ns, place, name}};
}

}  // namespace lockstep::model
