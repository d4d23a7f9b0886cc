// Faults of the network.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/scenario/fault_texts.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
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

void read_pair(const FaultText& text) {
  const std::vector<PlacedText> ends = text.table.texts(text.form.word);
  if (ends.size() != 2) {
    throw InputError(text.table.value_place(text.form.word),
                     fmt::format("'{}' names {} hosts; expected {}", text.form.word, ends.size(),
                                 pair_in_words(text.form.kind)));
  }
  const CastMember& one = text.cast.host(ends[0]);
  const CastMember& other = text.cast.host(ends[1]);
  require_talk(ends[1], one, other);
  text.fault.target = one.name;
  text.fault.other = other.name;
}

/// Adds a group of hosts, none of which is in a group already.
void read_group(const FaultText& text, const std::vector<PlacedText>& names,
                std::set<std::string>& taken) {
  std::vector<std::string>& group = text.fault.groups.emplace_back();
  for (const PlacedText& name : names) {
    const std::string& host = text.cast.host(name).name;
    if (!taken.insert(host).second) {
      name.complain(fmt::format("{} is named twice; expected each host once", in_quotes(host)));
    }
    group.push_back(host);
  }
}

bool ever_talk_across(const FaultText& text, const std::vector<std::string>& one,
                      const std::vector<std::string>& other) {
  return std::any_of(one.begin(), one.end(), [&](const std::string& here) {
    return std::any_of(other.begin(), other.end(), [&](const std::string& there) {
      return ever_talk(*text.cast.find(here), *text.cast.find(there));
    });
  });
}

void read_partition(const FaultText& text) {
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
      if (ever_talk_across(text, read[one], read[other])) return;
    }
  }
  throw InputError(text.table.value_place("partition"),
                   "no host of one group ever talks to one of another; this parts nobody");
}

void read_list(const FaultText& text, std::size_t members_min) {
  const std::vector<PlacedText> names = text.table.texts(text.form.word);
  if (names.size() < members_min) {
    throw InputError(text.table.value_place(text.form.word),
                     fmt::format("'{}' names {} host{}; expected {} or more", text.form.word,
                                 names.size(), names.size() == 1 ? "" : "s", members_min));
  }
  std::set<std::string> taken;
  read_group(text, names, taken);
  if (text.form.kind != FaultKind::ring) return;
  for (std::size_t i = 1; i < names.size(); ++i) {
    require_talk(names[i], *text.cast.find(names[0].text), *text.cast.find(names[i].text));
  }
}

void read_listener(const FaultText& text) {
  const PlacedText name = text.subject();
  const CastMember& host = text.cast.host(name);
  if (host.role == Role::client) {
    name.complain(
        fmt::format("nobody connects to the client {}; expected a server", in_quotes(host.name)));
  }
  text.fault.target = host.name;
}

std::string joined(const std::vector<std::string>& names) {
  return listed(std::vector<std::string_view>(names.begin(), names.end()));
}

std::string tell_partition(const FaultSpec& fault) {
  std::string text = "part ";
  for (std::size_t i = 0; i < fault.groups.size(); ++i) {
    if (i > 0) text += " from ";
    text += joined(fault.groups[i]);
  }
  return text;
}

}  // namespace

void read_network_fault(const FaultText& text) {
  switch (text.form.kind) {
    case FaultKind::refuse:
      return read_listener(text);
    case FaultKind::isolate:
      text.fault.target = text.cast.host(text.subject()).name;
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

std::string tell_network_fault(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultKind::refuse:
      return fmt::format("refuse connections to {}", fault.target);
    case FaultKind::half_open:
      return fmt::format("let {} forget its connections with {}", fault.other, fault.target);
    case FaultKind::clog:
      return fmt::format("clog {} and {} by {}", fault.target, fault.other, tell_by(fault));
    case FaultKind::cut_one_way:
      return fmt::format("cut the way from {} to {}", fault.target, fault.other);
    case FaultKind::isolate:
      return fmt::format("isolate {}", fault.target);
    case FaultKind::partition:
      return tell_partition(fault);
    case FaultKind::ring:
      return fmt::format("let {} see a majority each", joined(fault.groups[0]));
    case FaultKind::swizzle:
      return fmt::format("swizzle {}", joined(fault.groups[0]));
    default:
      return fmt::format("cut {} off from {}", fault.target, fault.other);
  }
}

}  // namespace lockstep::model
