#include "advice/client_model_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "advice/key_effects.h"
#include "advice/symbolic_executor.h"
#include "model/lock/lock_package.h"

namespace lockstep::advice {
namespace {

class ClientModelWalk final : private SymbolicExecutor {
 public:
  ClientModelWalk(const lua::Ast& tree, const ClientModelUse& use, const KeyRoles& roles)
      : SymbolicExecutor(tree), use_(use), roles_(roles) {}

  ClientModelAdvice run() {
    find_reassigned();
    for (Outcome& outcome : walk_program()) {
      forget_reassigned(outcome.state);
      outcome.state.keys.clear();
      outcome.state.assumed.clear();
      enter_all(outcome.value, outcome.state);
      for (const auto& [name, library] : required_) enter_all(library, outcome.state);
      break;  // the first way; a client model has no branches around its functions
    }
    return std::move(advice_);
  }

 private:
  void enter_all(ValueNumber table, const State& state) {
    const std::map<std::string, ValueNumber> fields = values()[table].fields;
    for (const auto& [name, value] : fields) enter(name, value, state);
  }

  void enter(const std::string& name, ValueNumber value, const State& state) {
    const bool is_new = values()[value].kind == Value::Kind::function &&
                        entered_.insert({values()[value].function, is_force(name)}).second;
    if (!is_new) return;
    entry_ = name;
    walk_entry(values()[value].function, state);
  }

  /// What functions change, a later call may find changed: it is not known at their beginning.
  void find_reassigned() {
    for (const lua::Statement& statement : tree().statements) {
      if (statement.kind != lua::Statement::Kind::assignment) continue;
      for (const lua::ExpressionId target : statement.targets) {
        const lua::Expression& name = tree().expression(target);
        if (name.kind == lua::Expression::Kind::name && name.variable)
          reassigned_.insert(*name.variable);
      }
    }
  }

  void forget_reassigned(State& state) {
    state.variables.erase_if([this](const auto& variable) {
      return reassigned_.contains(variable.first) &&
             values()[variable.second].kind != Value::Kind::function;
    });
  }

  // -- the world of a client model --

  /// Others act between two calls: what was true may not be any more.
  [[nodiscard]] bool is_alone() const override { return false; }

  /// Whatever the client model does not make itself may be the caller's token.
  ValueNumber unknown(const std::string& symbol, const std::vector<ValueNumber>& parts) override {
    Value value = values()[values().made_from("temporary " + symbol, parts)];
    value.symbol = symbol;
    value.from_arguments = true;
    return values().intern(std::move(value));
  }

  std::optional<ValueNumber> element(ValueNumber table, ValueNumber key) override {
    const Value& name = values()[key];
    const Value& owner = values()[table];
    if (name.kind != Value::Kind::literal || name.is_number) return std::nullopt;
    if (owner.symbol.ends_with(options_symbol)) return option(name.text);
    const bool is_object = owner.kind == Value::Kind::unknown;
    if (is_object && name.text == "name") return values().text(KeyRoles::lock_name);
    if (is_object && name.text == "tagged_name") {
      return values().text(model::tagged_name(KeyRoles::lock_name));
    }
    return std::nullopt;
  }

  std::optional<ValueNumber> option(const std::string& name) {
    const auto known = use_.options.find(name);
    if (known == use_.options.end()) return std::nullopt;
    if (const auto* truth = std::get_if<bool>(&known->second)) return values().boolean(*truth);
    if (const auto* word = std::get_if<std::string>(&known->second)) return values().text(*word);
    return values().number(std::to_string(std::get<std::int64_t>(known->second)));
  }

  std::optional<Outcomes> call_global(State& state, const std::string& path,
                                      const std::vector<ValueNumber>& arguments,
                                      const CallSite& site) override {
    if (path == "client.command" && arguments.size() > 1) {
      return command(state, {arguments.begin() + 1, arguments.end()}, site.place);
    }
    if (path == "client.eval" && arguments.size() > 1) {
      note_script(arguments[1], arguments.size() > 2 ? arguments[2] : values().nil(), site.place);
      return std::nullopt;
    }
    if (path == "client.pipeline") return pipeline(state, arguments, site.place);
    if (path == "require" && !arguments.empty()) return require(state, arguments[0]);
    if (path == "client.refuse") {
      end(state);
      return Outcomes{};
    }
    if (path == "client.spawn" && arguments.size() > 1) {
      const Value& task = values()[arguments[1]];
      const bool is_new =
          task.kind == Value::Kind::function && spawned_.insert(task.function).second;
      if (is_new) {
        State begin = state;
        begin.keys.clear();
        walk_entry(task.function, begin);
      }
    }
    return std::nullopt;
  }

