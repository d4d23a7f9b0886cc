// COMMAND: what the command table says, as Redis tells it.
//
// Not covered: ACL categories other than those that follow from flags, hints and key specifications
// (empty), and COMMAND DOCS beyond names.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "redis/commands/command_keys.h"
#include "redis/commands/commands.h"
#include "redis/protocol/glob.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

/// In the order in which Redis gives them.
constexpr std::array<std::pair<CommandFlag, std::string_view>, 17> flag_names{{
    {CommandFlag::write, "write"},
    {CommandFlag::read_only, "readonly"},
    {CommandFlag::deny_oom, "denyoom"},
    {CommandFlag::admin, "admin"},
    {CommandFlag::pubsub, "pubsub"},
    {CommandFlag::no_script, "noscript"},
    {CommandFlag::blocking, "blocking"},
    {CommandFlag::loading, "loading"},
    {CommandFlag::stale, "stale"},
    {CommandFlag::skip_monitor, "skip_monitor"},
    {CommandFlag::skip_slowlog, "skip_slowlog"},
    {CommandFlag::fast, "fast"},
    {CommandFlag::no_auth, "no_auth"},
    {CommandFlag::no_mandatory_keys, "no_mandatory_keys"},
    {CommandFlag::no_async_loading, "no_async_loading"},
    {CommandFlag::no_multi, "no_multi"},
    {CommandFlag::allow_busy, "allow_busy"},
}};

constexpr std::array<std::pair<CommandFlag, std::string_view>, 5> category_names{{
    {CommandFlag::write, "@write"},
    {CommandFlag::read_only, "@read"},
    {CommandFlag::pubsub, "@pubsub"},
    {CommandFlag::blocking, "@blocking"},
    {CommandFlag::admin, "@admin"},
}};

void write_flags(ReplyWriter& reply, const CommandSpec& spec) {
  std::vector<std::string_view> names;
  for (const auto& [flag, name] : flag_names) {
    if (!name.empty() && spec.is(flag)) names.push_back(name);
  }
  if (key_count_word(spec) != 0) names.push_back("movablekeys");
  reply.set(names.size());
  for (const std::string_view name : names) reply.status(name);
}

void write_categories(ReplyWriter& reply, const CommandSpec& spec) {
  std::vector<std::string_view> names;
  for (const auto& [flag, name] : category_names) {
    if (spec.is(flag)) names.push_back(name);
  }
  names.push_back(spec.is(CommandFlag::fast) ? "@fast" : "@slow");
  if (spec.is(CommandFlag::admin)) names.push_back("@dangerous");
  reply.set(names.size());
  for (const std::string_view name : names) reply.status(name);
}

std::vector<const CommandSpec*> known_of(std::span<const CommandSpec> specs, ServerVersion version);

void write_info(ReplyWriter& reply, const CommandSpec& spec, ServerVersion version) {
  reply.array(10);
  reply.bulk(spec.name);
  reply.integer(spec.arity);
  write_flags(reply, spec);
  reply.integer(spec.keys.first);
  reply.integer(spec.keys.last);
  reply.integer(spec.keys.step);
  write_categories(reply, spec);
  reply.set(0);  // hints
  reply.set(0);  // key specifications
  if (spec.subcommands.empty()) return reply.set(0);
  const auto known = known_of(spec.subcommands, version);
  reply.array(known.size());
  for (const CommandSpec* const each : known) write_info(reply, *each, version);
}

/// By name, "parent|child" for a subcommand; null where there is none.
const CommandSpec* find_by_full_name(std::string_view name, ServerVersion version) {
  const std::size_t bar = name.find('|');
  const CommandSpec* const spec = in_version(find_command(name.substr(0, bar)), version);
  if (spec == nullptr || bar == std::string_view::npos) return spec;
  return in_version(find_subcommand(*spec, name.substr(bar + 1)), version);
}

/// Those of these that the version has.
std::vector<const CommandSpec*> known_of(std::span<const CommandSpec> specs,
                                         ServerVersion version) {
  std::vector<const CommandSpec*> known;
  for (const CommandSpec& spec : specs) {
    if (const CommandSpec* const form = in_version(&spec, version)) known.push_back(form);
  }
  return known;
}

void write_all(Call& call) {
  const ServerVersion version = call.server().version().version;
  const auto known = known_of(command_table(), version);
  call.reply().array(known.size());
  for (const CommandSpec* const spec : known) write_info(call.reply(), *spec, version);
}

}  // namespace

void command(Call& call) { write_all(call); }

void command_count(Call& call) {
  const auto known = known_of(command_table(), call.server().version().version);
  call.reply().integer(static_cast<std::int64_t>(known.size()));
}

