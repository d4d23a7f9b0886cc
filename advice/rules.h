// The rules of lint: each with its reason and an example of the harm.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/source/ast.h"

namespace lockstep::advice {

enum class Rule : std::uint8_t {
  key_not_in_keys,
  value_in_keys,
  no_lease,
  write_then_expire,
  read_then_write,
  delete_without_owner,
  fixed_owner,
  not_lua_5_1,
  unknown_global,
  global_assignment,
  refused_command,
  different_slots,
  not_deterministic,
  order_of_pairs,
};

struct RuleText {
  Rule rule;
  std::string_view name;      ///< "no-lease"
  std::string_view title;     ///< what it finds
  std::string_view reason;    ///< why it is a mistake
  std::string_view shown_in;  ///< a scenario that shows the harm, or a section of a document
};

/// All rules, in the order of the enumeration.
[[nodiscard]] std::span<const RuleText> all_rules();
[[nodiscard]] const RuleText& text_of(Rule rule);

struct LintFinding {
  std::string path;
  lua::Place place;
  Rule rule = Rule::no_lease;
  std::string what;    ///< at this place
  std::string reason;  ///< the rule's, or a more specific one
};

/// Sorts by path and place, and removes duplicates.
void sort_findings(std::vector<LintFinding>& findings);

}  // namespace lockstep::advice
