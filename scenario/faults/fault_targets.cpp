// What a fault strikes, as its word in a [[fault]] table says it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "scenario/faults/fault_parts.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"
#include "scenario/text/toml_text.h"
#include "scenario/workload_spec.h"

namespace lockstep::scenario {
namespace {

// -- one host or thread --

std::string read_listener(const FaultParse& text) {
  const LocatedText name = text.subject();
  const Participant& host = text.participants.host(name);
  if (host.role == ParticipantKind::client) {
    name.complain(
        fmt::format("nobody connects to the client {}; expected a server", in_quotes(host.name)));
  }
  return host.name;
}

std::string first_replica(const Participants& participants) {
  const auto found = std::find_if(
      participants.members().begin(), participants.members().end(),
      [](const Participant& member) { return member.role == ParticipantKind::replica; });
  return found->name;
}

std::string read_replica(const FaultParse& text) {
  const Participant& target = text.participants.process(text.subject());
  if (target.role != ParticipantKind::replica) {
    const std::string hint = text.scenario.redis.replicas == 0
                                 ? "; this scenario has none, [redis] replicas adds them"
                                 : fmt::format(", as in '{}'", first_replica(text.participants));
    text.subject().complain(
        fmt::format("{} is no replica; expected one{}", in_quotes(target.name), hint));
  }
  return target.name;
}

/// A thread by its name, or the only one of a client.
std::string read_thread(const FaultParse& text) {
  const LocatedText name = text.subject();
  const Participant& member = text.participants.actor(name);
  if (member.role == ParticipantKind::thread) return member.name;
  if (member.role != ParticipantKind::client) {
    name.complain(
        fmt::format("{} is no client's thread; expected one as in 'a/1'", in_quotes(member.name)));
  }
  const std::size_t threads = text.scenario.clients[member.number].threads.size();
  if (threads > 1) {
    name.complain(fmt::format("{} has {} threads; expected one of them, as in '{}/1'",
                              in_quotes(member.name), threads, member.name));
  }
  return fmt::format("{}/1", member.name);
}

std::string read_client(const FaultParse& text) {
  const Participant& member = text.participants.process(text.subject());
  if (member.role != ParticipantKind::client) {
    text.subject().complain(fmt::format("{} is no client", in_quotes(member.name)));
  }
  return member.name;
}

/// A lock that some step uses; that of the scenario where a client is a program.
std::string read_lock_name(const LocatedText& name, const Scenario& scenario) {
  std::set<std::string_view> used;
  for (const ClientSpec& client : scenario.clients) {
    if (client.program) used.insert(scenario.lock_name);
    for (const ThreadSpec& thread : client.threads) {
      visit_possible_steps(thread, [&used](const Step& step) {
        used.insert(step.lock_names.begin(), step.lock_names.end());
      });
    }
  }
  if (used.count(name.text) == 0) {
    const std::vector<std::string_view> names(used.begin(), used.end());
    name.complain(fmt::format("no step uses a lock {}{} (they use {})", in_quotes(name.text),
                              did_you_mean(name.text, names), listed(names)));
  }
  return std::string(name.text);
}

// -- several hosts --

void read_pair(const FaultParse& text) {
  const std::vector<LocatedText> ends = text.table.texts(text.form.word);
  if (ends.size() != 2) {
    throw InputError(text.table.value_place(text.form.word),
                     fmt::format("'{}' names {} hosts; expected {}", text.form.word, ends.size(),
                                 text.form.target.ends));
  }
  const Participant& one = text.participants.host(ends[0]);
  const Participant& other = text.participants.host(ends[1]);
  require_communication(ends[1], one, other);
  text.fault.target = one.name;
  text.fault.other = other.name;
}

/// Adds a group of hosts, none of which is in a group already.
void read_group(const FaultParse& text, const std::vector<LocatedText>& names,
                std::set<std::string>& taken) {
  std::vector<std::string>& group = text.fault.groups.emplace_back();
  for (const LocatedText& name : names) {
    const std::string& host = text.participants.host(name).name;
    if (!taken.insert(host).second) {
      name.complain(fmt::format("{} is named twice; expected each host once", in_quotes(host)));
    }
    group.push_back(host);
  }
}

bool can_communicate_across(const FaultParse& text, const std::vector<std::string>& one,
                            const std::vector<std::string>& other) {
  return std::any_of(one.begin(), one.end(), [&](const std::string& here) {
    return std::any_of(other.begin(), other.end(), [&](const std::string& there) {
      return can_communicate(*text.participants.find(here), *text.participants.find(there));
    });
  });
}

void read_groups(const FaultParse& text) {
  const std::string_view word = text.form.word;
  const auto groups = text.table.text_groups(word);
  if (groups.size() < 2) {
    throw InputError(text.table.value_place(word),
                     fmt::format("'{}' has {} group{}; expected two or more, as in "
                                 "[[\"a\", \"n1\"], [\"b\"]]",
                                 word, groups.size(), groups.size() == 1 ? "" : "s"));
  }
  std::set<std::string> taken;
  for (const auto& group : groups) read_group(text, group, taken);
  const auto& read = text.fault.groups;
  for (std::size_t one = 0; one < read.size(); ++one) {
    for (std::size_t other = 0; other < one; ++other) {
      if (can_communicate_across(text, read[one], read[other])) return;
    }
  }
  throw InputError(text.table.value_place(word),
                   "no host of one group ever talks to one of another; this parts nobody");
}

std::vector<LocatedText> read_hosts(const FaultParse& text, std::size_t members_min) {
  std::vector<LocatedText> names = text.table.texts(text.form.word);
  if (names.size() < members_min) {
    throw InputError(text.table.value_place(text.form.word),
                     fmt::format("'{}' names {} host{}; expected {} or more", text.form.word,
                                 names.size(), names.size() == 1 ? "" : "s", members_min));
  }
  std::set<std::string> taken;
  read_group(text, names, taken);
  return names;
}

void read_ring(const FaultParse& text) {
  const std::vector<LocatedText> names = read_hosts(text, 3);
  const Participant& first = *text.participants.find(names[0].text);
  for (std::size_t i = 1; i < names.size(); ++i) {
    require_communication(names[i], first, *text.participants.find(names[i].text));
  }
}

std::string write_groups(const std::vector<std::vector<std::string>>& groups) {
  std::vector<std::string> lists;
  lists.reserve(groups.size());
  for (const auto& group : groups) lists.push_back(toml_list(group));
  return fmt::format("[{}]", fmt::join(lists, ", "));
}

}  // namespace

void require_communication(const LocatedText& at, const Participant& one,
                           const Participant& other) {
  if (one.name == other.name) at.complain("a host can't be parted from itself; expected another");
  if (!can_communicate(one, other)) {
    at.complain(
        fmt::format("'{}' and '{}' never talk to each other; expected a client and a node or the "
                    "resource, or two nodes of one shard",
                    one.name, other.name));
  }
}

std::string read_label(const LocatedText& label) {
  const std::vector<LocatedText> words = label.words();
  if (words.empty()) label.complain("the message is not named; expected one as in 'acquire'");
  std::string text;
  for (const LocatedText& word : words) {
    if (!text.empty()) text += ' ';
    text += word.text;
  }
  return text;
}

void read_target(const FaultParse& text) {
  FaultSpec& fault = text.fault;
  const Participants& participants = text.participants;
  switch (text.form.target.kind) {
    case TargetKind::process:
      fault.target = participants.process(text.subject()).name;
      return;
    case TargetKind::server:
      fault.target = participants.server(text.subject()).name;
      return;
    case TargetKind::node:
    case TargetKind::master:
      fault.target = participants.node(text.subject()).name;
      return;
    case TargetKind::host:
      fault.target = participants.host(text.subject()).name;
      return;
    case TargetKind::listener:
      fault.target = read_listener(text);
      return;
    case TargetKind::replica:
      fault.target = read_replica(text);
      return;
    case TargetKind::thread:
      fault.target = read_thread(text);
      return;
    case TargetKind::callback:
      fault.target = read_client(text);
      return;
    case TargetKind::lock_key:
      fault.lock_name = read_lock_name(text.subject(), text.scenario);
      return;
    case TargetKind::pair:
    case TargetKind::directed_pair:
      return read_pair(text);
    case TargetKind::groups:
      return read_groups(text);
    case TargetKind::ring:
      return read_ring(text);
    case TargetKind::sequence:
      static_cast<void>(read_hosts(text, 2));
      return;
    case TargetKind::message:
      fault.message_label = read_label(text.subject());
      return;
  }
}

std::string write_target(const FaultSpec& fault) {
  switch (form_of(fault.kind).target.kind) {
    case TargetKind::process:
    case TargetKind::server:
    case TargetKind::node:
    case TargetKind::master:
    case TargetKind::host:
    case TargetKind::listener:
    case TargetKind::replica:
    case TargetKind::thread:
    case TargetKind::callback:
      return fault.targets.empty() ? toml_string(fault.target) : toml_list(fault.targets);
    case TargetKind::lock_key:
      return toml_string(fault.lock_name);
    case TargetKind::pair:
    case TargetKind::directed_pair:
      return toml_list(std::array{fault.target, fault.other});
    case TargetKind::groups:
      return write_groups(fault.groups);
    case TargetKind::ring:
    case TargetKind::sequence: {
      // Edits may have taken the last host away.
      return fault.groups.empty() ? toml_string({}) : toml_list(fault.groups.front());
    }
    case TargetKind::message:
      return toml_string(fault.message_label);
  }
  return {};
}

}  // namespace lockstep::scenario