void command_info(Call& call) {
  if (call.size() == 2) return write_all(call);
  const ServerVersion version = call.server().version().version;
  call.reply().array(call.size() - 2);
  for (const std::string_view name : call.words().subspan(2)) {
    const CommandSpec* const spec = find_by_full_name(name, version);
    if (spec == nullptr) {
      call.reply().null_array();
    } else {
      write_info(call.reply(), *spec, version);
    }
  }
}

void command_docs(Call& call) {
  const ServerVersion version = call.server().version().version;
  std::vector<std::string_view> names;
  if (call.size() == 2) {
    for (const CommandSpec* const spec : known_of(command_table(), version)) {
      names.push_back(spec->name);
    }
  }
  for (const std::string_view name : call.words().subspan(2)) {
    if (const CommandSpec* const spec = find_by_full_name(name, version)) {
      names.push_back(spec->name);
    }
  }
  call.reply().map(names.size());
  for (const std::string_view name : names) {
    call.reply().bulk(name);
    call.reply().map(0);
  }
}

namespace {

using Filter = bool (*)(const CommandSpec& spec, std::string_view argument);

bool has_category(const CommandSpec& spec, std::string_view category) {
  const bool is_fast = spec.is(CommandFlag::fast);
  if (equals_ignoring_case(category, "fast")) return is_fast;
  if (equals_ignoring_case(category, "slow")) return !is_fast;
  if (equals_ignoring_case(category, "dangerous")) return spec.is(CommandFlag::admin);
  return std::any_of(category_names.begin(), category_names.end(), [&](const auto& each) {
    return equals_ignoring_case(category, each.second.substr(1)) && spec.is(each.first);
  });
}

std::optional<Filter> filter_named(std::string_view name) {
  if (equals_ignoring_case(name, "module")) {
    return [](const CommandSpec&, std::string_view) { return false; };
  }
  if (equals_ignoring_case(name, "aclcat")) return &has_category;
  if (equals_ignoring_case(name, "pattern")) {
    return [](const CommandSpec& spec, std::string_view pattern) {
      return glob_matches(pattern, spec.name);
    };
  }
  return std::nullopt;
}

}  // namespace

void command_list(Call& call) {
  std::optional<Filter> filter;
  if (call.size() == 5 && equals_ignoring_case(call[2], "filterby")) filter = filter_named(call[3]);
  if (call.size() != 2 && !filter) return call.reply_syntax_error();
  std::vector<std::string_view> names;
  const auto add = [&](const CommandSpec& spec) {
    if (!filter || (*filter)(spec, call[4])) names.push_back(spec.name);
  };
  const ServerVersion version = call.server().version().version;
  for (const CommandSpec* const spec : known_of(command_table(), version)) {
    add(*spec);
    for (const CommandSpec* const each : known_of(spec->subcommands, version)) add(*each);
  }
  call.reply().array(names.size());
  for (const std::string_view name : names) call.reply().bulk(name);
}

void command_getkeys(Call& call) {
  const auto words = call.words().subspan(2);
  const ServerVersion version = call.server().version().version;
  const CommandSpec* spec = in_version(find_command(words[0]), version);
  if (spec != nullptr && !spec->subcommands.empty() && words.size() > 1) {
    spec = in_version(find_subcommand(*spec, words[1]), version);
  }
  if (spec == nullptr) return call.reply().error("ERR Invalid command specified");
  const std::size_t count_word = key_count_word(*spec);
  const bool has_keys = spec->keys.first != 0 && !spec->is(CommandFlag::names_channels);
  if (!has_keys && count_word == 0) {
    return call.reply().error("ERR The command has no key arguments");
  }
  if (!spec->accepts(words.size())) {
    return call.reply().error("ERR Invalid number of arguments specified for command");
  }
  const KeyWords at = key_words(*spec, words);
  std::vector<std::string_view> keys;
  for_each_key(at, words, [&](std::string_view key) { keys.push_back(key); });
  call.reply().array(keys.size());
  for (const std::string_view key : keys) call.reply().bulk(key);
}

void command_help(Call& call) {
  static constexpr std::array<std::string_view, 16> lines{
      "(no subcommand)",
      "    Return details about all Redis commands.",
      "COUNT",
      "    Return the total number of commands in this Redis server.",
      "LIST",
      "    Return a list of all commands in this Redis server.",
      "INFO [<command-name> ...]",
      "    Return details about multiple Redis commands.",
      "    If no command names are given, documentation details for all",
      "    commands are returned.",
      "DOCS [<command-name> ...]",
      "    Return documentation details about multiple Redis commands.",
      "    If no command names are given, documentation details for all",
      "    commands are returned.",
      "GETKEYS <full-command>",
      "    Return the keys from a full Redis command."};
  call.reply_help(lines);
}

}  // namespace lockstep::redis::commands
