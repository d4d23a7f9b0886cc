// Walks the ways through a program, without running it.
//
// Each branch is followed with what its condition says, functions of the program are walked where
// they are called, a loop's body is walked once or not at all. What the program's world does
// (redis.call, client.command) is for the class that derives from this one.
//
// It looks at 32 ways at once and takes 20,000 steps for each function that it enters, 200,000 in
// all; what lies beyond is not looked at. So it may miss what is wrong on a way, and it may see a
// way that no run takes; programs as small as a lock's stay far below the limits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/lua_ast.h"
#include "advice/paths.h"
#include "advice/values.h"

namespace lockstep::advice {

class SymbolicExecutor {
 public:
  SymbolicExecutor(const SymbolicExecutor&) = delete;
  SymbolicExecutor& operator=(const SymbolicExecutor&) = delete;

 protected:
  explicit SymbolicExecutor(const LuaAst& tree);
  ~SymbolicExecutor() = default;

  struct CallSite {
    Place place;
    std::vector<Place> arguments;  ///< where each begins
  };

  /// A call of a global or of a field of one: what it gives, or nothing where it is not known.
  virtual std::optional<Outcomes> call_global(State& state, const std::string& path,
                                              const std::vector<ValueNumber>& arguments,
                                              const CallSite& site) = 0;
  /// A global's value; by default a symbol of its own.
  virtual ValueNumber global(const std::string& name) { return values_.global(name); }
  /// `table[key]` where the walk does not know the element.
  virtual std::optional<ValueNumber> element(ValueNumber /*table*/, ValueNumber /*key*/) {
    return std::nullopt;
  }
  /// What nothing is known about: of a client model it may come from the caller.
  virtual ValueNumber unknown(const std::string& symbol, const std::vector<ValueNumber>& parts) {
    return values_.made_from(symbol, parts);
  }
  /// A way ends here: by a return of what was entered, by its end, or by an error.
  virtual void end(State& state) = 0;
  /// Whether a fact that contradicts what is known rules a way out: not where others act in
  /// between.
  [[nodiscard]] virtual bool is_alone() const { return true; }

  /// Walks the program itself; what it returns with, on each way.
  Outcomes walk_program();
  /// Walks another program that the tree has, on the way that asked for it; its variables stay.
  Outcomes walk_library(FunctionId program, State state);
  /// Walks a function as an entry of the program: its parameters are unknown. Calls end().
  void walk_entry(FunctionId function, const State& state);
  /// Walks a function that is called; gives what it returns.
  Outcomes call_function(FunctionId function, const std::vector<ValueNumber>& arguments,
                         State state);
  /// What a value that is called gives: a function of the program, or something unknown.
  Outcomes call_value(ValueNumber callee, const std::vector<ValueNumber>& arguments,
                      const CallSite& site, State state);

  [[nodiscard]] const LuaAst& tree() const { return tree_; }
  Values& values() { return values_; }
  KeyState& key(State& state, const std::string& symbol) { return state.keys[symbol]; }

 private:
  struct Flow {
    std::vector<State> next;    ///< goes on behind it
    std::vector<State> broken;  ///< left the loop
    Outcomes returned;
  };

  [[nodiscard]] bool is_exhausted();
  static void limit(std::vector<State>& states);
  static void limit(Outcomes& outcomes);

  Flow walk_block(const Block& block, std::vector<State> states);
  Flow walk_statement(const Statement& statement, State state);
  Flow walk_branches(const Statement& statement, State state);
  /// The body once; gives the ways that reach its end.
  std::vector<State> walk_body(const Statement& statement, std::vector<State> states, Flow& flow);
  void walk_while(const Statement& statement, State state, Flow& flow);
  void walk_repeat(const Statement& statement, State state, Flow& flow);
  void walk_for(const Statement& statement, State state, Flow& flow);
  void declare_loop_variables(const Statement& statement, const std::vector<ValueNumber>& values,
                              State& state);
  void walk_local(const Statement& statement, State state, Flow& flow);
  void walk_assignment(const Statement& statement, State state, Flow& flow);
  void assign(State& state, ExpressionId target, ValueNumber value);
  void assign_element(State& state, const Expression& target, ValueNumber value);

  /// The values of several expressions, one after the other.
  struct ListOutcome {
    State state;
    std::vector<ValueNumber> values;
    ValueNumber rest = 0;  ///< what comes behind them: nil, or unknown where a call was last
  };
  std::vector<ListOutcome> evaluate_list(const std::vector<ExpressionId>& list, std::size_t first,
                                         State state);
  Outcomes evaluate(ExpressionId id, State state);
  Outcomes evaluate_name(const Expression& expression, State state);
  Outcomes evaluate_index(const Expression& expression, State state);
  Outcomes evaluate_call(ExpressionId id, State state);
  Outcomes evaluate_method(ExpressionId id, State state);
  Outcomes evaluate_table(const Expression& expression, State state);
  Outcomes evaluate_unary(const Expression& expression, State state);
  Outcomes evaluate_binary(const Expression& expression, State state);
  Outcomes evaluate_logic(const Expression& expression, State state);
  ValueNumber index_value(ValueNumber table, ValueNumber key);
  static Outcomes one(State state, ValueNumber value);
  Outcomes call_protected(const std::vector<ValueNumber>& arguments, const CallSite& site,
                          State state);
  ValueNumber symbol_at(std::string_view what, const Place& place, State& state,
                        const std::vector<ValueNumber>& parts);

  /// The ways on which the condition is true, and those on which it is false.
  struct Split {
    std::vector<State> yes;
    std::vector<State> no;
  };
  Split split(ExpressionId condition, State state);
  void add_assumed(std::vector<State>& states, const State& state, ValueNumber value, bool truth);
  bool assume(State& state, ValueNumber value, bool truth);
  bool apply(State& state, const Facts& facts);

  const LuaAst& tree_;
  /// Local functions that are never assigned to again, by their variables: no state has to know
  /// them.
  std::vector<std::optional<FunctionId>> constants_;
  Values values_;
  std::vector<FunctionId> active_functions_;
  std::uint32_t steps_ = 0;
  std::uint32_t entry_steps_ = 0;
  std::uint32_t depth_ = 0;
};

}  // namespace lockstep::advice
