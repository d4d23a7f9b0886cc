#include "model/lock/search_plan.h"

#include <array>
#include <string_view>

#include "scenario/text/located_text.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::model {

SearchPlan read_search_plan(const scenario::TableReader& lock_toml) {
  SearchPlan plan;
  const auto search = lock_toml.table("search");
  if (!search) return plan;
  constexpr std::array<std::string_view, 2> words = {"weights", "options"};
  search->allow_only(words);
  if (const auto weights = search->table("weights")) {
    for (const scenario::LocatedText& key : weights->keys()) {
      constexpr scenario::NumberRange range = {0, 100};
      const auto weight = static_cast<int>(*weights->whole_number(key.text, range));
      plan.weights.push_back({std::string(key.text), weight, key.place});
    }
  }
  for (const scenario::TableReader& table : search->tables("options")) {
    std::map<std::string, PlacedOption>& options = plan.options.emplace_back();
    for (const scenario::LocatedText& key : table.keys()) {
      options.insert(read_option(table, key.text));
    }
  }
  return plan;
}

}  // namespace lockstep::model