  /// A library runs once; whoever requires it again gets the same.
  std::optional<Outcomes> require(State& state, ValueNumber name) {
    const auto library = use_.libraries.find(values()[name].text);
    if (library == use_.libraries.end()) return std::nullopt;
    Outcomes outcomes;
    const auto known = required_.find(library->first);
    if (known != required_.end()) {
      outcomes.push_back({std::move(state), known->second, {}});
      return outcomes;
    }
    required_[library->first] = values().nil();  // for one that requires itself
    outcomes = walk_library(library->second, std::move(state));
    if (outcomes.size() > 1) outcomes.resize(1);
    if (!outcomes.empty()) required_[library->first] = outcomes.front().value;
    return outcomes;
  }

  Outcomes command(State& state, const std::vector<ValueNumber>& words, const lua::Place& place) {
    Outcomes outcomes;
    const std::optional<CommandCall> call = command_call(values(), words, place);
    ++state.calls;
    Value reply;
    reply.symbol = "reply/" + std::to_string(state.calls) + "@" + std::to_string(place.line) + ":" +
                   std::to_string(place.column);
    reply.text = "?";
    if (call) {
      const std::vector<std::size_t> keys = key_indices(*call);
      for (const std::size_t index : keys) look_at_key(*call, index, state);
      if (!keys.empty()) {
        const Value& key = values()[call->words[keys[0]]];
        reply.read_from = {key.symbol};
        reply.reply = ReplyOf{call->name, key.symbol, call->words.size() > keys[0] + 1, false};
      }
    }
    const ValueNumber number = values().intern(std::move(reply));
    outcomes.push_back({std::move(state), number, {}});
    return outcomes;
  }

  /// One after the other, with others in between.
  std::optional<Outcomes> pipeline(State& state, const std::vector<ValueNumber>& arguments,
                                   const lua::Place& place) {
    Outcomes last;
    std::vector<ValueNumber> replies;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      const std::vector<ValueNumber> items = values()[arguments[i]].items;
      if (items.empty()) continue;
      if (values()[items[0]].symbol == "'eval'") {
        const ValueNumber none = values().nil();
        note_script(items.size() > 1 ? items[1] : none, items.size() > 2 ? items[2] : none, place);
        replies.push_back(unknown("reply of eval/" + std::to_string(++state.calls), {}));
        continue;
      }
      Outcomes outcomes = command(state, items, place);
      state = std::move(outcomes.front().state);
      replies.push_back(outcomes.front().value);
    }
    if (replies.empty()) return std::nullopt;
    Outcome outcome;
    outcome.value = replies.front();
    outcome.more.assign(replies.begin() + 1, replies.end());
    outcome.state = std::move(state);
    last.push_back(std::move(outcome));
    return last;
  }

  void end(State& state) override {
    for (const auto& [symbol, key] : state.keys) {
      if (!key.unleased) continue;
      const std::string& name = names_[symbol];
      const KeyRole role = roles_.role_of(name);
      const bool is_wanted =
          role == KeyRole::lock || role == KeyRole::lease ||
          (role == KeyRole::unknown && !is_of_collections(key.unleased->command) &&
           !key.unleased->command.starts_with("incr") &&
           !key.unleased->command.starts_with("decr"));
      if (!is_wanted) continue;
      add(Rule::no_lease, key.unleased->place,
          fmt::format("{} writes the lock's key, which gets no TTL on some way to the end",
                      upper(key.unleased->command)));
    }
  }

  // -- what is looked at --

