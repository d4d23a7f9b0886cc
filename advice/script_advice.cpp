#include "advice/script_advice.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>

#include "advice/key_effects.h"
#include "advice/keys_as_values.h"
#include "advice/numbers_of_keys.h"
#include "advice/symbolic_executor.h"
#include "lua/source/token_classes.h"
#include "redis/commands/unsupported_commands.h"

namespace lockstep::advice {
namespace {

using lua::is_one_of;

constexpr std::array<std::string_view, 5> chance_commands = {"randomkey", "srandmember",
                                                             "hrandfield", "zrandmember", "spop"};
constexpr std::string_view keys_name = "KEYS";
constexpr std::string_view arguments_name = "ARGV";

bool is_forced(std::string_view name) {
  return name.find("force") != std::string_view::npos ||
         name.find("Force") != std::string_view::npos;
}

class ScriptWalk final : private SymbolicExecutor {
 public:
  ScriptWalk(const lua::Ast& tree, const ScriptUse& use, const KeyRoles& roles)
      : SymbolicExecutor(tree), use_(use), roles_(roles) {}

  std::vector<LintFinding> run() {
    for (Outcome& outcome : walk_program()) end(outcome.state);
    std::vector<LintFinding> kept;
    for (Candidate& each : findings_) {
      const bool is_no_lock = collections_.contains(each.key) || numbers_.contains(each.key);
      if (!is_no_lock) kept.push_back(std::move(each.finding));
    }
    for (const KeysAsValues::Use& use : keys_as_values_.found()) {
      kept.push_back({use_.path, use.place, Rule::value_in_keys,
                      fmt::format("{} is no key: {}", use.element, use.how),
                      std::string(text_of(Rule::value_in_keys).reason)});
    }
    return kept;
  }

 private:
  /// A finding that falls away where its key turns out to be a list, a set or a number.
  struct Candidate {
    LintFinding finding;
    std::string key;
  };

  // -- the world of a server script --

  ValueNumber global(const std::string& name) override {
    Value value;
    value.kind = Value::Kind::global;
    value.symbol = name;
    value.text = "?";
    value.from_keys = name == keys_name;
    value.from_arguments = name == arguments_name;
    return values().intern(std::move(value));
  }

  std::optional<ValueNumber> element(ValueNumber table, ValueNumber key) override {
    const std::string symbol = values()[table].symbol;
    if (symbol != keys_name && symbol != arguments_name) return std::nullopt;
    const Value& index = values()[key];
    const bool is_number = index.kind == Value::Kind::literal;
    Value value;
    // Whatever a loop counts with names the same element: a list of locks is one lock to advice.
    value.symbol = symbol + "[" + (is_number ? index.text : "*") + "]";
    value.text = "?";
    value.truth = is_number && symbol == keys_name ? std::optional(true) : std::nullopt;
    value.from_keys = symbol == keys_name;
    value.from_arguments = symbol == arguments_name;
    std::size_t number = 0;
    if (value.from_keys && is_number) {
      std::from_chars(index.text.data(), index.text.data() + index.text.size(), number);
      if (number >= 1 && number <= use_.keys.size()) value.text = use_.keys[number - 1];
    }
    return values().intern(std::move(value));
  }

  std::optional<Outcomes> call_global(State& state, const std::string& path,
                                      const std::vector<ValueNumber>& arguments,
                                      const CallSite& site) override {
    if (path == "redis.call" || path == "redis.pcall") return redis_call(state, arguments, site);
    if (path == "math.random") {
      add(Rule::not_deterministic, site.place, "math.random",
          "Redis seeds it alike before every script: each call gives the same number again.");
    } else if (path.starts_with("os.")) {
      add(Rule::not_deterministic, site.place, path,
          "Redis 7.0 has no os in scripts: it raises an error.");
    }
    return std::nullopt;
  }

  Outcomes redis_call(State& state, const std::vector<ValueNumber>& arguments,
                      const CallSite& site) {
    std::optional<CommandCall> call = command_call(values(), arguments, site.place);
    Outcomes outcomes;
    if (!call) {
      keys_as_values_.look_at_unknown(values(), arguments);
      if (arguments.size() > 1) tell_of_writes(state, arguments[1]);
      ++state.calls;
      const std::string symbol = "reply/" + std::to_string(state.calls);
      outcomes.push_back({std::move(state), values().made_from(symbol, arguments), {}});
      return outcomes;
    }
    look_at_command(*call, arguments, site);
    keys_as_values_.look_at(values(), *call);
    if (call->name == "publish" || call->name == "spublish") {
      if (!call->words.empty()) tell_of_writes(state, call->words[0]);
    }
    const std::vector<std::size_t> keys = key_indices(*call);
    for (const std::size_t index : keys) look_at_key(*call, index, site, state);
    const ValueNumber reply = reply_of(*call, keys, state);
    outcomes.push_back({std::move(state), reply, {}});
    return outcomes;
  }

