#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "advice/script_advice.h"
#include "lua/source/token_classes.h"
#include "redis/server/command_table.h"

namespace lockstep::advice {
namespace {

/// What a script finds in its environment, as redis/scripting/script_environment.cpp makes it.
constexpr std::array<std::string_view, 34> known_globals = {
    "KEYS",         "ARGV",   "_G",           "_VERSION",       "assert",
    "bit",          "cjson",  "cmsgpack",     "collectgarbage", "coroutine",
    "error",        "gcinfo", "getmetatable", "ipairs",         "load",
    "loadstring",   "math",   "next",         "pairs",          "pcall",
    "rawequal",     "rawget", "rawset",       "redis",          "select",
    "setmetatable", "string", "struct",       "table",          "tonumber",
    "tostring",     "type",   "unpack",       "xpcall"};

/// Says what Lua 5.1 would make of a construct of Lua 5.4.
std::string_view advice_on(std::string_view construct) {
  if (construct == "//") return "write math.floor(a / b)";
  if (construct == "goto" || construct == "::") return "Lua 5.1 has no goto";
  if (construct.starts_with("<") && construct.ends_with(">")) return "Lua 5.1 has no attributes";
  return "use the library bit: bit.band, bit.bor, bit.bxor, bit.lshift, bit.rshift";
}

class TextWalk {
 public:
  TextWalk(const lua::Ast& tree, const std::string& path) : tree_(tree), path_(path) {}

  std::vector<LintFinding> run() {
    for (const lua::Lua54Syntax& each : tree_.newer) {
      add(Rule::not_lua_5_1, each.place,
          fmt::format("'{}' is not Lua 5.1: {}", each.construct, advice_on(each.construct)));
    }
    find_targets();
    find_writes();
    for (lua::ExpressionId id = 0; id < tree_.expressions.size(); ++id) look_at_name(id);
    for (const lua::Statement& statement : tree_.statements) {
      if (statement.kind == lua::Statement::Kind::generic_for) look_at_loop(statement);
      if (statement.kind == lua::Statement::Kind::local) note_array(statement);
    }
    return std::move(findings_);
  }

 private:
  void find_targets() {
    for (const lua::Statement& statement : tree_.statements) {
      if (statement.kind != lua::Statement::Kind::assignment) continue;
      for (const lua::ExpressionId target : statement.targets) {
        const lua::Expression& name = tree_.expression(target);
        if (name.kind != lua::Expression::Kind::name || name.variable) continue;
        targets_.insert(target);
        made_.insert(name.text);
        add(Rule::global_assignment, name.place,
            fmt::format("'{}' is a global: write local {}", name.text, name.text));
      }
    }
  }

  void look_at_name(lua::ExpressionId id) {
    const lua::Expression& name = tree_.expression(id);
    if (name.kind != lua::Expression::Kind::name || name.variable || targets_.contains(id)) return;
    if (lua::is_one_of(name.text, known_globals) || name.text == "os") return;
    if (made_.contains(name.text)) return;  // the assignment was told of
    add(Rule::unknown_global, name.place, fmt::format("'{}' is no global of Redis", name.text));
  }

  /// A local that is first given an array keeps its order.
  void note_array(const lua::Statement& statement) {
    for (std::size_t i = 0; i < statement.variables.size() && i < statement.values.size(); ++i) {
      if (is_array(statement.values[i])) arrays_.insert(statement.variables[i]);
    }
  }

  [[nodiscard]] bool is_array(lua::ExpressionId id) const {
    const lua::Expression& value = tree_.expression(id);
    if (value.kind == lua::Expression::Kind::name && !value.variable) {
      return value.text == "KEYS" || value.text == "ARGV";
    }
    if (value.kind == lua::Expression::Kind::name) return arrays_.contains(*value.variable);
    if (value.kind == lua::Expression::Kind::table) {
      for (const auto& key : value.keys) {
        if (key) return false;
      }
      return !value.parts.empty();
    }
    return is_redis_call(value);
  }

