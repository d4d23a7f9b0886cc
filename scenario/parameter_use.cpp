// Putting a row's values in where a scenario's strings name them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "scenario/parameter_setting.h"
#include "scenario/parameters.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {
namespace {

using Names = std::set<std::string, std::less<>>;

/// Where the name that "$name" or "${name}" has ends, and whether it is one at all.
struct Use {
  std::size_t begin;
  std::size_t end;
  std::size_t after;
  bool is_whole;
};

/// REQUIRES: text[at] is a dollar sign.
Use use_at(std::string_view text, std::size_t at) {
  const bool has_braces = at + 1 < text.size() && text[at + 1] == '{';
  const std::size_t begin = at + (has_braces ? 2 : 1);
  std::size_t end = begin;
  while (end < text.size() && is_name_part(text[end])) ++end;
  const bool is_closed = !has_braces || (end < text.size() && text[end] == '}');
  return {begin, end, end + (has_braces ? 1 : 0),
          end > begin && is_name_start(text[begin]) && is_closed};
}

/// Adds every name that a string below the node uses. What is no use is complained about where it
/// is put in.
void note_uses(const toml::node& node, Names& names) {
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) note_uses(value, names);
  } else if (const auto* array = node.as_array()) {
    for (const toml::node& each : *array) note_uses(each, names);
  } else if (const auto* text = node.as_string()) {
    const std::string_view all = text->get();
    for (std::size_t at = all.find('$'); at < all.size(); at = all.find('$', at)) {
      const Use use = use_at(all, at);
      if (use.is_whole) names.emplace(all.substr(use.begin, use.end - use.begin));
      at = use.is_whole ? use.after : at + (all.substr(at, 2) == "$$" ? 2 : 1);
    }
  }
}

/// A parameter that no row uses is a slip; one that some rows use is not: a [[case]] may say the
/// `expect` or the title that it stands in.
void require_uses(const TomlDocument& document) {
  const toml::table& root = document.root();
  const auto* parameters = root.get_as<toml::table>("parameters");
  if (parameters == nullptr) return;
  Names names;
  for (const auto& [key, value] : root) {
    if (key != "parameters" && key != "base") note_uses(value, names);
  }
  for (const auto& [key, value] : *parameters) {
    if (names.contains(key.str())) continue;
    throw InputError(document.place_of(key.source()),
                     fmt::format("the parameter '{}' is used nowhere; expected it in a string, as "
                                 "in \"${}\"",
                                 key.str(), key.str()));
  }
}

class Substitution {
 public:
  Substitution(const TomlDocument& document, const ParameterRow& row)
      : document_(document), row_(row) {}

  void visit(toml::table& table) {
    for (auto&& [key, node] : table) {
      if (auto typed = visit(node)) {
        std::visit([&table, &name = key](
                       auto value) { table.insert_or_assign(name.str(), std::move(value)); },
                   std::move(*typed));
      }
    }
  }

 private:
  /// The value to put in the node's place, where it is not a text in the same string.
  std::optional<OptionValue> visit(toml::node& node) {
    if (auto* table = node.as_table()) {
      visit(*table);
    } else if (auto* array = node.as_array()) {
      for (std::size_t i = 0; i < array->size(); ++i) {
        if (auto typed = visit((*array)[i])) {
          std::visit(
              [&](auto value) {
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
    const LocatedText text = document_.placed(node);
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
  static std::pair<LocatedText, std::size_t> read_use(const LocatedText& text, std::size_t at) {
    const Use use = use_at(text.text, at);
    if (!use.is_whole) {
      text.part(at).complain(
          "'$' begins a parameter, as in '$lease' or '${lease}'; a dollar sign is written '$$'");
    }
    return {text.part(use.begin, use.end - use.begin), use.after};
  }

  const OptionValue& value_of(const LocatedText& name) {
    std::vector<std::string_view> names;
    for (const ParameterRow::Binding& binding : row_.bindings) {
      if (binding.name == name.text) return binding.value;
      names.push_back(binding.name);
    }
    name.complain(fmt::format("there is no parameter {}{} ([parameters] has {})",
                              in_quotes(name.text), did_you_mean(name.text, names), listed(names)));
  }

  const TomlDocument& document_;
  const ParameterRow& row_;
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
  require_uses(document);
  if (row.case_index) take_case(root, *row.case_index);
  for (const std::string_view key : {"base", "parameters", "case"}) root.erase(key);
  Substitution(document, row).visit(root);
}

}  // namespace lockstep::scenario