  void tell_of_writes(State& state, ValueNumber channel) {
    if (!roles_.is_declared()) NumbersOfKeys::tell_of_writes(state, values()[channel]);
  }

  void operated(std::string_view operator_text, ValueNumber left, ValueNumber right,
                const lua::Place& place) override {
    numbers_.look_at_operation(operator_text, values()[left], values()[right]);
    if (operator_text == "==" || operator_text == "~=") {
      keys_as_values_.look_at_comparison(values()[left], values()[right], place);
    }
  }

  ValueNumber reply_of(const CommandCall& call, const std::vector<std::size_t>& keys,
                       State& state) {
    Value value;
    value.symbol = call.name + "/" + std::to_string(++state.calls) + "@" +
                   std::to_string(call.place.line) + ":" + std::to_string(call.place.column);
    value.text = "?";
    value.from_reply = true;
    if (!keys.empty()) {
      ReplyOf reply{call.name, values()[call.words[keys[0]]].symbol, false, false};
      for (std::size_t i = keys[0] + 1; i < call.words.size(); ++i) {
        const Value& word = values()[call.words[i]];
        reply.has_argument = reply.has_argument || word.from_arguments || word.from_keys;
        reply.is_decrement =
            reply.is_decrement || (call.name == "hincrby" && i == 2 && word.text.starts_with('-'));
      }
      value.read_from.push_back(reply.key);
      value.reply = std::move(reply);
    }
    return values().intern(std::move(value));
  }

  void end(State& state) override {
    for (auto& [symbol, key] : state.keys) {
      if (!key.unleased) continue;
      if (is_wanting_lease(symbol, is_collecting(key))) {
        add(Rule::no_lease, key.unleased->place,
            fmt::format("{} writes {}, which gets no TTL on some way to the end",
                        upper(key.unleased->command), shown(symbol)),
            {}, symbol);
      }
    }
  }

  // -- what is looked at --

  void look_at_command(const CommandCall& call, const std::vector<ValueNumber>& arguments,
                       const CallSite& site) {
    if (call.spec == nullptr) {
      if (redis::reason_unsupported(call.name).empty()) {
        add(Rule::refused_command, site.place,
            fmt::format("Redis has no command {}", upper(call.name)));
      }
      return;
    }
    if (call.spec->is(redis::CommandFlag::no_script)) {
      add(Rule::refused_command, site.place,
          fmt::format("{} is not allowed from a script", upper(call.name)));
    } else if (!call.spec->accepts(arguments.size()) && !may_be_more(arguments)) {
      add(Rule::refused_command, site.place,
          fmt::format("{} does not take {} arguments", upper(call.name), call.words.size()));
    }
    if (call.name == "time") {
      add(Rule::not_deterministic, site.place, "TIME",
          "Each node reads its own clock. Redis 7 replicates what the script wrote, not the "
          "script, "
          "so replicas agree; a master whose clock is set, or another after a failover, decides "
          "otherwise.");
    } else if (is_one_of(call.name, chance_commands)) {
      add(Rule::not_deterministic, site.place, upper(call.name),
          "It picks by chance. Redis 7 replicates what the script wrote, not the script, so "
          "replicas "
          "agree; the same call sent again picks another.");
    }
  }

  /// The last argument may stand for several: unpack(ARGV).
  bool may_be_more(const std::vector<ValueNumber>& arguments) {
    const std::string& symbol = values()[arguments.back()].symbol;
    return symbol.starts_with("unpack") || symbol.starts_with("table.unpack") ||
           symbol.starts_with("...") || symbol.find('@') != std::string::npos;
  }

  void look_at_key(const CommandCall& call, std::size_t index, const CallSite& site, State& state) {
    const Value key = values()[call.words[index]];
    const lua::Place place =
        index + 1 < site.arguments.size() ? site.arguments[index + 1] : site.place;
    look_at_origin(call, key, place);
    if (is_of_collections(call.name)) collections_.insert(key.symbol);
    const KeyEffect effect = effect_of(values(), call);
    KeyState& known = this->key(state, key.symbol);
    numbers_.look_at(values(), call, key, known);
    symbols_.insert({key.symbol, key.text});
    if (effect == KeyEffect::removal) look_at_removal(call, key, known);
    look_at_value(call, key);
    apply_effect(effect, call, known);
  }