  [[nodiscard]] bool is_redis_call(const lua::Expression& value) const {
    if (value.kind != lua::Expression::Kind::call) return false;
    const lua::Expression& callee = tree_.expression(value.parts[0]);
    if (callee.kind != lua::Expression::Kind::index) return false;
    const lua::Expression& owner = tree_.expression(callee.parts[0]);
    const lua::Expression& field = tree_.expression(callee.parts[1]);
    return owner.kind == lua::Expression::Kind::name && owner.text == "redis" && !owner.variable &&
           (field.text == "call" || field.text == "pcall");
  }

  void look_at_loop(const lua::Statement& loop) {
    const lua::Expression& list = tree_.expression(loop.values[0]);
    const lua::Expression* callee =
        list.kind == lua::Expression::Kind::call ? &tree_.expression(list.parts[0]) : &list;
    const bool is_ordered = callee->kind != lua::Expression::Kind::name || callee->variable ||
                            (callee->text != "pairs" && callee->text != "next");
    if (is_ordered) return;
    std::optional<lua::ExpressionId> table;
    if (list.kind == lua::Expression::Kind::call && list.parts.size() > 1) table = list.parts[1];
    if (list.kind == lua::Expression::Kind::name && loop.values.size() > 1) table = loop.values[1];
    if (table && is_array(*table)) return;
    if (writes(loop.place, loop.blocks[0])) {
      add(Rule::order_of_pairs, loop.place,
          fmt::format("this loop writes in the order of {}", callee->text));
    }
  }

  /// Whether a write is called between the loop's first word and its last statement's last: by
  /// places, for what a block contains stands in it.
  [[nodiscard]] bool writes(const lua::Place& begin, const lua::Block& block) const {
    if (block.empty()) return false;
    const auto next = writes_.upper_bound(begin);
    return next != writes_.end() && !(end_of(block) < *next);
  }

  void find_writes() {
    for (const lua::Expression& each : tree_.expressions) {
      if (!is_redis_call(each) || each.parts.size() < 2) continue;
      const lua::Expression& name = tree_.expression(each.parts[1]);
      const redis::CommandSpec* const spec =
          name.kind == lua::Expression::Kind::text ? redis::find_command(name.text) : nullptr;
      const bool may_write = name.kind != lua::Expression::Kind::text ||
                             (spec != nullptr && spec->is(redis::CommandFlag::write));
      if (may_write) writes_.insert(each.place);
    }
  }

  /// Where the last thing of a block begins.
  [[nodiscard]] lua::Place end_of(const lua::Block& block) const {
    const lua::Statement& last = tree_.statement(block.back());
    lua::Place end = last.place;
    for (const lua::ExpressionId value : last.values) end = std::max(end, end_of(value));
    for (const lua::Block& inner : last.blocks) {
      if (!inner.empty()) end = std::max(end, end_of(inner));
    }
    return end;
  }

  [[nodiscard]] lua::Place end_of(lua::ExpressionId id) const {
    // Parts are read, and numbered, before what they are parts of; a loop goes down the last one.
    lua::Place end = tree_.expression(id).place;
    lua::ExpressionId at = id;
    while (!tree_.expression(at).parts.empty()) {
      at = tree_.expression(at).parts.back();
      end = std::max(end, tree_.expression(at).place);
    }
    return end;
  }

  void add(Rule rule, const lua::Place& place, std::string what) {
    findings_.push_back({path_, place, rule, std::move(what), std::string(text_of(rule).reason)});
  }

  const lua::Ast& tree_;
  const std::string& path_;
  std::vector<LintFinding> findings_;
  std::set<lua::ExpressionId> targets_;
  std::set<std::string> made_;
  std::set<lua::VariableId> arrays_;
  std::set<lua::Place> writes_;  ///< where a command that writes is called
};

}  // namespace

std::vector<LintFinding> advise_on_text(const lua::Ast& tree, const std::string& path) {
  return TextWalk(tree, path).run();
}

}  // namespace lockstep::advice
