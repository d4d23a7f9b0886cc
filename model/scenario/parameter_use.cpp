// Putting a row's values in where a scenario's strings name them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "model/scenario/parameters.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
namespace {

class Substitution {
 public:
  Substitution(const TomlDocument& document, const ParameterRow& row)
      : document_(document), row_(row) {}

  void visit(toml::table& table) {
    for (auto&& [key, node] : table) {
      if (auto typed = visit(node)) {
        std::visit([&table, &name = key](
                       auto&& value) { table.insert_or_assign(name.str(), std::move(value)); },
                   std::move(*typed));
      }
    }
  }

  [[nodiscard]] const std::set<std::string, std::less<>>& used() const { return used_; }

 private:
  /// The value to put in the node's place, where it is not a text in the same string.
  std::optional<OptionValue> visit(toml::node& node) {
    if (auto* table = node.as_table()) {
      visit(*table);
    } else if (auto* array = node.as_array()) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        if (auto typed = visit((*array)[i])) {
          std::visit(
              [&](auto&& value) {
                array->replace(array->cbegin() + static_cast<std::ptrdiff_t>(i), std::move(value));
              },
              std::move(*typed));
        }
      }
    } else if (auto* text = node.as_string()) {
      return substitute(*text);
    }
    return std::nullopt;
  }

  std::optional<OptionValue> substitute(toml::value<std::string>& node) {
    if (node.get().find('$') == std::string::npos) return std::nullopt;
    const std::string before = node.get();
    const PlacedText text = document_.placed(node);
    std::string after;
    std::size_t at = 0;
    while (at < before.size()) {
      if (before[at] != '$') {
        after += before[at++];
      } else if (before.substr(at, 2) == "$$") {
        after += '$';
        at += 2;
      } else {
        const auto [name, end] = read_use(text, at);
        const OptionValue& value = value_of(name);
        const bool is_all = at == 0 && end == before.size();
        if (is_all && !std::holds_alternative<std::string>(value)) return value;
        after += write_value(value);
        at = end;
      }
    }
    node = after;
    return std::nullopt;
  }

  /// The name that "$name" or "${name}" at that place has, and where it ends.
  static std::pair<PlacedText, std::size_t> read_use(const PlacedText& text, std::size_t at) {
    const std::string_view all = text.text;
    const bool has_braces = at + 1 < all.size() && all[at + 1] == '{';
    const std::size_t begin = at + (has_braces ? 2 : 1);
    std::size_t end = begin;
    while (end < all.size() && is_name_part(all[end])) ++end;
    const bool is_whole = end > begin && is_name_start(all[begin]) &&
                          (!has_braces || (end < all.size() && all[end] == '}'));
    if (!is_whole) {
      text.part(at).complain(
          "'$' begins a parameter, as in '$lease' or '${lease}'; a dollar sign is written '$$'");
    }
    return {text.part(begin, end - begin), end + (has_braces ? 1 : 0)};
  }

  const OptionValue& value_of(const PlacedText& name) {
    std::vector<std::string_view> names;
    for (const ParameterRow::Binding& binding : row_.bindings) {
      if (binding.name == name.text) {
        used_.emplace(name.text);
        return binding.value;
      }
      names.push_back(binding.name);
    }
    name.complain(fmt::format("there is no parameter {}{} ([parameters] has {})",
                              in_quotes(name.text), did_you_mean(name.text, names), listed(names)));
  }

  const TomlDocument& document_;
  const ParameterRow& row_;
  std::set<std::string, std::less<>> used_;
};

void take_case(toml::table& root, std::size_t index) {
  toml::table& chosen = *(*root.get("case")->as_array())[index].as_table();
  for (const std::string_view word : {std::string_view("title"), std::string_view("expect")}) {
    const auto found = chosen.find(word);
    if (found == chosen.end()) continue;
    root.erase(word);  // its place too
    std::move(found->second).visit([&](auto&& value) {
      root.insert_or_assign(found->first, std::forward<decltype(value)>(value));
    });
  }
}

}  // namespace

bool is_name_start(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool is_name_part(char byte) {
  return is_name_start(byte) || byte == '_' || (byte >= '0' && byte <= '9');
}

void apply_row(TomlDocument& document, const ParameterRow& row) {
  toml::table& root = document.root();
  if (row.case_index) take_case(root, *row.case_index);
  std::vector<std::pair<std::string, SourcePlace>> declared;
  if (const auto* parameters = root.get_as<toml::table>("parameters")) {
    for (const auto& [key, value] : *parameters) {
      declared.emplace_back(key.str(), document.place_of(key.source()));
    }
  }
  for (const std::string_view key : {"base", "parameters", "case"}) root.erase(key);
  Substitution substitution(document, row);
  substitution.visit(root);
  for (const auto& [name, place] : declared) {
    if (substitution.used().contains(name)) continue;
    throw InputError(place, fmt::format("the parameter '{}' is used nowhere; expected it in a "
                                        "string, as in \"${}\"",
                                        name, name));
  }
}

}  // namespace lockstep::model
