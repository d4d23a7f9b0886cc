// Statements; expressions and conditions are in symbolic_executor_expressions.cpp.
#include <algorithm>
#include <iterator>
#include <utility>

#include "advice/symbolic_executor.h"

namespace lockstep::advice {
namespace {

constexpr std::size_t paths_max = 32;
/// From here on what was taken for true or false is forgotten, so that ways become one again.
constexpr std::size_t paths_many = 16;
constexpr std::uint32_t entry_steps_max = 20'000;
constexpr std::uint32_t steps_max = 200'000;
constexpr std::size_t functions_max = 8;  // called by one another

template <typename Item>
void append(std::vector<Item>& list, std::vector<Item> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

template <typename Item>
void keep_each_once(std::vector<Item>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

void forget_locals(const lua::Function& function, State& state) {
  state.variables.erase_range(function.first_variable, function.end_variable);
}

/// What a function took for true or false on its way, but for what it returns, is its own matter.
void forget_assumed(const FlatMap<ValueNumber, bool>& before, Outcome& outcome) {
  outcome.state.assumed.erase_if([&](const auto& entry) {
    const auto end = outcome.more.end();
    const bool is_returned =
        entry.first == outcome.value || std::find(outcome.more.begin(), end, entry.first) != end;
    return !is_returned && !before.contains(entry.first);
  });
}

}  // namespace

SymbolicExecutor::SymbolicExecutor(const lua::Ast& tree)
    : tree_(tree), constants_(tree.variables.size()) {
  for (const lua::Statement& statement : tree.statements) {
    if (statement.kind != lua::Statement::Kind::local_function) continue;
    constants_[statement.variables[0]] = tree.expression(statement.values[0]).function;
  }
  for (const lua::Statement& statement : tree.statements) {
    if (statement.kind != lua::Statement::Kind::assignment) continue;
    for (const lua::ExpressionId target : statement.targets) {
      const lua::Expression& name = tree.expression(target);
      const bool is_local = name.kind == lua::Expression::Kind::name && name.variable;
      if (is_local) constants_[*name.variable].reset();
    }
  }
}

bool SymbolicExecutor::is_exhausted() {
  return ++steps_ > steps_max || ++entry_steps_ > entry_steps_max;
}

void SymbolicExecutor::limit(std::vector<State>& states) {
  if (states.size() < 2) return;
  // So that ways which differ in nothing but how many calls lie on them become one.
  std::uint32_t calls = 0;
  for (const State& state : states) calls = std::max(calls, state.calls);
  for (State& state : states) state.calls = calls;
  if (states.size() > paths_many) {
    for (State& state : states) state.assumed.clear();
  }
  keep_each_once(states);
  if (states.size() > paths_max) states.resize(paths_max);
}

void SymbolicExecutor::limit(Outcomes& outcomes) {
  if (outcomes.size() < 2) return;
  std::uint32_t calls = 0;
  for (const Outcome& outcome : outcomes) calls = std::max(calls, outcome.state.calls);
  for (Outcome& outcome : outcomes) outcome.state.calls = calls;
  if (outcomes.size() > paths_many) {
    for (Outcome& outcome : outcomes) outcome.state.assumed.clear();
  }
  keep_each_once(outcomes);
  if (outcomes.size() > paths_max) outcomes.resize(paths_max);
}

Outcomes SymbolicExecutor::walk_program() { return walk_library(0, State{}); }

Outcomes SymbolicExecutor::walk_library(lua::FunctionId program, State state) {
  std::vector<State> begin;
  begin.push_back(std::move(state));
  Flow flow = walk_block(tree_.functions[program].body, std::move(begin));
  Outcomes outcomes = std::move(flow.returned);
  for (State& each : flow.next) outcomes.push_back({std::move(each), values_.nil(), {}});
  return outcomes;
}

void SymbolicExecutor::walk_entry(lua::FunctionId function, const State& state) {
  State begin = state;
  entry_steps_ = 0;
  std::vector<ValueNumber> arguments;
  for (const lua::VariableId parameter : tree_.functions[function].parameters) {
    arguments.push_back(
        unknown(tree_.variables[parameter].name + "#" + std::to_string(parameter), {}));
  }
  for (Outcome& outcome : call_function(function, arguments, std::move(begin))) {
    end(outcome.state);
  }
}

Outcomes SymbolicExecutor::call_function(lua::FunctionId id,
                                         const std::vector<ValueNumber>& arguments, State state) {
  const lua::Function& function = tree_.functions[id];
  const bool is_active =
      std::find(active_functions_.begin(), active_functions_.end(), id) != active_functions_.end();
  if (is_active || active_functions_.size() >= functions_max) {
    const std::string symbol = "f" + std::to_string(id) + "@" + std::to_string(++state.calls);
    const ValueNumber value = unknown(symbol, arguments);
    return one(std::move(state), value);
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    state.variables.set(function.parameters[i],
                        i < arguments.size() ? arguments[i] : values_.nil());
  }
  const FlatMap<ValueNumber, bool> assumed_before = state.assumed;
  active_functions_.push_back(id);
  std::vector<State> begin;
  begin.push_back(std::move(state));
  Flow flow = walk_block(function.body, std::move(begin));
  active_functions_.pop_back();
  Outcomes outcomes = std::move(flow.returned);
  for (State& each : flow.next) outcomes.push_back({std::move(each), values_.nil(), {}});
  for (Outcome& outcome : outcomes) {
    forget_locals(function, outcome.state);
    forget_assumed(assumed_before, outcome);
  }
  limit(outcomes);
  return outcomes;
}

SymbolicExecutor::Flow SymbolicExecutor::walk_block(const lua::Block& block,
                                                    std::vector<State> states) {
  Flow flow;
  flow.next = std::move(states);
  for (const lua::StatementId id : block) {
    std::vector<State> reached = std::move(flow.next);
    flow.next.clear();
    limit(reached);
    for (State& state : reached) {
      if (is_exhausted()) return {};
      Flow one_flow = walk_statement(tree_.statement(id), std::move(state));
      append(flow.next, std::move(one_flow.next));
      append(flow.broken, std::move(one_flow.broken));
      append(flow.returned, std::move(one_flow.returned));
    }
    limit(flow.returned);
    if (flow.next.empty()) break;
  }
  limit(flow.next);
  limit(flow.broken);
  return flow;
}

SymbolicExecutor::Flow SymbolicExecutor::walk_statement(const lua::Statement& statement,
                                                        State state) {
  Flow flow;
  switch (statement.kind) {
    case lua::Statement::Kind::local_function:
      if (constants_[statement.variables[0]]) {
        flow.next.push_back(std::move(state));
        break;
      }
      [[fallthrough]];
    case lua::Statement::Kind::local:
      walk_local(statement, std::move(state), flow);
      break;
    case lua::Statement::Kind::assignment:
      walk_assignment(statement, std::move(state), flow);
      break;
    case lua::Statement::Kind::call:
      for (Outcome& outcome : evaluate(statement.values[0], std::move(state))) {
        flow.next.push_back(std::move(outcome.state));
      }
      break;
    case lua::Statement::Kind::branches:
      return walk_branches(statement, std::move(state));
    case lua::Statement::Kind::while_loop:
      walk_while(statement, std::move(state), flow);
      break;
    case lua::Statement::Kind::repeat_loop:
      walk_repeat(statement, std::move(state), flow);
      break;
    case lua::Statement::Kind::numeric_for:
    case lua::Statement::Kind::generic_for:
      walk_for(statement, std::move(state), flow);
      break;
    case lua::Statement::Kind::block: {
      std::vector<State> begin;
      begin.push_back(std::move(state));
      return walk_block(statement.blocks[0], std::move(begin));
    }
    case lua::Statement::Kind::results:
      for (ListOutcome& list : evaluate_list(statement.values, 0, std::move(state))) {
        const ValueNumber first = list.values.empty() ? values_.nil() : list.values.front();
        if (!list.values.empty()) list.values.erase(list.values.begin());
        flow.returned.push_back({std::move(list.state), first, std::move(list.values)});
      }
      break;
    case lua::Statement::Kind::leave:
      flow.broken.push_back(std::move(state));
      break;
    case lua::Statement::Kind::jump:
      flow.next.push_back(std::move(state));
      break;
  }
  return flow;
}

SymbolicExecutor::Flow SymbolicExecutor::walk_branches(const lua::Statement& statement,
                                                       State state) {
  Flow flow;
  std::vector<State> undecided;
  undecided.push_back(std::move(state));
  for (std::size_t i = 0; i < statement.blocks.size(); ++i) {
    std::vector<State> taken;
    if (i < statement.values.size()) {
      std::vector<State> rest;
      for (State& each : undecided) {
        Split ways = split(statement.values[i], std::move(each));
        append(taken, std::move(ways.yes));
        append(rest, std::move(ways.no));
      }
      undecided = std::move(rest);
      limit(undecided);
    } else {
      taken = std::move(undecided);
      undecided.clear();
    }
    Flow inner = walk_block(statement.blocks[i], std::move(taken));
    append(flow.next, std::move(inner.next));
    append(flow.broken, std::move(inner.broken));
    append(flow.returned, std::move(inner.returned));
  }
  append(flow.next, std::move(undecided));
  return flow;
}

std::vector<State> SymbolicExecutor::walk_body(const lua::Statement& statement,
                                               std::vector<State> states, Flow& flow) {
  Flow inner = walk_block(statement.blocks[0], std::move(states));
  append(flow.next, std::move(inner.broken));
  append(flow.returned, std::move(inner.returned));
  return std::move(inner.next);
}

void SymbolicExecutor::walk_while(const lua::Statement& statement, State state, Flow& flow) {
  Split ways = split(statement.values[0], std::move(state));
  append(flow.next, std::move(ways.no));
  const bool is_endless =
      tree_.expression(statement.values[0]).kind == lua::Expression::Kind::truth;
  for (State& each : walk_body(statement, std::move(ways.yes), flow)) {
    if (is_endless) continue;  // it goes round again
    Split again = split(statement.values[0], each);
    append(flow.next, again.no.empty() ? std::move(again.yes) : std::move(again.no));
  }
}

void SymbolicExecutor::walk_repeat(const lua::Statement& statement, State state, Flow& flow) {
  std::vector<State> begin;
  begin.push_back(std::move(state));
  for (State& each : walk_body(statement, std::move(begin), flow)) {
    Split ways = split(statement.values[0], std::move(each));
    append(flow.next, ways.yes.empty() ? std::move(ways.no) : std::move(ways.yes));
  }
}

/// Over KEYS a loop runs at least once: a script without keys is no lock's.
void SymbolicExecutor::walk_for(const lua::Statement& statement, State state, Flow& flow) {
  for (ListOutcome& list : evaluate_list(statement.values, 0, std::move(state))) {
    bool is_over_keys = false;
    for (const ValueNumber value : list.values) {
      is_over_keys = is_over_keys || values_[value].from_keys;
    }
    if (!is_over_keys) flow.next.push_back(list.state);
    declare_loop_variables(statement, list.values, list.state);
    std::vector<State> begin;
    begin.push_back(std::move(list.state));
    append(flow.next, walk_body(statement, std::move(begin), flow));
  }
}

void SymbolicExecutor::declare_loop_variables(const lua::Statement& statement,
                                              const std::vector<ValueNumber>& values,
                                              State& state) {
  const bool is_list = statement.kind == lua::Statement::Kind::generic_for;
  for (std::size_t i = 0; i < statement.variables.size(); ++i) {
    const lua::VariableId variable = statement.variables[i];
    const std::string symbol = tree_.variables[variable].name + "#" + std::to_string(variable);
    std::vector<ValueNumber> parts;
    if (is_list && i > 0) parts = values;  // an element; what comes first is its place
    ValueNumber value = unknown(symbol + (parts.empty() ? "" : "*"), parts);
    if (is_list && i == 1 && !values.empty()) {
      const ValueNumber* const place = state.variables.find(statement.variables[0]);
      if (place != nullptr) value = element(values[0], *place).value_or(value);
    }
    state.variables.set(variable, value);
  }
}

void SymbolicExecutor::walk_local(const lua::Statement& statement, State state, Flow& flow) {
  for (ListOutcome& list : evaluate_list(statement.values, 0, std::move(state))) {
    for (std::size_t i = 0; i < statement.variables.size(); ++i) {
      const bool is_given = i < list.values.size();
      list.state.variables.set(statement.variables[i], is_given ? list.values[i] : list.rest);
    }
    flow.next.push_back(std::move(list.state));
  }
}

void SymbolicExecutor::walk_assignment(const lua::Statement& statement, State state, Flow& flow) {
  for (ListOutcome& list : evaluate_list(statement.values, 0, std::move(state))) {
    for (std::size_t i = 0; i < statement.targets.size(); ++i) {
      const bool is_given = i < list.values.size();
      assign(list.state, statement.targets[i], is_given ? list.values[i] : list.rest);
    }
    flow.next.push_back(std::move(list.state));
  }
}

void SymbolicExecutor::assign(State& state, lua::ExpressionId id, ValueNumber value) {
  const lua::Expression& target = tree_.expression(id);
  if (target.kind == lua::Expression::Kind::name) {
    if (target.variable) state.variables.set(*target.variable, value);
  } else if (target.kind == lua::Expression::Kind::index) {
    assign_element(state, target, value);
  }
}

/// Only where the table lies in a variable and the element is known by its name or number.
void SymbolicExecutor::assign_element(State& state, const lua::Expression& target,
                                      ValueNumber value) {
  const lua::Expression& owner = tree_.expression(target.parts[0]);
  const lua::Expression& key = tree_.expression(target.parts[1]);
  if (owner.kind != lua::Expression::Kind::name || !owner.variable) return;
  const ValueNumber* const known = state.variables.find(*owner.variable);
  if (known == nullptr) return;
  const Value& table = values_[*known];
  if (table.kind != Value::Kind::table) return;
  std::vector<ValueNumber> items = table.items;
  std::map<std::string, ValueNumber> fields = table.fields;
  if (key.kind == lua::Expression::Kind::text) {
    fields[key.text] = value;
  } else if (key.kind == lua::Expression::Kind::number &&
             key.text == std::to_string(items.size() + 1)) {
    items.push_back(value);
  } else {
    return;
  }
  state.variables.set(*owner.variable, values_.table(std::move(items), std::move(fields)));
}

}  // namespace lockstep::advice
