#include "reports/scene/scene_quorum.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "model/trace_vocabulary.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;

std::string_view key_in(std::string_view arguments) {
  return arguments.substr(0, arguments.find(' '));
}

/// When the lease ends that the first number behind the key says: "lock 30000 owner", "lock token
/// NX PX 30000".
std::optional<sim::TimeNs> lease_end_in(std::string_view arguments, sim::TimeNs now) {
  arguments.remove_prefix(key_in(arguments).size());
  while (!arguments.empty()) {
    arguments.remove_prefix(1);
    const std::string_view word = arguments.substr(0, arguments.find(' '));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    const bool is_number = error == std::errc{} && end == word.data() + word.size();
    if (is_number && number >= 0 && number < (sim::never_ns - now) / sim::millisecond_ns) {
      return now + number * sim::millisecond_ns;
    }
    arguments.remove_prefix(word.size());
  }
  return std::nullopt;
}

bool gives_back(std::string_view label) {
  return label.find("release") != std::string_view::npos ||
         label.find("unlock") != std::string_view::npos;
}

bool writes(const model::RecordedEvent& event) {
  return event.kind == model_kind::command_executed && event.number("writes") > 0 &&
         !event.text("on_behalf_of").empty();
}

}  // namespace

QuorumKeys::QuorumKeys(const model::RecordedTrace& trace, const LaneMap& lane_map)
    : lane_map_(lane_map) {
  std::map<std::string, std::string> groups;  // by owner and key: the first node's
  for (const Event& event : trace.events) {
    const auto lane = lane_map.lane_of(event.actor);
    if (!lane || !writes(event)) continue;
    if (asking_.empty()) asking_ = event.text("label");
    if (event.text("label") != asking_) continue;
    std::string writer(event.text("on_behalf_of"));
    writer += ' ';
    writer += key_in(event.text("arguments"));
    const std::string& group = lane_map.lanes()[*lane].group;
    if (groups.emplace(std::move(writer), group).first->second != group) counts_ = true;
  }
}

std::string QuorumKeys::owner(LaneIndex node, std::string_view key) const {
  const auto part = quorum_keys_.find(Place(node, key));
  return part == quorum_keys_.end() ? std::string() : part->second.owner;
}

std::vector<NodeKeyChange> QuorumKeys::see(const Event& event) {
  std::vector<NodeKeyChange> changes;
  if (!counts_) return changes;
  end_leases(event.at, changes);
  if (event.kind == model_kind::fault_struck) on_fault(event, changes);
  const auto node = lane_map_.lane_of(event.actor);
  if (!node || lane_map_.lanes()[*node].kind != LaneKind::redis) return changes;
  if (writes(event)) on_command(*node, event, changes);
  if (event.kind == model_kind::clock_changed) on_clock_step(*node, event, changes);
  if (event.kind == model_kind::dataset_restored) restore(*node, event, changes);
  return changes;
}

void QuorumKeys::end_leases(sim::TimeNs now, std::vector<NodeKeyChange>& changes) {
  std::erase_if(quorum_keys_, [&](const auto& entry) {
    const auto& [place, part] = entry;
    const bool is_over = part.ends_ns >= 0 && part.ends_ns <= now;
    if (is_over) {
      changes.push_back({place.first, place.second, part.owner, {}});
      changes.back().ended_ns = part.ends_ns;
    }
    return is_over;
  });
}

void QuorumKeys::on_command(LaneIndex node, const Event& event,
                            std::vector<NodeKeyChange>& changes) {
  const std::string_view arguments = event.text("arguments");
  const Place place(node, key_in(arguments));
  const std::string by(event.text("on_behalf_of"));
  const sim::TimeNs ends_ns = lease_end_in(arguments, event.at).value_or(-1);
  const auto part = quorum_keys_.find(place);
  if (event.text("label") == asking_) {
    const bool is_again = part != quorum_keys_.end() && part->second.owner == by;
    if (is_again) {
      ++part->second.holds;
      part->second.ends_ns = ends_ns;
      return;
    }
    changes.push_back({node, place.second, owner(node, place.second), by, ends_ns});
    quorum_keys_[place] = {by, 1, ends_ns};
  } else if (part != quorum_keys_.end() && gives_back(event.text("label"))) {
    if (part->second.owner == by && --part->second.holds > 0) return;
    changes.push_back({node, place.second, part->second.owner, {}});
    quorum_keys_.erase(part);
  } else if (part != quorum_keys_.end() && ends_ns >= 0) {
    NodeKey& key = part->second;
    changes.push_back({node, place.second, key.owner, key.owner, ends_ns});
    changes.back().is_renewal = true;
    changes.back().by = by;
    changes.back().is_shorter = key.ends_ns < 0 || ends_ns < key.ends_ns;
    key.ends_ns = ends_ns;
  }
}

void QuorumKeys::on_clock_step(LaneIndex node, const Event& event,
                               std::vector<NodeKeyChange>& changes) {
  for (auto& [place, part] : quorum_keys_) {
    if (place.first != node || part.ends_ns < 0) continue;
    // A trace may say any number.
    const sim::TimeNs by_ns =
        std::clamp(event.number("by_ns"), part.ends_ns - sim::never_ns, part.ends_ns);
    part.ends_ns -= by_ns;
  }
  const std::size_t before = changes.size();
  end_leases(event.at, changes);
  for (std::size_t i = before; i < changes.size(); ++i) {
    changes[i].by_clock = true;
    changes[i].ended_ns = event.at;
  }
}

/// "delete 'orders' on n1", "flush all data on n1", "evict …".
void QuorumKeys::on_fault(const Event& event, std::vector<NodeKeyChange>& changes) {
  const std::string_view what = event.text("what");
  const bool deletes =
      what.starts_with("delete") || what.starts_with("flush") || what.starts_with("evict");
  if (!deletes) return;
  for (const LaneIndex node : lane_map_.lanes_of(event.text("target"))) end_all(node, changes);
}

void QuorumKeys::end_all(LaneIndex node, std::vector<NodeKeyChange>& changes) {
  std::erase_if(quorum_keys_, [&](const auto& entry) {
    const auto& [place, part] = entry;
    if (place.first != node) return false;
    changes.push_back({node, place.second, part.owner, {}});
    return true;
  });
}

/// Of what it had it has as many keys as it says. While it was down nobody could tell which, and
/// nobody else could have them.
void QuorumKeys::restore(LaneIndex node, const Event& event, std::vector<NodeKeyChange>& changes) {
  std::int64_t keys = event.number("keys");
  std::erase_if(quorum_keys_, [&](const auto& entry) {
    const auto& [place, part] = entry;
    if (place.first != node || keys-- > 0) return false;
    changes.push_back({node, place.second, part.owner, {}});
    return true;
  });
}

}  // namespace lockstep::reports
