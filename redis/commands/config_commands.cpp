// CONFIG. A running server refuses what redis.conf may set: what is immutable or protected.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/protocol/glob.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/config_parameters.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

using Pair = std::pair<std::string, const ConfigParameter*>;

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), lower_case);
  return lower;
}

/// Parameters under the names asked for, each name once. Only patterns find names by themselves; a
/// plain name is answered as it was spelt.
std::vector<Pair> matching(Call& call) {
  std::vector<Pair> found;
  std::set<std::string> names;
  const auto add = [&](std::string_view name, const ConfigParameter& parameter) {
    if (names.insert(in_lower_case(name)).second) found.emplace_back(name, &parameter);
  };
  for (const std::string_view word : call.words().subspan(2)) {
    if (word.find_first_of("[*?") == std::string_view::npos) {
      const ConfigParameter* const parameter = find_config_parameter(word);
      if (parameter != nullptr) add(word, *parameter);
      continue;
    }
    const std::string pattern = in_lower_case(word);
    for (const ConfigParameter& parameter : config_parameters()) {
      if (glob_matches(pattern, parameter.name)) add(parameter.name, parameter);
      if (!parameter.alias.empty() && glob_matches(pattern, parameter.alias)) {
        add(parameter.alias, parameter);
      }
    }
  }
  return found;
}

std::string text_of(const Server& server, const ConfigParameter& parameter) {
  if (parameter.name != "replicaof") return config_text(server.config(), parameter);
  if (server.master_link().address().host.empty()) return {};
  std::string text = server.master_link().address().host;
  text += ' ';
  text += IntegerText(server.master_link().address().port).view();
  return text;
}

/// 6.0 sets one parameter at a time, and tells the value.
void refuse_old(Call& call, std::string_view reason) {
  std::string text = "ERR Invalid argument '";
  text.append(as_c_string(call[3])).append("' for CONFIG SET '").append(as_c_string(call[2]));
  text += '\'';
  if (reason.starts_with("argument ")) text.append(" - ").append(reason);
  call.reply().error(text);
}

void refuse(Call& call, std::string_view name, std::string_view reason) {
  if (call.server().version().has_old_refusals) return refuse_old(call, reason);
  std::string text = "ERR CONFIG SET failed (possibly related to argument '";
  text += as_c_string(name);
  text += "') - ";
  text += reason;
  call.reply().error(text);
}

std::string_view reason_not_to_change(const ConfigParameter& parameter) {
  switch (parameter.access) {
    case ConfigAccess::immutable:
      return "can't set immutable config";
    case ConfigAccess::is_protected:
      return "can't set protected config";
    case ConfigAccess::modifiable:
      break;
  }
  return {};
}

/// The parameters named, in order; where one must not be set, replies so and returns nothing.
std::optional<std::vector<const ConfigParameter*>> settable(Call& call) {
  std::vector<const ConfigParameter*> parameters;
  for (std::size_t i = 2; i < call.size(); i += 2) {
    const bool is_old = call.server().version().has_old_refusals;
    const ConfigParameter* const parameter = find_config_parameter(call[i]);
    if (parameter == nullptr || (is_old && parameter->access == ConfigAccess::immutable)) {
      std::string text = is_old ? "ERR Unsupported CONFIG parameter: "
                                : "ERR Unknown option or number of arguments for CONFIG SET - '";
      text += as_c_string(call[i]);
      if (!is_old) text += '\'';
      call.reply().error(text);
      return std::nullopt;
    }
    parameters.push_back(parameter);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::string_view reason = reason_not_to_change(*parameters[i]);
    const auto here = parameters.begin() + static_cast<std::ptrdiff_t>(i);
    if (reason.empty() && std::find(parameters.begin(), here, *here) != here) {
      reason = "duplicate parameter";
    }
    if (reason.empty()) continue;
    refuse(call, call[2 + 2 * i], reason);
    return std::nullopt;
  }
  return parameters;
}

/// Where one value is refused, Redis sets the old ones again by what CONFIG GET says of them, and
/// that of "KEAn" is "AKE".
void set_again(Server& server, std::span<const ConfigParameter* const> parameters) {
  Config config = server.config();
  for (const ConfigParameter* const each : parameters) {
    if (each->kind != ConfigKind::keyspace_events) continue;
    (void)set_config(config, *each, config_text(config, *each));
    server.configure(std::move(config));
    return;
  }
}

}  // namespace

void config_get(Call& call) {
  const std::vector<Pair> found = matching(call);
  call.reply().map(found.size());
  for (const auto& [name, parameter] : found) {
    call.reply().bulk(name);
    call.reply().bulk(text_of(call.server(), *parameter));
  }
}

void config_set(Call& call) {
  if (call.size() % 2 != 0) return call.reply_syntax_error();
  const auto parameters = settable(call);
  if (!parameters) return;
  Config changed = call.server().config();  // all or nothing
  for (std::size_t i = 0; i < parameters->size(); ++i) {
    const std::size_t word = 2 + 2 * i;
    const ConfigParameter& parameter = *(*parameters)[i];
    const bool is_unknown_event = call.server().version().has_old_refusals &&
                                  parameter.kind == ConfigKind::keyspace_events &&
                                  call[word + 1].find_first_of("dn") != std::string_view::npos;
    const std::string reason =
        is_unknown_event ? "unknown event" : set_config(changed, parameter, call[word + 1]);
    if (!reason.empty()) {
      set_again(call.server(), std::span(*parameters).first(i + 1));
      return refuse(call, call[word], reason);
    }
  }
  call.server().configure(std::move(changed));
  call.reply().status("OK");
}

void config_resetstat(Call& call) {
  call.server().reset_statistics();
  call.reply().status("OK");
}

void config_rewrite(Call& call) {
  call.reply().error("ERR The server is running without a config file");
}

void config_help(Call& call) {
  static constexpr std::array<std::string_view, 8> lines{
      "GET <pattern>",
      "    Return parameters matching the glob-like <pattern> and their values.",
      "SET <directive> <value>",
      "    Set the configuration <directive> to <value>.",
      "RESETSTAT",
      "    Reset statistics reported by the INFO command.",
      "REWRITE",
      "    Rewrite the configuration file."};
  call.reply_help(lines);
}

}  // namespace lockstep::redis::commands
