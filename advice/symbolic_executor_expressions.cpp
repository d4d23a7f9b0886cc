// Expressions, calls, and what conditions say of the ways behind them.
#include <array>
#include <iterator>
#include <utility>

#include "advice/reply_facts.h"
#include "advice/symbolic_executor.h"
#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

constexpr std::uint32_t expression_depth_max =
    400;  // of expressions in one another, through calls too
constexpr std::array<std::string_view, 6> comparison_operators = {"==", "~=", "<", "<=", ">", ">="};

std::string at(const lua::Place& place) {
  return "@" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

}  // namespace

Outcomes SymbolicExecutor::one(State state, ValueNumber value) {
  Outcomes outcomes;
  outcomes.push_back({std::move(state), value, {}});
  return outcomes;
}

/// The symbol of something new: each call on a way gives another.
ValueNumber SymbolicExecutor::symbol_at(std::string_view what, const lua::Place& place,
                                        State& state, const std::vector<ValueNumber>& parts) {
  const std::string count = "/" + std::to_string(++state.calls);
  return unknown(std::string(what).append(at(place)).append(count), parts);
}

std::vector<SymbolicExecutor::ListOutcome> SymbolicExecutor::evaluate_list(
    const std::vector<lua::ExpressionId>& list, std::size_t first, State state) {
  std::vector<ListOutcome> ways;
  ways.push_back({std::move(state), {}, values_.nil()});
  for (std::size_t i = first; i < list.size(); ++i) {
    const lua::Expression::Kind kind = tree_.expression(list[i]).kind;
    const bool is_open = i + 1 == list.size() && (kind == lua::Expression::Kind::call ||
                                                  kind == lua::Expression::Kind::method ||
                                                  kind == lua::Expression::Kind::dots);
    std::vector<ListOutcome> next;
    for (ListOutcome& way : ways) {
      for (Outcome& outcome : evaluate(list[i], std::move(way.state))) {
        ListOutcome longer{std::move(outcome.state), way.values, values_.nil()};
        longer.values.push_back(outcome.value);
        if (is_open) {
          longer.values.insert(longer.values.end(), outcome.more.begin(), outcome.more.end());
          longer.rest = unknown(values_[outcome.value].symbol + "…", {outcome.value});
        }
        next.push_back(std::move(longer));
      }
    }
    ways = std::move(next);
  }
  return ways;
}

