#include "advice/rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <tuple>

namespace lockstep::advice {
namespace {

constexpr std::array<RuleText, 14> rules = {{
    {Rule::key_not_in_keys, "key-not-in-keys", "a key that is not made from KEYS",
     "A cluster routes a script by KEYS and refuses keys of other slots; a proxy or a client "
     "library "
     "that adds a prefix changes KEYS only.",
     "docs/lint.md#key-not-in-keys"},
    {Rule::value_in_keys, "value-in-keys", "an element of KEYS that is no key",
     "A cluster takes it for a key and refuses the script where it lies in another slot; a proxy "
     "or "
     "a client library that adds a prefix changes it. Pass it in ARGV.",
     "docs/lint.md#value-in-keys"},
    {Rule::no_lease, "no-lease", "a lock's key written without a TTL on some path",
     "Whoever dies while it has the lock leaves a key that nothing ever removes: locked for ever.",
     "scenarios/known-bugs/setnx-then-expire.toml"},
    {Rule::write_then_expire, "write-then-expire",
     "a key that is written by one call and gets its TTL by another",
     "A client that crashes between the two leaves a lock without a lease: locked for ever.",
     "scenarios/known-bugs/setnx-then-expire.toml"},
    {Rule::read_then_write, "read-then-write",
     "a key that is read by one call and written by another",
     "The lease may end in between and the lock become another's: what was read no longer holds.",
     "scenarios/known-bugs/get-then-del.toml"},
    {Rule::delete_without_owner, "delete-without-owner",
     "a lock's key deleted without comparing the owner",
     "A holder that outlived its lease deletes the lock of the next one.",
     "scenarios/known-bugs/delete-without-token.toml"},
    {Rule::fixed_owner, "fixed-owner", "a lock that holds the same value whoever takes it",
     "Who has the lock can't be told: an old holder takes the new one's lock for its own.",
     "scenarios/known-bugs/fixed-value.toml"},
    {Rule::not_lua_5_1, "not-lua-5.1", "what Redis's Lua 5.1 does not take",
     "Redis runs scripts in Lua 5.1 and refuses this one when it is loaded.",
     "docs/lint.md#not-lua-51"},
    {Rule::unknown_global, "unknown-global", "a global that no Redis script has",
     "Redis raises an error where a script reads it.", "docs/lint.md#unknown-global"},
    {Rule::global_assignment, "global-assignment", "an assignment to a global",
     "Redis raises an error: scripts may not make or change globals.",
     "docs/lint.md#global-assignment"},
    {Rule::refused_command, "refused-command", "a command that Redis refuses in a script",
     "Redis answers with an error where the script calls it.", "docs/lint.md#refused-command"},
    {Rule::different_slots, "different-slots", "keys of one script in different slots",
     "A cluster refuses the script with CROSSSLOT; a {tag} in each name keeps them together.",
     "docs/lint.md#different-slots"},
    {Rule::not_deterministic, "not-deterministic", "a result that depends on chance or on a clock",
     "The same call may do something else when it is sent again.",
     "docs/lint.md#not-deterministic"},
    {Rule::order_of_pairs, "order-of-pairs", "writes in the order of pairs",
     "The order differs between servers and runs, and so may what is written.",
     "docs/lint.md#order-of-pairs"},
}};

}  // namespace

std::span<const RuleText> all_rules() { return rules; }

const RuleText& text_of(Rule rule) { return rules[static_cast<std::size_t>(rule)]; }

void sort_findings(std::vector<LintFinding>& findings) {
  const auto order = [](const LintFinding& finding) {
    return std::tie(finding.path, finding.place, finding.rule, finding.what);
  };
  std::sort(
      findings.begin(), findings.end(),
      [&](const LintFinding& one, const LintFinding& other) { return order(one) < order(other); });
  const auto end = std::unique(
      findings.begin(), findings.end(),
      [&](const LintFinding& one, const LintFinding& other) { return order(one) == order(other); });
  findings.erase(end, findings.end());
}

}  // namespace lockstep::advice