  void look_at_key(const CommandCall& call, std::size_t index, State& state) {
    const Value key = values()[call.words[index]];
    names_[key.symbol] = key.text;
    KeyState& known = this->key(state, key.symbol);
    const KeyEffect effect = effect_of(values(), call);
    const bool writes = effect != KeyEffect::none && effect != KeyEffect::read;
    if (writes && known.read && !is_guarded(values(), call)) {
      add(Rule::read_then_write, call.place,
          fmt::format("{} follows a {} of the same key (line {}): a script would do both at once",
                      upper(call.name), upper(known.read->command), known.read->place.line));
    }
    if (effect == KeyEffect::lease && known.unleased) {
      add(Rule::write_then_expire, known.unleased->place,
          fmt::format("{} gets its TTL by another call, {} in line {}",
                      upper(known.unleased->command), upper(call.name), call.place.line));
    }
    if (effect == KeyEffect::removal) look_at_removal(call, key, known);
    look_at_value(call, key);
    apply_effect(effect, call, known);
    if (writes) known.read.reset();
  }

  void look_at_removal(const CommandCall& call, const Value& key, const KeyState& known) {
    const KeyRole role = roles_.role_of(key.text);
    if (role != KeyRole::lock && role != KeyRole::unknown) return;
    if (known.is_compared || is_forced()) return;
    add(Rule::delete_without_owner, call.place,
        fmt::format("{} removes the lock without comparing whose it is", upper(call.name)));
  }

  void look_at_value(const CommandCall& call, const Value& key) {
    if (call.words.size() < 2 || (call.name != "set" && call.name != "setnx")) return;
    if (!is_guarded(values(), call)) return;
    const bool is_asked =
        roles_.is_declared() ? roles_.role_of(key.text) == KeyRole::lock && roles_.has_owner_token()
                             : true;
    const Value& written = values()[call.words[1]];
    if (!is_asked || written.kind != Value::Kind::literal) return;
    add(Rule::fixed_owner, call.place,
        fmt::format("{} writes '{}' for every holder", upper(call.name), written.text));
  }

  void note_script(ValueNumber name, ValueNumber keys, const lua::Place& place) {
    const Value& script = values()[name];
    if (script.kind != Value::Kind::literal) return;
    ScriptKeys names;
    for (const ValueNumber key : values()[keys].items) {
      const std::string& text = values()[key].text;
      names.push_back(text.empty() ? "?" : text);
    }
    look_at_slots(script.text, names, place);
    std::vector<ScriptKeys>& known = advice_.script_keys[script.text];
    if (std::find(known.begin(), known.end(), names) == known.end()) known.push_back(names);
  }

  void look_at_slots(const std::string& script, const ScriptKeys& keys, const lua::Place& place) {
    for (std::size_t i = 1; i < keys.size(); ++i) {
      const std::string first = hashed_part(keys[0]);
      const std::string other = hashed_part(keys[i]);
      if (first.empty() || other.empty() || first == other) continue;
      add(Rule::different_slots, place,
          fmt::format("'{}' is called with keys like '{}' and '{}'", script, keys[0], keys[i]));
      return;
    }
  }

  [[nodiscard]] bool is_forced() const { return is_force(entry_); }
  static bool is_force(const std::string& name) { return name.find("force") != std::string::npos; }

  static std::string upper(std::string_view name) {
    std::string result(name);
    for (char& letter : result) {
      if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    }
    return result;
  }

  void add(Rule rule, const lua::Place& place, std::string what) {
    advice_.findings.push_back(
        {use_.paths[place.file], place, rule, std::move(what), std::string(text_of(rule).reason)});
  }

  static constexpr std::string_view options_symbol = "['options']";

  const ClientModelUse& use_;
  const KeyRoles& roles_;
  ClientModelAdvice advice_;
  std::string entry_;
  std::set<lua::VariableId> reassigned_;
  std::set<lua::FunctionId> spawned_;
  std::set<std::pair<lua::FunctionId, bool>> entered_;  ///< with whether by a name that says force
  std::map<std::string, ValueNumber> required_;         ///< what libraries returned, by name
  std::map<std::string, std::string> names_;            ///< of keys, by their symbols
};

}  // namespace

ClientModelAdvice advise_on_client_model(const lua::Ast& tree, const ClientModelUse& use,
                                         const KeyRoles& roles) {
  return ClientModelWalk(tree, use, roles).run();
}

}  // namespace lockstep::advice
