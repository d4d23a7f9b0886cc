#include "model/scenario/cast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/scenario/suggest.h"
#include "model/sentinel/sentinel_names.h"
#include "sim/ascii.h"

namespace lockstep::model {
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

std::string_view in_words(Role role) {
  switch (role) {
    case Role::client:
      return "a client";
    case Role::thread:
      return "a client's thread";
    case Role::master:
      return "a master";
    case Role::replica:
      return "a replica";
    case Role::sentinel:
      return "a sentinel";
    case Role::resource:
      return "the protected resource";
  }
  return "unknown";
}

bool contains(const std::vector<Role>& roles, Role role) {
  return std::find(roles.begin(), roles.end(), role) != roles.end();
}

}  // namespace

Cast::Cast(const RedisSpec& redis, const std::vector<ClientSpec>& clients) {
  for (std::size_t client = 0; client < clients.size(); ++client) {
    members_.push_back({clients[client].name, Role::client, client});
    for (std::size_t thread = 1; thread <= clients[client].threads.size(); ++thread) {
      members_.push_back(
          {fmt::format("{}/{}", clients[client].name, thread), Role::thread, client});
    }
  }
  for (std::size_t shard = 0; shard < redis.masters; ++shard) {
    const std::string master = fmt::format("n{}", shard + 1);
    const std::size_t circle = redis.topology == TopologyKind::cluster ? 0 : shard;
    members_.push_back({master, Role::master, shard, circle});
    for (std::uint32_t replica = 1; replica <= redis.replicas; ++replica) {
      members_.push_back(
          {fmt::format("{}-replica-{}", master, replica), Role::replica, shard, circle});
    }
  }
  if (redis.topology == TopologyKind::sentinel) {
    for (std::uint32_t sentinel = 1; sentinel <= redis.sentinel.count; ++sentinel) {
      members_.push_back({sentinel_name(sentinel), Role::sentinel, sentinel - 1});
    }
  }
  members_.push_back({std::string(resource_name), Role::resource, 0});
}

const CastMember* Cast::find(std::string_view name) const {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [name](const CastMember& member) { return member.name == name; });
  return found == members_.end() ? nullptr : &*found;
}

void Cast::complain_unknown(const PlacedText& name, std::string_view expected,
                            const std::vector<Role>& roles) const {
  std::vector<std::string_view> names;
  for (const CastMember& member : members_) {
    if (contains(roles, member.role)) names.push_back(member.name);
  }
  // Who writes n4 where there are three has not mistyped n1.
  const bool is_another_number =
      without_digits(nearest(name.text, names)) == without_digits(name.text);
  const std::string suggestion = is_another_number ? std::string() : did_you_mean(name.text, names);
  const std::string more =
      names.size() > names_listed_max ? fmt::format(" … ({} in all)", names.size()) : std::string();
  names.resize(std::min(names.size(), names_listed_max));
  name.complain(fmt::format("there is no {} {}{} (there {}{}{})", expected, in_quotes(name.text),
                            suggestion, (names.size() == 1 ? "is " : "are "), listed(names), more));
}

const CastMember& Cast::member(const PlacedText& name, std::string_view expected,
                               const std::vector<Role>& roles) const {
  const CastMember* found = find(name.text);
  if (found == nullptr) complain_unknown(name, expected, roles);
  if (!contains(roles, found->role)) {
    std::string message = fmt::format("{} is {}; expected a {}", in_quotes(name.text),
                                      in_words(found->role), expected);
    if (found->role == Role::thread) {
      message += fmt::format(": its process is '{}'", found->name.substr(0, found->name.find('/')));
    }
    name.complain(message);
  }
  return *found;
}

const CastMember& Cast::process(const PlacedText& name) const {
  return member(name, "client or node",
                {Role::client, Role::master, Role::replica, Role::sentinel});
}

const CastMember& Cast::host(const PlacedText& name) const {
  return member(name, "host",
                {Role::client, Role::master, Role::replica, Role::sentinel, Role::resource});
}

const CastMember& Cast::actor(const PlacedText& name) const {
  return member(
      name, "client, thread or node",
      {Role::client, Role::thread, Role::master, Role::replica, Role::sentinel, Role::resource});
}

const CastMember& Cast::server(const PlacedText& name) const {
  return member(name, "node", {Role::master, Role::replica, Role::sentinel});
}

const CastMember& Cast::node(const PlacedText& name) const {
  return member(name, "node", {Role::master, Role::replica});
}

bool ever_talk(Side one, Side other) {
  if (one == Side::server && other == Side::server) return true;
  return (one == Side::client) != (other == Side::client);
}

bool ever_talk(const CastMember& one, const CastMember& other) {
  const auto side_of = [](const CastMember& member) {
    if (member.role == Role::client || member.role == Role::thread) return Side::client;
    return member.role == Role::resource ? Side::resource : Side::server;
  };
  const auto is_node = [](const CastMember& member) {
    return member.role == Role::master || member.role == Role::replica;
  };
  if (one.name == other.name || !ever_talk(side_of(one), side_of(other))) return false;
  return !is_node(one) || !is_node(other) || one.circle == other.circle;
}

void require_client_name(const PlacedText& name) {
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

}  // namespace lockstep::model
