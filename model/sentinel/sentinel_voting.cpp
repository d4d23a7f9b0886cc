// Agreement among sentinels: whether the master is down, and who carries out a failover.
//
// A sentinel votes once per epoch, for whoever asks first, and a leader needs a majority of all
// known sentinels (and at least the quorum), so an epoch has at most one leader. That holds
// while no sentinel forgets its vote (it is in sentinel.conf) and while all know each other.
#include <algorithm>
#include <utility>

#include "model/sentinel/sentinel_node.h"
#include "model/sentinel/sentinel_times.h"
#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"

namespace lockstep::model {

void SentinelNode::ask_others(Urgency urgency) {
  const std::int64_t now = now_ms();
  for (Instance& sentinel : sentinels_) {
    const std::int64_t silent_ms = now - sentinel.replied_at_ms;
    if (silent_ms > 5 * ask_period_ms) {
      sentinel.thinks_master_is_down = false;
      sentinel.voted_for.clear();
    }
    if (!master_.is_subjectively_down || sentinel.is_disconnected) continue;
    if (urgency == Urgency::when_due) {
      // As with INFO, Redis asks again and again until there is an answer.
      if (silent_ms < ask_period_ms || sentinel.commands.expects(SentinelRequest::ask)) continue;
    }
    const std::string_view candidate = is_failing_over() ? std::string_view(name()) : "*";
    links_.send(
        sentinel.commands, SentinelRequest::ask, "is-master-down-by-addr",
        {"SENTINEL", "is-master-down-by-addr", master_.name, redis::IntegerText(node_port).view(),
         redis::IntegerText(current_epoch_).view(), candidate});
  }
}

void SentinelNode::on_ask_reply(Instance& sentinel, const redis::Reply& reply) {
  const auto& elements = reply.elements;
  if (elements.size() != 3) return;
  sentinel.replied_at_ms = now_ms();
  sentinel.thinks_master_is_down = elements[0].integer == 1;
  if (elements[1].text == "*") return;
  sentinel.voted_for = elements[1].text;
  sentinel.voted_epoch = elements[2].integer;
}

void SentinelNode::learn_epoch(std::int64_t epoch) {
  if (epoch <= current_epoch_) return;
  current_epoch_ = epoch;
  announce("+new-epoch", redis::IntegerText(epoch).view());
}

SentinelNode::Vote SentinelNode::vote(std::int64_t epoch, std::string_view candidate) {
  learn_epoch(epoch);
  if (vote_.epoch < epoch && current_epoch_ <= epoch) {
    vote_ = {std::string(candidate), current_epoch_};
    std::string text = vote_.leader;
    text.append(" ").append(redis::IntegerText(vote_.epoch).view());
    announce("+vote-for-leader", text);
    // Whoever voted for another leaves it the time that it needs.
    if (candidate != name())
      failover_.started_at_ms = now_ms() + random_below(desynchronisation_ms);
  }
  return vote_;
}

std::string SentinelNode::elected_in(std::int64_t epoch) {
  std::vector<std::pair<std::string, std::uint32_t>> counts;
  const auto count = [&](const std::string& name) {
    for (auto& [candidate, votes] : counts) {
      if (candidate == name) return static_cast<void>(++votes);
    }
    counts.emplace_back(name, 1);
  };
  const auto most = [&]() -> std::pair<std::string, std::uint32_t> {
    std::pair<std::string, std::uint32_t> winner;
    for (const auto& each : counts) {
      if (each.second > winner.second) winner = each;
    }
    return winner;
  };
  for (const Instance& sentinel : sentinels_) {
    const bool counts_now = !sentinel.voted_for.empty() && sentinel.voted_epoch == current_epoch_;
    if (counts_now) count(sentinel.voted_for);
  }
  const std::string favourite = most().first;
  const Vote own = vote(epoch, favourite.empty() ? name() : favourite);
  if (!own.leader.empty() && own.epoch == epoch) count(own.leader);
  const auto [winner, votes] = most();
  const auto voters = static_cast<std::uint32_t>(sentinels_.size() + 1);
  return votes >= voters / 2 + 1 && votes >= quorum_ ? winner : std::string();
}

}  // namespace lockstep::model