Outcomes SymbolicExecutor::evaluate(lua::ExpressionId id, State state) {
  const lua::Expression& expression = tree_.expression(id);
  if (is_exhausted()) return {};
  if (depth_ >= expression_depth_max || expression.depth > expression_depth_max) {
    const ValueNumber value = symbol_at("deep", expression.place, state, {});
    return one(std::move(state), value);
  }
  struct Depth {
    std::uint32_t& depth;
    explicit Depth(std::uint32_t& counter) : depth(counter) { ++depth; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ~Depth() { --depth; }
  };
  const Depth depth(depth_);
  switch (expression.kind) {
    case lua::Expression::Kind::nil:
      return one(std::move(state), values_.nil());
    case lua::Expression::Kind::truth:
      return one(std::move(state), values_.boolean(true));
    case lua::Expression::Kind::falsehood:
      return one(std::move(state), values_.boolean(false));
    case lua::Expression::Kind::number:
      return one(std::move(state), values_.number(expression.text));
    case lua::Expression::Kind::text:
      return one(std::move(state), values_.text(expression.text));
    case lua::Expression::Kind::dots: {
      const ValueNumber value = symbol_at("...", expression.place, state, {});
      return one(std::move(state), value);
    }
    case lua::Expression::Kind::function:
      return one(std::move(state), values_.function(expression.function));
    case lua::Expression::Kind::table:
      return evaluate_table(expression, std::move(state));
    case lua::Expression::Kind::name:
      return evaluate_name(expression, std::move(state));
    case lua::Expression::Kind::index:
      return evaluate_index(expression, std::move(state));
    case lua::Expression::Kind::call:
      return evaluate_call(id, std::move(state));
    case lua::Expression::Kind::method:
      return evaluate_method(id, std::move(state));
    case lua::Expression::Kind::unary:
      return evaluate_unary(expression, std::move(state));
    case lua::Expression::Kind::binary:
      return evaluate_binary(expression, std::move(state));
    case lua::Expression::Kind::group: {
      Outcomes outcomes = evaluate(expression.parts[0], std::move(state));
      for (Outcome& outcome : outcomes) outcome.more.clear();
      return outcomes;
    }
  }
  return {};
}

Outcomes SymbolicExecutor::evaluate_name(const lua::Expression& expression, State state) {
  if (!expression.variable) return one(std::move(state), global(expression.text));
  if (const std::optional<lua::FunctionId> function = constants_[*expression.variable]) {
    return one(std::move(state), values_.function(*function));
  }
  if (const ValueNumber* const known = state.variables.find(*expression.variable)) {
    const ValueNumber value = *known;
    return one(std::move(state), value);
  }
  const std::string symbol = expression.text + "#" + std::to_string(*expression.variable);
  return one(std::move(state), unknown(symbol, {}));
}

ValueNumber SymbolicExecutor::index_value(ValueNumber table, ValueNumber key) {
  if (const std::optional<ValueNumber> known = element(table, key)) return *known;
  const Value owner = values_[table];
  const Value& name = values_[key];
  if (owner.kind == Value::Kind::table && name.kind == Value::Kind::literal) {
    const auto field = owner.fields.find(name.text);
    if (!name.is_number && field != owner.fields.end()) return field->second;
    for (std::size_t i = 0; name.is_number && i < owner.items.size(); ++i) {
      if (name.text == std::to_string(i + 1)) return owner.items[i];
    }
  }
  if (owner.kind == Value::Kind::global && name.kind == Value::Kind::literal) {
    return values_.global(owner.symbol + "." + name.text);
  }
  return unknown(owner.symbol + "[" + name.symbol + "]", {table, key});
}

Outcomes SymbolicExecutor::evaluate_index(const lua::Expression& expression, State state) {
  Outcomes outcomes;
  for (ListOutcome& list : evaluate_list(expression.parts, 0, std::move(state))) {
    const ValueNumber value = index_value(list.values[0], list.values[1]);
    outcomes.push_back({std::move(list.state), value, {}});
  }
  return outcomes;
}

Outcomes SymbolicExecutor::evaluate_table(const lua::Expression& expression, State state) {
  Outcomes outcomes;
  for (ListOutcome& list : evaluate_list(expression.parts, 0, std::move(state))) {
    std::vector<ValueNumber> items;
    std::map<std::string, ValueNumber> fields;
    for (std::size_t i = 0; i < list.values.size(); ++i) {
      const bool is_item = i >= expression.keys.size() || !expression.keys[i];
      if (is_item) {
        items.push_back(list.values[i]);
      } else if (tree_.expression(*expression.keys[i]).kind == lua::Expression::Kind::text) {
        fields[tree_.expression(*expression.keys[i]).text] = list.values[i];
      }
    }
    const ValueNumber value = values_.table(std::move(items), std::move(fields));
    outcomes.push_back({std::move(list.state), value, {}});
  }
  return outcomes;
}

Outcomes SymbolicExecutor::evaluate_call(lua::ExpressionId id, State state) {
  const lua::Expression& expression = tree_.expression(id);
  CallSite site{expression.place, {}};
  for (std::size_t i = 1; i < expression.parts.size(); ++i) {
    site.arguments.push_back(tree_.expression(expression.parts[i]).place);
  }
  Outcomes outcomes;
  for (ListOutcome& list : evaluate_list(expression.parts, 0, std::move(state))) {
    const ValueNumber callee = list.values.front();
    list.values.erase(list.values.begin());
    Outcomes results = call_value(callee, list.values, site, std::move(list.state));
    outcomes.insert(outcomes.end(), std::make_move_iterator(results.begin()),
                    std::make_move_iterator(results.end()));
  }
  limit(outcomes);
  return outcomes;
}

Outcomes SymbolicExecutor::evaluate_method(lua::ExpressionId id, State state) {
  const lua::Expression& expression = tree_.expression(id);
  Outcomes outcomes;
  for (ListOutcome& list : evaluate_list(expression.parts, 0, std::move(state))) {
    const Value& object = values_[list.values[0]];
    const auto method = object.fields.find(expression.text);
    if (method != object.fields.end()) {
      CallSite site{expression.place, {}};
      Outcomes results = call_value(method->second, list.values, site, std::move(list.state));
      outcomes.insert(outcomes.end(), std::make_move_iterator(results.begin()),
                      std::make_move_iterator(results.end()));
      continue;
    }
    const ValueNumber value = symbol_at(expression.text, expression.place, list.state, list.values);
    outcomes.push_back({std::move(list.state), value, {}});
  }
  return outcomes;
}

Outcomes SymbolicExecutor::call_value(ValueNumber callee, const std::vector<ValueNumber>& arguments,
                                      const CallSite& site, State state) {
  const Value& function = values_[callee];
  if (function.kind == Value::Kind::function) {
    return call_function(function.function, arguments, std::move(state));
  }
  std::string name = "call";
  if (function.kind == Value::Kind::global) {
    name = function.symbol;
    if (std::optional<Outcomes> known = call_global(state, name, arguments, site)) {
      return std::move(*known);
    }
    if (name == "pcall" || name == "xpcall")
      return call_protected(arguments, site, std::move(state));
    if (name == "error") {
      end(state);
      return {};
    }
    const bool is_same = name == "tonumber" || name == "tostring" || name == "assert";
    if (is_same && !arguments.empty()) return one(std::move(state), arguments[0]);
    if (name == "ipairs" && !arguments.empty()) return one(std::move(state), arguments[0]);
  }
  const ValueNumber value = symbol_at(name, site.place, state, arguments);
  return one(std::move(state), value);
}

/// Either all of it happened, or it raised before it did anything that is known.
Outcomes SymbolicExecutor::call_protected(const std::vector<ValueNumber>& arguments,
                                          const CallSite& site, State state) {
  Outcomes outcomes;
  if (arguments.empty()) return outcomes;
  State failed = state;
  const ValueNumber error = symbol_at("error", site.place, failed, {});
  outcomes.push_back({std::move(failed), values_.boolean(false), {error}});
  const std::vector<ValueNumber> passed(arguments.begin() + 1, arguments.end());
  for (Outcome& outcome : call_value(arguments[0], passed, site, std::move(state))) {
    std::vector<ValueNumber> more = {outcome.value};
    more.insert(more.end(), outcome.more.begin(), outcome.more.end());
    outcomes.push_back({std::move(outcome.state), values_.boolean(true), std::move(more)});
  }
  return outcomes;
}

Outcomes SymbolicExecutor::evaluate_unary(const lua::Expression& expression, State state) {
  if (expression.text == "not") {
    Outcomes outcomes = evaluate(expression.parts[0], std::move(state));
    for (Outcome& outcome : outcomes) {
      outcome.value = values_.negation(outcome.value);
      outcome.more.clear();
    }
    return outcomes;
  }
  Outcomes outcomes = evaluate(expression.parts[0], std::move(state));
  for (Outcome& outcome : outcomes) {
    const Value& operand = values_[outcome.value];
    const bool is_negative_literal = expression.text == "-" && operand.is_number;
    outcome.value = is_negative_literal
                        ? values_.number("-" + operand.text)
                        : unknown(expression.text + operand.symbol, {outcome.value});
    outcome.more.clear();
  }
  return outcomes;
}

Outcomes SymbolicExecutor::evaluate_binary(const lua::Expression& expression, State state) {
  if (expression.text == "and" || expression.text == "or") {
    return evaluate_logic(expression, std::move(state));
  }
  Outcomes outcomes;
  for (ListOutcome& list : evaluate_list(expression.parts, 0, std::move(state))) {
    if (list.values.size() < 2) continue;
    const ValueNumber left = list.values[0];
    const ValueNumber right = list.values[1];
    ValueNumber value = 0;
    operated(expression.text, left, right, expression.place);
    if (expression.text == "..") {
      value = values_.concatenation(left, right);
    } else if (lua::is_one_of(expression.text, comparison_operators)) {
      value = values_.comparison(expression.text, left, right);
    } else {
      const std::string symbol =
          "(" + values_[left].symbol + " " + expression.text + " " + values_[right].symbol + ")";
      value = unknown(symbol, {left, right});
    }
    outcomes.push_back({std::move(list.state), value, {}});
  }
  return outcomes;
}

/// `a and b`: on the ways on which a is true it is b, on the others a.
Outcomes SymbolicExecutor::evaluate_logic(const lua::Expression& expression, State state) {
  const bool is_and = expression.text == "and";
  Outcomes outcomes;
  for (Outcome& left : evaluate(expression.parts[0], std::move(state))) {
    State goes_on = left.state;
    if (assume(left.state, left.value, !is_and)) {
      outcomes.push_back({std::move(left.state), left.value, {}});
    }
    if (!assume(goes_on, left.value, is_and)) continue;
    for (Outcome& right : evaluate(expression.parts[1], std::move(goes_on))) {
      outcomes.push_back({std::move(right.state), right.value, {}});
    }
  }
  limit(outcomes);
  return outcomes;
}

SymbolicExecutor::Split SymbolicExecutor::split(lua::ExpressionId condition, State state) {
  Split ways;
  for (Outcome& outcome : evaluate(condition, std::move(state))) {
    add_assumed(ways.yes, outcome.state, outcome.value, true);
    add_assumed(ways.no, outcome.state, outcome.value, false);
  }
  limit(ways.yes);
  limit(ways.no);
  return ways;
}

void SymbolicExecutor::add_assumed(std::vector<State>& states, const State& state,
                                   ValueNumber value, bool truth) {
  State assumed = state;
  if (assume(assumed, value, truth)) states.push_back(std::move(assumed));
}

/// False where the value can't be so on this way.
bool SymbolicExecutor::assume(State& state, ValueNumber number, bool truth) {
  const Value& value = values_[number];
  if (value.truth) return *value.truth == truth;
  if (value.negates) return assume(state, *value.negates, !truth);
  if (const bool* const known = state.assumed.find(number)) return *known == truth;
  state.assumed.set(number, truth);
  if (value.reply) {
    const ComparisonFacts facts = take_as_condition(*value.reply);
    return apply(state, truth ? facts.when_true : facts.when_false);
  }
  return apply(state, truth ? value.when_true : value.when_false);
}

bool SymbolicExecutor::apply(State& state, const Facts& facts) {
  for (const Fact& fact : facts) {
    KeyState& about = state.keys[fact.key];
    const bool is_there = fact.kind == Fact::Kind::exists;
    switch (fact.kind) {
      case Fact::Kind::compared:
        about.is_compared = true;
        break;
      case Fact::Kind::exists:
      case Fact::Kind::absent:
        if (!is_alone()) break;
        if (about.exists && *about.exists != is_there) return false;
        about.exists = is_there;
        break;
      case Fact::Kind::not_written:
        about.unleased.reset();
        break;
      case Fact::Kind::leased:
        about.unleased.reset();
        about.has_lease = about.has_lease || about.exists == std::optional(true);
        break;
    }
  }
  return true;
}

}  // namespace lockstep::advice
