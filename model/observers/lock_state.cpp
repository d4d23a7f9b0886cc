#include "model/observers/lock_state.h"

#include <algorithm>
#include <charconv>

#include "model/lock/lock_package.h"
#include "model/node/redis_node.h"

namespace lockstep::model {
namespace {

constexpr std::string_view mode_field = "mode";
constexpr std::string_view write_suffix = ":write";

/// What a field of the lock's hash counts; a value that is no number is one hold.
std::int64_t hold_count(std::string_view value) {
  std::int64_t count = 1;
  std::from_chars(value.data(), value.data() + value.size(), count);
  return count;
}

/// The members of a set or a sorted set, the fields of a hash.
template <typename Visit>
void visit_members(const redis::Value& value, Visit visit) {
  if (const auto* const set = std::get_if<redis::SetValue>(&value)) {
    set->visit(visit);
  } else if (const auto* const sorted = std::get_if<redis::SortedSetValue>(&value)) {
    sorted->visit(0, sorted->size(), redis::Direction::forward,
                  [&](const redis::SortedSetValue::Item& item) { visit(item.member); });
  } else if (const auto* const hash = std::get_if<redis::HashValue>(&value)) {
    for (const auto& [field, content] : hash->fields()) visit(std::string_view(field));
  }
}

/// What the node has under the key; null where that is nothing, or its lease is over.
const redis::Entry* entry_at(const RedisNode& node, std::string_view key) {
  if (key.empty()) return nullptr;
  const redis::Entry* const entry = node.server().keyspace().stored(key);
  return entry != nullptr && !entry->expired_at(node.wall_ms()) ? entry : nullptr;
}

}  // namespace

void LockState::clear() {
  holds.clear();
  ended.clear();
  number = 0;
  has_number = false;
  free_nodes = 0;
}

const StateHold* LockState::find(checker::NameId owner, checker::HoldMode mode) const {
  const auto found = std::find_if(holds.begin(), holds.end(), [&](const StateHold& hold) {
    return hold.owner == owner && hold.mode == mode;
  });
  return found == holds.end() ? nullptr : &*found;
}

std::int64_t LockState::count_ended(checker::NameId owner) const {
  const auto found = std::find_if(ended.begin(), ended.end(), [owner](const EndedPermits& each) {
    return each.owner == owner;
  });
  return found == ended.end() ? 0 : found->count;
}

bool LockState::same_holds(const LockState& other) const {
  return std::equal(holds.begin(), holds.end(), other.holds.begin(), other.holds.end(),
                    [](const StateHold& a, const StateHold& b) {
                      return a.owner == b.owner && a.mode == b.mode && a.count == b.count;
                    });
}

sim::TimeNs LockState::first_lease_end_ns() const {
  sim::TimeNs first_ns = holds.empty() ? 0 : sim::never_ns;
  for (const StateHold& hold : holds) first_ns = std::min(first_ns, hold.lease_ends_ns);
  return first_ns;
}

const Client* LockStateReader::client_of(std::string_view field) const {
  const auto found = std::find_if(clients_.begin(), clients_.end(), [&](const Client* client) {
    return client->owner_of_field(field) != checker::no_name;
  });
  return found == clients_.end() ? nullptr : *found;
}

checker::NameId LockStateReader::owner_of(std::string_view field) {
  const Client* const client = client_of(field);
  return client != nullptr ? client->owner_of_field(field) : recorder_.names().intern(field);
}

checker::NameId LockStateReader::writer_of_token(std::string_view token) const {
  const auto found = tokens_.find(token);
  return found == tokens_.end() ? checker::no_name : found->second;
}

/// Of a token that no client was seen to write, itself.
checker::NameId LockStateReader::owner_of_token(std::string_view token) {
  const checker::NameId writer = writer_of_token(token);
  return writer == checker::no_name ? recorder_.names().intern(token) : writer;
}

StateKeys StateKeys::of(const LockPackage& package, std::string_view lock_name) {
  return {expand_pattern(package.state_key, lock_name), expand_pattern(package.also_key, lock_name),
          expand_pattern(package.readers_key, lock_name),
          expand_pattern(package.count_key, lock_name)};
}

void LockStateReader::read_change(const StateKeys& keys, std::span<RedisNode* const> nodes,
                                  checker::NameId writer, std::vector<std::string>& last_tokens,
                                  LockState& state) {
  learn_tokens(keys, nodes, writer, last_tokens);
  read(keys, nodes, state);
}

/// A string may be whoever's last wrote it anew; a member that was not there is who added it.
void LockStateReader::learn_tokens(const StateKeys& keys, std::span<RedisNode* const> nodes,
                                   checker::NameId writer, std::vector<std::string>& last_tokens) {
  const bool has_token = package_.state_shape == StateShape::owner_token || !keys.readers.empty();
  const bool has_members =
      package_.state_shape == StateShape::permits_in_use || !keys.readers.empty();
  if (has_token) {
    last_tokens.resize(2 * nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      learn_token(*nodes[i], entry_at(*nodes[i], keys.main), writer, last_tokens[2 * i]);
      if (keys.also.empty()) continue;
      learn_token(*nodes[i], entry_at(*nodes[i], keys.also), writer, last_tokens[2 * i + 1]);
    }
  }
  if (!has_members || writer == checker::no_name) return;
  const std::string& key = keys.readers.empty() ? keys.main : keys.readers;
  for (const RedisNode* const node : nodes) learn_members(entry_at(*node, key), writer);
}

void LockStateReader::learn_members(const redis::Entry* entry, checker::NameId writer) {
  if (entry == nullptr) return;
  visit_members(entry->value, [&](std::string_view member) {
    if (writer_of_token(member) != checker::no_name || client_of(member) != nullptr) return;
    tokens_.emplace(member, writer);
  });
}

/// Naive locks write the same token for every owner: it is the last one's who wrote it anew.
void LockStateReader::learn_token(const RedisNode& node, const redis::Entry* entry,
                                  checker::NameId writer, std::string& last_token) {
  const auto* token = entry == nullptr || node.state() == sim::HostState::crashed
                          ? nullptr
                          : std::get_if<std::string>(&entry->value);
  if (token == nullptr) {
    last_token.clear();
    return;
  }
  if (*token == last_token) return;
  last_token = *token;
  if (writer == checker::no_name) return;
  tokens_.insert_or_assign(*token, writer);
}

void LockStateReader::learn_elsewhere(std::string_view key, const RedisNode& node,
                                      checker::NameId writer) {
  if (package_.state_shape != StateShape::owner_token) return;
  const redis::Entry* entry = node.server().keyspace().stored(key);
  const auto* token = entry == nullptr ? nullptr : std::get_if<std::string>(&entry->value);
  if (token != nullptr) tokens_.emplace(*token, writer);
}

void LockStateReader::read_current(const StateKeys& keys, std::span<RedisNode* const> nodes,
                                   LockState& state) {
  read(keys, nodes, state);
}

void LockStateReader::read(const StateKeys& keys, std::span<RedisNode* const> nodes,
                           LockState& state) {
  state.clear();
  if (nodes.size() == 1) {
    read_node(*nodes.front(), keys);
    std::swap(state, node_state_);
    state.free_nodes = state.holds.empty() ? 1 : 0;
    return;
  }
  all_.clear();
  for (RedisNode* const node : nodes) {
    read_node(*node, keys);
    if (node_state_.holds.empty()) ++state.free_nodes;
    all_.insert(all_.end(), node_state_.holds.begin(), node_state_.holds.end());
  }
  merge(nodes.size(), state);
}

/// When fewer than a quorum of those in ends_ns_ are left, which it puts in order.
sim::TimeNs LockStateReader::end_of_votes(std::size_t quorum) {
  std::sort(ends_ns_.rbegin(), ends_ns_.rend());
  return ends_ns_[quorum - 1];
}

/// An owner's count is what the quorum-th of the nodes says where they are put in order, the
/// largest first; so is the end of its lease.
void LockStateReader::merge(std::size_t node_count, LockState& state) {
  const std::size_t quorum = node_count / 2 + 1;
  for (const StateHold& first : all_) {
    if (state.find(first.owner, first.mode) != nullptr) continue;
    counts_.clear();
    ends_ns_.clear();
    for (const StateHold& hold : all_) {
      if (hold.owner != first.owner || hold.mode != first.mode) continue;
      counts_.push_back(hold.count);
      ends_ns_.push_back(hold.lease_ends_ns);
    }
    if (counts_.size() < quorum) continue;
    std::sort(counts_.rbegin(), counts_.rend());
    const std::int64_t count = counts_[quorum - 1];
    const sim::TimeNs lease_ends_ns = end_of_votes(quorum);
    ends_ns_.clear();
    for (const StateHold& hold : all_) {
      const bool is_for_it =
          hold.owner == first.owner && hold.mode == first.mode && hold.count >= count;
      if (is_for_it) ends_ns_.push_back(hold.lease_ends_ns);
    }
    state.holds.push_back({first.owner, first.mode, count, lease_ends_ns, end_of_votes(quorum)});
  }
}

/// A node of a quorum that has crashed goes on counting for whom it counted: until it is back it
/// counts for nobody else.
void LockStateReader::read_node(const RedisNode& node, const StateKeys& keys) {
  node_state_.clear();
  const bool is_gone =
      node.state() == sim::HostState::crashed && package_.state_nodes != StateNodes::quorum;
  if (is_gone) return;
  const redis::Entry* const main = entry_at(node, keys.main);
  if (main != nullptr) read_main(node, *main);
  if (package_.state_shape == StateShape::permits_in_use) {
    std::int64_t out = 0;
    for (const StateHold& hold : node_state_.holds) out += hold.count;
    node_state_.number = package_.permit_count - out;
    node_state_.has_number = true;
  }
  if (!keys.also.empty()) keep_those_in(node, entry_at(node, keys.also));
  if (const auto* const readers = entry_at(node, keys.readers); readers != nullptr) {
    add_readers(node, *readers);
  }
  const redis::Entry* const count = entry_at(node, keys.count);
  const auto* const text = count == nullptr ? nullptr : std::get_if<std::string>(&count->value);
  if (text == nullptr) return;
  for (StateHold& hold : node_state_.holds) hold.count = hold_count(*text);
  std::erase_if(node_state_.holds, [](const StateHold& hold) { return hold.count <= 0; });
}

void LockStateReader::read_main(const RedisNode& node, const redis::Entry& entry) {
  const sim::TimeNs lease_ends_ns =
      entry.expire_at_ms ? node.true_time_past(*entry.expire_at_ms) : sim::never_ns;
  if (const auto* hash = std::get_if<redis::HashValue>(&entry.value)) {
    read_hash(*hash, lease_ends_ns);
  } else if (const auto* text = std::get_if<std::string>(&entry.value)) {
    read_string(*text, lease_ends_ns);
  } else if (const auto* set = std::get_if<redis::SortedSetValue>(&entry.value)) {
    if (package_.state_shape == StateShape::permits_in_use) read_permits(node, *set, lease_ends_ns);
  }
}

/// Who has but one of the two keys does not have the lock.
void LockStateReader::keep_those_in(const RedisNode& node, const redis::Entry* also) {
  std::swap(also_, node_state_);
  node_state_.clear();
  if (also != nullptr) read_main(node, *also);
  std::swap(also_, node_state_);
  std::erase_if(node_state_.holds, [&](StateHold& hold) {
    const StateHold* const other = also_.find(hold.owner, hold.mode);
    if (other == nullptr) return true;
    hold.count = std::min(hold.count, other->count);
    hold.lease_ends_ns = std::min(hold.lease_ends_ns, other->lease_ends_ns);
    return false;
  });
}

/// A hash counts its readers; of a set, or a sorted set, each member is one.
void LockStateReader::add_readers(const RedisNode& node, const redis::Entry& entry) {
  const sim::TimeNs lease_ends_ns =
      entry.expire_at_ms ? node.true_time_past(*entry.expire_at_ms) : sim::never_ns;
  if (const auto* hash = std::get_if<redis::HashValue>(&entry.value)) {
    for (const auto& [field, value] : hash->fields()) {
      const std::int64_t count = hold_count(value);
      if (count <= 0) continue;
      node_state_.holds.push_back(
          {owner_of_member(field), checker::HoldMode::shared, count, lease_ends_ns});
    }
    return;
  }
  visit_members(entry.value, [&](std::string_view member) {
    add_hold(owner_of_member(member), checker::HoldMode::shared, lease_ends_ns);
  });
}

void LockStateReader::read_permits(const RedisNode& node, const redis::SortedSetValue& set,
                                   sim::TimeNs lease_ends_ns) {
  set.visit(0, set.size(), redis::Direction::forward, [&](const redis::SortedSetValue::Item& item) {
    sim::TimeNs ends_ns = lease_ends_ns;
    if (package_.scores != StateScores::order) {
      constexpr double scores_max = 1e15;  // ms of wall clocks; beyond it: for ever
      const double score = std::clamp(item.score, -scores_max, scores_max);
      const std::int64_t end_ms =
          static_cast<std::int64_t>(score) +
          (package_.scores == StateScores::begins ? package_.permit_life_ms : 0);
      if (end_ms < node.wall_ms()) return add_ended(owner_of_member(item.member));
      ends_ns = std::min(ends_ns, node.true_time_past(end_ms));
    }
    add_hold(owner_of_member(item.member), checker::HoldMode::exclusive, ends_ns);
  });
}

void LockStateReader::add_ended(checker::NameId owner) {
  auto& ended = node_state_.ended;
  const auto known = std::find_if(ended.begin(), ended.end(), [owner](const EndedPermits& each) {
    return each.owner == owner;
  });
  if (known == ended.end()) {
    ended.push_back({owner, 1});
  } else {
    ++known->count;
  }
}

/// One more of that owner; the lease that ends first counts.
void LockStateReader::add_hold(checker::NameId owner, checker::HoldMode mode,
                               sim::TimeNs lease_ends_ns) {
  for (StateHold& hold : node_state_.holds) {
    if (hold.owner != owner || hold.mode != mode) continue;
    ++hold.count;
    hold.lease_ends_ns = std::min(hold.lease_ends_ns, lease_ends_ns);
    return;
  }
  node_state_.holds.push_back({owner, mode, 1, lease_ends_ns});
}

/// A token that somebody has written, or an owner by its name.
checker::NameId LockStateReader::owner_of_member(std::string_view member) {
  const checker::NameId writer = writer_of_token(member);
  return writer != checker::no_name ? writer : owner_of(member);
}

void LockStateReader::read_hash(const redis::HashValue& hash, sim::TimeNs lease_ends_ns) {
  const bool has_modes =
      package_.state_shape == StateShape::readers_and_writer && package_.readers_key.empty();
  for (const auto& [field, value] : hash.fields()) {
    if (has_modes && field == mode_field) continue;
    const std::int64_t count = hold_count(value);
    if (count <= 0) continue;
    std::string_view owner = field;
    auto mode = has_modes ? checker::HoldMode::shared : checker::HoldMode::exclusive;
    if (has_modes && owner.ends_with(write_suffix)) {
      owner.remove_suffix(write_suffix.size());
      mode = checker::HoldMode::exclusive;
    }
    node_state_.holds.push_back({owner_of(owner), mode, count, lease_ends_ns});
  }
}

void LockStateReader::read_string(std::string_view value, sim::TimeNs lease_ends_ns) {
  if (package_.state_shape == StateShape::permits || package_.state_shape == StateShape::count) {
    const char* const end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, node_state_.number);
    node_state_.has_number = error == std::errc() && rest == end;
    return;
  }
  node_state_.holds.push_back(
      {owner_of_token(value), checker::HoldMode::exclusive, 1, lease_ends_ns});
}

}  // namespace lockstep::model
