#include "model/observers/lock_state.h"

#include <algorithm>
#include <charconv>

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

}  // namespace

void LockState::clear() {
  holds.clear();
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

/// Of a token that no client was seen to write, itself.
checker::NameId LockStateReader::owner_of_token(std::string_view token) {
  const auto found = std::find_if(tokens_.rbegin(), tokens_.rend(),  // mostly one of the last
                                  [&](const auto& entry) { return entry.first == token; });
  return found == tokens_.rend() ? recorder_.names().intern(token) : found->second;
}

void LockStateReader::read_change(std::string_view key, std::span<RedisNode* const> nodes,
                                  checker::NameId writer, std::vector<std::string>& last_tokens,
                                  LockState& state) {
  find_entries(key, nodes);
  if (package_.state_shape == StateShape::owner_token) {
    last_tokens.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      learn_token(*nodes[i], entries_[i], writer, last_tokens[i]);
    }
  }
  read(nodes, state);
}

void LockStateReader::find_entries(std::string_view key, std::span<RedisNode* const> nodes) {
  entries_.clear();
  for (const RedisNode* node : nodes) {
    const redis::Entry* entry = node->server().keyspace().stored(key);
    const bool is_there = entry != nullptr && !entry->expired_at(node->wall_ms());
    entries_.push_back(is_there ? entry : nullptr);
  }
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
  std::erase_if(tokens_, [&](const auto& known) { return known.first == *token; });
  tokens_.emplace_back(*token, writer);
}

void LockStateReader::learn_elsewhere(std::string_view key, const RedisNode& node,
                                      checker::NameId writer) {
  if (package_.state_shape != StateShape::owner_token) return;
  const redis::Entry* entry = node.server().keyspace().stored(key);
  const auto* token = entry == nullptr ? nullptr : std::get_if<std::string>(&entry->value);
  const bool is_known =
      token == nullptr || std::any_of(tokens_.begin(), tokens_.end(),
                                      [&](const auto& known) { return known.first == *token; });
  if (!is_known) tokens_.emplace_back(*token, writer);
}

void LockStateReader::read_current(std::string_view key, std::span<RedisNode* const> nodes,
                                   LockState& state) {
  find_entries(key, nodes);
  read(nodes, state);
}

void LockStateReader::read(std::span<RedisNode* const> nodes, LockState& state) {
  state.clear();
  if (nodes.size() == 1) {
    read_node(*nodes.front(), entries_.front());
    std::swap(state, node_state_);
    state.free_nodes = state.holds.empty() ? 1 : 0;
    return;
  }
  all_.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    read_node(*nodes[i], entries_[i]);
    if (node_state_.holds.empty()) ++state.free_nodes;
    all_.insert(all_.end(), node_state_.holds.begin(), node_state_.holds.end());
  }
  merge(nodes.size(), state);
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
    std::sort(ends_ns_.rbegin(), ends_ns_.rend());
    state.holds.push_back({first.owner, first.mode, counts_[quorum - 1], ends_ns_[quorum - 1]});
  }
}

/// A node of a quorum that has crashed goes on counting for whom it counted: until it is back it
/// counts for nobody else.
void LockStateReader::read_node(const RedisNode& node, const redis::Entry* entry) {
  node_state_.clear();
  const bool is_gone =
      node.state() == sim::HostState::crashed && package_.state_nodes != StateNodes::quorum;
  if (entry == nullptr || is_gone) return;
  const sim::TimeNs lease_ends_ns =
      entry->expire_at_ms ? node.true_time_past(*entry->expire_at_ms) : sim::never_ns;
  if (const auto* hash = std::get_if<redis::HashValue>(&entry->value)) {
    read_hash(*hash, lease_ends_ns);
  } else if (const auto* text = std::get_if<std::string>(&entry->value)) {
    read_string(*text, lease_ends_ns);
  }
}

void LockStateReader::read_hash(const redis::HashValue& hash, sim::TimeNs lease_ends_ns) {
  const bool has_modes = package_.state_shape == StateShape::readers_and_writer;
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
