#include "model/program/script_labels.h"

#include <algorithm>

#include "model/lock/lock_package.h"
#include "redis/protocol/letter_case.h"
#include "redis/scripting/script_engine.h"

namespace lockstep::model {
namespace {

constexpr std::size_t label_bytes_max = 32;

std::string in_lower_case(std::string_view text) {
  std::string lower(text.substr(0, label_bytes_max));
  std::transform(lower.begin(), lower.end(), lower.begin(), redis::lower_case);
  return lower;
}

std::set<std::string> without_reads(std::set<std::string> commands) {
  for (const char* const read :
       {"exists", "get",    "hexists", "hget",  "hgetall", "hlen",          "lindex",
        "llen",   "lrange", "mget",    "pttl",  "scard",   "sismember",     "smembers",
        "strlen", "time",   "ttl",     "zcard", "zrange",  "zrangebyscore", "zscore"}) {
    commands.erase(read);
  }
  return commands;
}

}  // namespace

std::set<std::string> commands_called(std::string_view script) {
  std::set<std::string> commands;
  for (const std::string_view call : {"redis.call", "redis.pcall"}) {
    for (std::size_t at = script.find(call); at != script.npos; at = script.find(call, at + 1)) {
      std::string_view rest = script.substr(at + call.size());
      rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n("), rest.size()));
      if (rest.empty() || (rest.front() != '\'' && rest.front() != '"')) continue;
      const std::size_t end = rest.find(rest.front(), 1);
      if (end != rest.npos) commands.insert(in_lower_case(rest.substr(1, end - 1)));
    }
  }
  return commands;
}

ScriptLabels::ScriptLabels(const LockPackage& package) {
  // Of two that call the same, a library's is rather the one that compares a token.
  for (const bool takes_arguments : {true, false}) {
    for (const LockScript& script : package.scripts) {
      if ((script.body.find("ARGV") != script.body.npos) != takes_arguments) continue;
      scripts_.emplace_back(commands_called(script.body), script.name);
    }
  }
}

std::string_view ScriptLabels::label_of_script(std::string_view body) {
  const std::set<std::string> commands = commands_called(body);
  for (const auto& [called, name] : scripts_) {
    if (called == commands && !commands.empty()) return intern(name);
  }
  const std::set<std::string> writes = without_reads(commands);
  for (const auto& [called, name] : scripts_) {
    if (without_reads(called) == writes && !writes.empty()) return intern(name);
  }
  return intern("eval");
}

std::string_view ScriptLabels::label_of(std::span<const std::string_view> words) {
  const std::string command = in_lower_case(words[0]);
  const bool is_load =
      command == "script" && words.size() == 3 && redis::equals_ignoring_case(words[1], "load");
  if ((command == "eval" || command == "eval_ro") && words.size() > 1) {
    const std::string_view label = label_of_script(words[1]);
    sent_[redis::sha1_hex(words[1])] = label;
    return label;
  }
  if (is_load) sent_[redis::sha1_hex(words[2])] = label_of_script(words[2]);
  if ((command == "evalsha" || command == "evalsha_ro") && words.size() > 1) {
    const auto known = sent_.find(words[1]);
    return known == sent_.end() ? intern("eval") : known->second;
  }
  return intern(command);
}

std::string_view ScriptLabels::intern(std::string_view text) {
  const auto found = labels_.find(text);
  return found != labels_.end() ? *found : *labels_.emplace(text).first;
}

}  // namespace lockstep::model
