#include "scenario/participants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scenario/cluster_spec.h"
#include "scenario/sentinel_names.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/located_text.h"
#include "scenario/text/suggest.h"
#include "scenario/workload_spec.h"
#include "sim/ascii.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t client_name_bytes_max = 40;
/// Enough to see the pattern of the names.
constexpr std::size_t names_listed_max = 16;

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

/// n1, n2-replica-1: also where the cluster is too small to have it, so that it can grow.
bool looks_like_node(std::string_view name) {
  if (name.size() < 2 || name[0] != 'n' || !sim::is_digit(name[1])) return false;
  const std::size_t end = std::min(name.find_first_not_of("0123456789", 1), name.size());
  return end == name.size() || name.substr(end).starts_with("-replica-");
}

std::string without_digits(std::string_view name) {
  std::string text(name);
  std::erase_if(text, sim::is_digit);
  return text;
}

std::string_view in_words(ParticipantKind role) {
  switch (role) {
    case ParticipantKind::client:
      return "a client";
    case ParticipantKind::thread:
      return "a client's thread";
    case ParticipantKind::master:
      return "a master";
    case ParticipantKind::replica:
      return "a replica";
    case ParticipantKind::sentinel:
      return "a sentinel";
    case ParticipantKind::resource:
      return "the protected resource";
  }
  return "unknown";
}

bool contains(const std::vector<ParticipantKind>& roles, ParticipantKind role) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

}  // namespace

Participants::Participants(const RedisSpec& redis, const std::vector<ClientSpec>& clients) {
  for (std::size_t client = 0; client < clients.size(); ++client) {
    members_.push_back({clients[client].name, ParticipantKind::client, client});
    for (std::size_t thread = 1; thread <= clients[client].threads.size(); ++thread) {
      members_.push_back(
          {fmt::format("{}/{}", clients[client].name, thread), ParticipantKind::thread, client});
    }
  }
  for (std::size_t shard = 0; shard < redis.masters; ++shard) {
    const std::string master = fmt::format("n{}", shard + 1);
    const std::size_t peer_group = redis.topology == TopologyKind::cluster ? 0 : shard;
    members_.push_back({master, ParticipantKind::master, shard, peer_group});
    for (std::uint32_t replica = 1; replica <= redis.replicas; ++replica) {
      members_.push_back({fmt::format("{}-replica-{}", master, replica), ParticipantKind::replica,
                          shard, peer_group});
    }
  }
  if (redis.topology == TopologyKind::sentinel) {
    for (std::uint32_t sentinel = 1; sentinel <= redis.sentinel.count; ++sentinel) {
      members_.push_back({sentinel_name(sentinel), ParticipantKind::sentinel, sentinel - 1});
    }
  }
  members_.push_back({std::string(resource_name), ParticipantKind::resource, 0});
}

const Participant* Participants::find(std::string_view name) const {
  const auto found =
      std::find_if(members_.begin(), members_.end(),
                   [name](const Participant& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

void Participants::complain_unknown(const LocatedText& name, std::string_view expected,
                                    const std::vector<ParticipantKind>& roles) const {
  std::vector<std::string_view> names;
  for (const Participant& member : members_) {
    if (contains(roles, member.role)) names.push_back(member.name);
  }
  // Who writes n4 where there are three has not mistyped n1.
  const bool is_another_number =
      without_digits(nearest(name.text, names)) == without_digits(name.text);
  const std::string suggestion = is_another_number ? std::string() : did_you_mean(name.text, names);
  const std::string more =
      names.size() > names_listed_max ? fmt::format(" … ({} in all)", names.size()) : std::string();
  names.resize(std::min(names.size(), names_listed_max));
  const bool wants_replicas =
      name.text.find("-replica-") != name.text.npos &&
      std::none_of(members_.begin(), members_.end(), [](const Participant& member) {
        return member.role == ParticipantKind::replica;
      });
  name.complain(
      fmt::format("there is no {} {}{} (there {}{}{}{})", expected, in_quotes(name.text),
                  suggestion, (names.size() == 1 ? "is " : "are "), listed(names), more,
                  wants_replicas ? "; [redis] replicas = 1 adds one to each master" : ""));
}

const Participant& Participants::member(const LocatedText& name, std::string_view expected,
                                        const std::vector<ParticipantKind>& roles) const {
  const Participant* found = find(name.text);
  if (found == nullptr) complain_unknown(name, expected, roles);
  if (!contains(roles, found->role)) {
    std::string message = fmt::format("{} is {}; expected a {}", in_quotes(name.text),
                                      in_words(found->role), expected);
    if (found->role == ParticipantKind::thread) {
      message += fmt::format(": its process is '{}'", found->name.substr(0, found->name.find('/')));
    }
    name.complain(message);
  }
  return *found;
}

const Participant& Participants::process(const LocatedText& name) const {
  return member(name, "client or node",
                {ParticipantKind::client, ParticipantKind::master, ParticipantKind::replica,
                 ParticipantKind::sentinel});
}

const Participant& Participants::host(const LocatedText& name) const {
  return member(name, "host",
                {ParticipantKind::client, ParticipantKind::master, ParticipantKind::replica,
                 ParticipantKind::sentinel, ParticipantKind::resource});
}

const Participant& Participants::actor(const LocatedText& name) const {
  return member(name, "client, thread or node",
                {ParticipantKind::client, ParticipantKind::thread, ParticipantKind::master,
                 ParticipantKind::replica, ParticipantKind::sentinel, ParticipantKind::resource});
}

const Participant& Participants::server(const LocatedText& name) const {
  return member(name, "node",
                {ParticipantKind::master, ParticipantKind::replica, ParticipantKind::sentinel});
}

const Participant& Participants::node(const LocatedText& name) const {
  return member(name, "node", {ParticipantKind::master, ParticipantKind::replica});
}

bool can_communicate(HostSide one, HostSide other) {
  if (one == HostSide::server && other == HostSide::server) return true;
  return (one == HostSide::client) != (other == HostSide::client);
}

bool can_communicate(const Participant& one, const Participant& other) {
  const auto side_of = [](const Participant& member) {
    if (member.role == ParticipantKind::client || member.role == ParticipantKind::thread)
      return HostSide::client;
    return member.role == ParticipantKind::resource ? HostSide::resource : HostSide::server;
  };
  const auto is_node = [](const Participant& member) {
    return member.role == ParticipantKind::master || member.role == ParticipantKind::replica;
  };
  if (one.name == other.name || !can_communicate(side_of(one), side_of(other))) return false;
  return !is_node(one) || !is_node(other) || one.peer_group == other.peer_group;
}

void require_client_name(const LocatedText& name) {
  const std::string_view text = name.text;
  if (text.empty()) name.complain("the client's name is empty");
  const auto is_wrong = [](char character) {
    return !is_letter(character) && !sim::is_digit(character) && character != '-' &&
           character != '_';
  };
  if (!is_letter(text.front()) || std::any_of(text.begin(), text.end(), is_wrong)) {
    name.complain(
        fmt::format("{} is no client's name; expected a letter, then letters, digits, '-' and '_'",
                    in_quotes(text)));
  }
  if (text.size() > client_name_bytes_max) name.complain("a client's name has at most 40 letters");
  constexpr std::array<std::string_view, 2> taken = {resource_name, "faults"};
  if (looks_like_node(text) || std::find(taken.begin(), taken.end(), text) != taken.end()) {
    name.complain(fmt::format(
        "{} is taken: nodes are named n1, n1-replica-1 …, and there are 'resource' and 'faults'",
        in_quotes(text)));
  }
}

}  // namespace lockstep::scenario
