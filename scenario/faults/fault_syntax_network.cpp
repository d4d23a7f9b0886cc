// Faults of the network.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/faults/fault_syntax.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

/// What two hosts of a pair are to each other, for complaints.
std::string_view pair_in_words(FaultKind kind) {
  switch (kind) {
    case FaultKind::half_open:
      return "the one that believes in its connections, and the one that has forgotten them";
    case FaultKind::clog:
      return "the two between which messages take longer";
    case FaultKind::cut_one_way:
      return "the sender and the receiver";
    default:
      return "the two that can't reach each other";
  }
}

void read_pair(const FaultParse& text) {
  const std::vector<LocatedText> ends = text.table.texts(text.form.word);
  if (ends.size() != 2) {
    throw InputError(text.table.value_place(text.form.word),
                     fmt::format("'{}' names {} hosts; expected {}", text.form.word, ends.size(),
                                 pair_in_words(text.form.kind)));
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

void read_partition(const FaultParse& text) {
  const auto groups = text.table.text_groups("partition");
  if (groups.size() < 2) {
    throw InputError(text.table.value_place("partition"),
                     fmt::format("'partition' has {} group{}; expected two or more, as in "
                                 "[[\"a\", \"n1\"], [\"b\"]]",
                                 groups.size(), groups.size() == 1 ? "" : "s"));
  }
  std::set<std::string> taken;
  for (const auto& group : groups) read_group(text, group, taken);
  const auto& read = text.fault.groups;
  for (std::size_t one = 0; one < read.size(); ++one) {
    for (std::size_t other = 0; other < one; ++other) {
      if (can_communicate_across(text, read[one], read[other])) return;
    }
  }
  throw InputError(text.table.value_place("partition"),
                   "no host of one group ever talks to one of another; this parts nobody");
}

void read_list(const FaultParse& text, std::size_t members_min) {
  const std::vector<LocatedText> names = text.table.texts(text.form.word);
  if (names.size() < members_min) {
    throw InputError(text.table.value_place(text.form.word),
                     fmt::format("'{}' names {} host{}; expected {} or more", text.form.word,
                                 names.size(), names.size() == 1 ? "" : "s", members_min));
  }
  std::set<std::string> taken;
  read_group(text, names, taken);
  if (text.form.kind != FaultKind::ring) return;
  for (std::size_t i = 1; i < names.size(); ++i) {
    require_communication(names[i], *text.participants.find(names[0].text),
                          *text.participants.find(names[i].text));
  }
}

void read_listener(const FaultParse& text) {
  const LocatedText name = text.subject();
  const Participant& host = text.participants.host(name);
  if (host.role == ParticipantKind::client) {
    name.complain(
        fmt::format("nobody connects to the client {}; expected a server", in_quotes(host.name)));
  }
  text.fault.target = host.name;
}

std::string joined(const std::vector<std::string>& names) {
  return listed(std::vector<std::string_view>(names.begin(), names.end()));
}

std::string describe_partition(const FaultSpec& fault) {
  std::string text = "part ";
  for (std::size_t i = 0; i < fault.groups.size(); ++i) {
    if (i > 0) text += " from ";
    text += joined(fault.groups[i]);
  }
  return text;
}

}  // namespace

void read_network_fault(const FaultParse& text) {
  switch (text.form.kind) {
    case FaultKind::refuse:
      return read_listener(text);
    case FaultKind::isolate:
      text.fault.target = text.participants.host(text.subject()).name;
      return;
    case FaultKind::partition:
      return read_partition(text);
    case FaultKind::ring:
      return read_list(text, 3);
    case FaultKind::swizzle:
      read_list(text, 2);
      if (!text.table.has("for")) text.table.complain_missing("for", "for = \"6s\"");
      return;
    case FaultKind::clog:
      read_pair(text);
      read_by(text, DurationSign::positive, "2s");
      return;
    default:
      return read_pair(text);
  }
}

std::string describe_network_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::refuse:
      return fmt::format("refuse connections to {}", fault.target);
    case FaultKind::half_open:
      return fmt::format("let {} forget its connections with {}", fault.other, fault.target);
    case FaultKind::clog:
      return fmt::format("clog {} and {} by {}", fault.target, fault.other, describe_by(fault));
    case FaultKind::cut_one_way:
      return fmt::format("cut the way from {} to {}", fault.target, fault.other);
    case FaultKind::isolate:
      return fmt::format("isolate {}", fault.target);
    case FaultKind::partition:
      return describe_partition(fault);
    case FaultKind::ring:
      return fmt::format("let {} see a majority each", joined(fault.groups[0]));
    case FaultKind::swizzle:
      return fmt::format("swizzle {}", joined(fault.groups[0]));
    default:
      return fmt::format("cut {} off from {}", fault.target, fault.other);
  }
}

}  // namespace lockstep::scenario