  void look_at_origin(const CommandCall& call, const Value& key, const lua::Place& place) {
    if (key.from_keys) return;
    std::string how;
    if (key.kind == Value::Kind::literal) {
      how = fmt::format("the key '{}' of {} is a literal", key.text, upper(call.name));
    } else if (key.from_arguments) {
      how = fmt::format("the key of {} is made from ARGV", upper(call.name));
    } else if (key.from_reply) {
      how = fmt::format("the key of {} is made from what was read", upper(call.name));
    } else if (key.text.find_first_not_of('?') != std::string::npos) {
      how = fmt::format("the key of {} is not made from KEYS", upper(call.name));
    } else {
      return;
    }
    add(Rule::key_not_in_keys, place, how);
  }

  void look_at_removal(const CommandCall& call, const Value& key, const KeyState& known) {
    const KeyRole role = roles_.role_of(key.text);
    const bool is_lock =
        role == KeyRole::lock || (role == KeyRole::unknown && is_plain(key.symbol));
    if (!is_lock || is_forced(use_.name)) return;
    if (known.is_compared || known.exists == std::optional(false)) return;
    add(Rule::delete_without_owner, call.place,
        fmt::format("{} removes {} on a way on which its owner was not compared with ARGV",
                    upper(call.name), shown(key.symbol)),
        {}, key.symbol);
  }

  void look_at_value(const CommandCall& call, const Value& key) {
    if (call.words.size() < 2 || (call.name != "set" && call.name != "setnx")) return;
    if (!is_guarded(values(), call)) return;
    const KeyRole role = roles_.role_of(key.text);
    const bool is_asked = roles_.is_declared() ? role == KeyRole::lock && roles_.has_owner_token()
                                               : is_plain(key.symbol);
    const Value& written = values()[call.words[1]];
    if (!is_asked || written.kind != Value::Kind::literal) return;
    add(Rule::fixed_owner, call.place,
        fmt::format("{} writes '{}' for every holder", upper(call.name), written.text), {},
        key.symbol);
  }

  bool is_wanting_lease(const std::string& symbol, bool is_collected) {
    const auto name = symbols_.find(symbol);
    const KeyRole role = roles_.role_of(name == symbols_.end() ? "?" : name->second);
    switch (role) {
      case KeyRole::lock:
      case KeyRole::lease:
        return true;
      case KeyRole::persistent:
        return false;
      case KeyRole::unknown:
        return !is_collected && symbol.starts_with(keys_name);
    }
    return false;
  }

  /// Counters, lists and sets stay as a rule: alone they say nothing.
  static bool is_collecting(const KeyState& key) {
    const std::string_view command = key.unleased->command;
    return is_of_collections(command) || command.starts_with("incr") || command.starts_with("decr");
  }

  static bool is_plain(std::string_view symbol) {
    return symbol.starts_with("KEYS[") && symbol.find(']') == symbol.size() - 1;
  }

  // -- words --

  static std::string upper(std::string_view name) {
    std::string result(name);
    for (char& letter : result) {
      if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    }
    return result;
  }

  static std::string shown(std::string_view symbol) {
    return is_plain(symbol) ? std::string(symbol) : std::string("a key made from KEYS");
  }

  void add(Rule rule, const lua::Place& place, std::string what, std::string reason = {},
           std::string key = {}) {
    if (!key.empty() && is_of_numbers_) return;
    if (reason.empty()) reason = text_of(rule).reason;
    findings_.push_back({{use_.path, place, rule, std::move(what), std::move(reason)},
                         roles_.is_declared() ? std::string() : std::move(key)});
  }

  const ScriptUse& use_;
  const KeyRoles& roles_;
  std::vector<Candidate> findings_;
  /// The script's file or folder says that it is a semaphore's or a latch's.
  const bool is_of_numbers_ = !roles_.is_declared() && NumbersOfKeys::are_named_by(use_.path);
  KeysAsValues keys_as_values_;
  NumbersOfKeys numbers_;
  std::set<std::string> collections_;           ///< symbols of keys that are lists or sets
  std::map<std::string, std::string> symbols_;  ///< of keys, with their names
};

}  // namespace

std::vector<LintFinding> advise_on_script(const lua::Ast& tree, const ScriptUse& use,
                                          const KeyRoles& roles) {
  return ScriptWalk(tree, use, roles).run();
}

}  // namespace lockstep::advice
