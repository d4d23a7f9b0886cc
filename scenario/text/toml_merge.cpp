#include "scenario/text/toml_merge.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::scenario {
namespace {

enum class Merging : std::uint8_t { replace, key_by_key, by_name, append };

Merging merging_of(std::string_view key, const toml::node& base, const toml::node& own) {
  if (base.is_table() && own.is_table()) {
    return key == "expect" ? Merging::replace : Merging::key_by_key;
  }
  if (!base.is_array_of_tables() || !own.is_array_of_tables()) return Merging::replace;
  if (key == "client") return Merging::by_name;
  return key == "fault" || key == "link" ? Merging::append : Merging::replace;
}

/// The one of the first `count` tables with the same name; null if none has, or it has no name.
toml::node* find_named(toml::array& tables, std::size_t count, const toml::node& like) {
  const auto* wanted = like.as_table()->get_as<std::string>("name");
  if (wanted == nullptr) return nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* name = tables[i].as_table()->get_as<std::string>("name");
    if (name != nullptr && name->get() == wanted->get()) return &tables[i];
  }
  return nullptr;
}

/// Two of one name in one file stay two, and are refused as such.
void merge_by_name(toml::array& base, toml::array&& own) {
  std::vector<toml::node*> replaced;
  const std::size_t inherited = base.size();
  for (toml::node& node : own) {
    toml::node* same = find_named(base, inherited, node);
    if (same != nullptr && std::find(replaced.begin(), replaced.end(), same) == replaced.end()) {
      *same->as_table() = std::move(*node.as_table());
      replaced.push_back(same);
    } else {
      base.push_back(std::move(*node.as_table()));
    }
  }
}

void replace(toml::table& base, const toml::key& key, toml::node&& node) {
  base.erase(key.str());  // the key's place too
  std::move(node).visit([&](auto&& concrete) {
    base.insert_or_assign(key, std::forward<decltype(concrete)>(concrete));
  });
}

}  // namespace

void merge_over(toml::table& base, toml::table&& own) {
  for (auto&& [key, node] : own) {
    toml::node* there = base.get(key.str());
    const Merging merging =
        there == nullptr ? Merging::replace : merging_of(key.str(), *there, node);
    switch (merging) {
      case Merging::replace:
        replace(base, key, std::move(node));
        break;
      case Merging::key_by_key:
        merge_over(*there->as_table(), std::move(*node.as_table()));
        break;
      case Merging::by_name:
        merge_by_name(*there->as_array(), std::move(*node.as_array()));
        break;
      case Merging::append:
        for (toml::node& each : *node.as_array()) {
          there->as_array()->push_back(std::move(*each.as_table()));
        }
        break;
    }
  }
}

}  // namespace lockstep::scenario
