// Executes a program symbolically: follows the paths through it without running it.
//
// Each branch is followed under the assumption of its condition. Functions of the program are
// executed where they are called. A loop's body is executed once or not at all. Derived classes
// supply the environment (redis.call, client.command).
//
// Limits: 32 paths at once, and 20,000 steps for each entry function, 200,000 in all. Beyond them
// nothing is examined. So a mistake may be missed, and a path that no run takes may be reported;
// programs as small as a lock's stay far below the limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/paths.h"
#include "advice/values.h"
#include "lua/source/ast.h"

namespace lockstep::advice {

class SymbolicExecutor {
 public:
  SymbolicExecutor(const SymbolicExecutor&) = delete;
  SymbolicExecutor& operator=(const SymbolicExecutor&) = delete;

 protected:
  explicit SymbolicExecutor(const lua::Ast& tree);
  ~SymbolicExecutor() = default;

  struct CallSite {
    lua::Place place;
    std::vector<lua::Place> arguments;  ///< where each begins
  };

  /// The outcomes of calling a global or a field of one; nothing if they are unknown.
  virtual std::optional<Outcomes> call_global(State& state, const std::string& path,
                                              const std::vector<ValueNumber>& arguments,
                                              const CallSite& site) = 0;
  /// A global's value; by default a symbol of its own.
  virtual ValueNumber global(const std::string& name) { return values_.global(name); }
  /// `table[key]` if the executor does not know the element.
  virtual std::optional<ValueNumber> element(ValueNumber /*table*/, ValueNumber /*key*/) {
    return std::nullopt;
  }
  /// A value about which nothing is known. In a client model it may come from the caller.
  virtual ValueNumber unknown(const std::string& symbol, const std::vector<ValueNumber>& parts) {
    return values_.made_from(symbol, parts);
  }
  /// Two values are compared or reckoned with.
  virtual void operated(std::string_view /*operator_text*/, ValueNumber /*left*/,
                        ValueNumber /*right*/, const lua::Place& /*place*/) {}
  /// A path ends here: by a return from the entry, by its end, or by an error.
  virtual void end(State& state) = 0;
  /// True if a contradiction between facts rules a path out. False if others act between calls.
  [[nodiscard]] virtual bool is_alone() const { return true; }

  /// Executes the program. Returns its result on each path.
  Outcomes walk_program();
  /// Executes another program of the tree on the path that requires it. Its variables stay.
  Outcomes walk_library(lua::FunctionId program, State state);
  /// Executes a function as an entry of the program, with unknown parameters. Calls end().
  void walk_entry(lua::FunctionId function, const State& state);
  /// Executes a call of a function. Returns its results.
  Outcomes call_function(lua::FunctionId function, const std::vector<ValueNumber>& arguments,
                         State state);
  /// Executes a call of a value: a function of the program, or something unknown.
  Outcomes call_value(ValueNumber callee, const std::vector<ValueNumber>& arguments,
                      const CallSite& site, State state);

  [[nodiscard]] const lua::Ast& tree() const { return tree_; }
  Values& values() { return values_; }
  KeyState& key(State& state, const std::string& symbol) { return state.keys[symbol]; }

 private:
  struct Flow {
    std::vector<State> next;    ///< continue after it
    std::vector<State> broken;  ///< left the loop by break
    Outcomes returned;
  };

  [[nodiscard]] bool is_exhausted();
  static void limit(std::vector<State>& states);
  static void limit(Outcomes& outcomes);

  Flow walk_block(const lua::Block& block, std::vector<State> states);
  Flow walk_statement(const lua::Statement& statement, State state);
  Flow walk_branches(const lua::Statement& statement, State state);
  /// Executes the body once. Returns the paths that reach its end.
  std::vector<State> walk_body(const lua::Statement& statement, std::vector<State> states,
                               Flow& flow);
  void walk_while(const lua::Statement& statement, State state, Flow& flow);
  void walk_repeat(const lua::Statement& statement, State state, Flow& flow);
  void walk_for(const lua::Statement& statement, State state, Flow& flow);
  void declare_loop_variables(const lua::Statement& statement,
                              const std::vector<ValueNumber>& values, State& state);
  void walk_local(const lua::Statement& statement, State state, Flow& flow);
  void walk_assignment(const lua::Statement& statement, State state, Flow& flow);
  void assign(State& state, lua::ExpressionId target, ValueNumber value);
  void assign_element(State& state, const lua::Expression& target, ValueNumber value);

  /// The values of several expressions, one after the other.
  struct ListOutcome {
    State state;
    std::vector<ValueNumber> values;
    ValueNumber rest = 0;  ///< any value after them: nil, or unknown if a call was last
  };
  std::vector<ListOutcome> evaluate_list(const std::vector<lua::ExpressionId>& list,
                                         std::size_t first, State state);
  Outcomes evaluate(lua::ExpressionId id, State state);
  Outcomes evaluate_name(const lua::Expression& expression, State state);
  Outcomes evaluate_index(const lua::Expression& expression, State state);
  Outcomes evaluate_call(lua::ExpressionId id, State state);
  Outcomes evaluate_method(lua::ExpressionId id, State state);
  Outcomes evaluate_table(const lua::Expression& expression, State state);
  Outcomes evaluate_unary(const lua::Expression& expression, State state);
  Outcomes evaluate_binary(const lua::Expression& expression, State state);
  Outcomes evaluate_logic(const lua::Expression& expression, State state);
  ValueNumber index_value(ValueNumber table, ValueNumber key);
  static Outcomes one(State state, ValueNumber value);
  Outcomes call_protected(const std::vector<ValueNumber>& arguments, const CallSite& site,
                          State state);
  ValueNumber symbol_at(std::string_view what, const lua::Place& place, State& state,
                        const std::vector<ValueNumber>& parts);

  /// The paths on which the condition is true, and those on which it is false.
  struct Split {
    std::vector<State> yes;
    std::vector<State> no;
  };
  Split split(lua::ExpressionId condition, State state);
  void add_assumed(std::vector<State>& states, const State& state, ValueNumber value, bool truth);
  bool assume(State& state, ValueNumber value, bool truth);
  bool apply(State& state, const Facts& facts);

  const lua::Ast& tree_;
  /// Local functions that are never assigned again, by their variables. States need not hold them.
  std::vector<std::optional<lua::FunctionId>> constants_;
  Values values_;
  std::vector<lua::FunctionId> active_functions_;
  std::uint32_t steps_ = 0;
  std::uint32_t entry_steps_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace lockstep::advice
