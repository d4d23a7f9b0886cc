// A cluster node's part of a state: its knowledge and its messages.
//
// Times are relative to the node's clock, but for 0, which means never. Seconds in gossip are the
// sender's: they are relative to true time, so the hosts' clocks must be told apart by how much
// they are off (sim::DigestGrain::compares_wall_clocks).
//
// Not state: settings_, self_ (the same in all runs), now_ms_ (set with each call), outgoing_
// (memory).
#include "model/cluster/cluster_node.h"
#include "sim/digest.h"

namespace lockstep::model {
namespace {

void add_master(sim::Digest& digest, const std::optional<ClusterIndex>& master) {
  digest.add(master);
}

void add_slot_ranges(sim::Digest& digest, const SlotRangeSet& slot_ranges) {
  for (std::size_t range = 0; range < slot_ranges.size(); ++range) {
    if (slot_ranges[range]) digest.add(range);
  }
  digest.add(~std::uint64_t{0});
}

}  // namespace

void ClusterMessage::digest_into(sim::Digest& digest) const {
  digest.add(kind);
  digest.add(sender);
  digest.add(current_epoch);
  digest.add(config_epoch);
  add_slot_ranges(digest, slot_ranges);
  add_master(digest, master);
  digest.add_offset(offset);
  digest.add(is_forced);
  if (kind == Kind::ping || kind == Kind::pong) {
    digest.add(gossip.size());
    for (const Gossip& each : gossip) {
      digest.add(each.node);
      digest.add(each.is_suspected);
      digest.add(each.has_failed);
      digest.add(each.pong_received_s - digest.now() / sim::second_ns);
    }
  }
  if (kind == Kind::fail || kind == Kind::update) digest.add(about);
  if (kind == Kind::update) {
    digest.add(about_epoch);
    add_slot_ranges(digest, about_slot_ranges);
  }
  if (kind == Kind::publish) {
    digest.add(std::string_view(channel));
    digest.add(std::string_view(text));
    if (is_of_shard) digest.add(is_of_shard);
  }
}

void ClusterNode::digest_into(sim::Digest& digest, std::int64_t now_ms) const {
  const auto add_time = [&](std::int64_t at_ms) {
    digest.add(at_ms == 0);
    if (at_ms != 0) digest.add(at_ms - now_ms);
  };
  for (const KnownNode& known : nodes_) {
    add_master(digest, known.master);
    digest.add(known.is_suspected);
    digest.add(known.has_failed);
    digest.add(known.config_epoch);
    add_time(known.ping_sent_ms);
    add_time(known.pong_received_ms);
    add_time(known.data_received_ms);
    add_time(known.failed_at_ms);
    add_time(known.voted_ms);
    digest.add_offset(known.offset);
    digest.add(known.link);
    add_time(known.link_since_ms);
    digest.add(known.reports.size());
    for (const FailureReport& report : known.reports) {
      digest.add(report.by);
      add_time(report.at_ms);
    }
  }
  for (const ClusterIndex owner : owners_) digest.add(owner);
  digest.add(current_epoch_);
  digest.add(last_vote_epoch_);
  digest.add(is_up_);
  add_time(started_ms_);
  add_time(in_minority_ms_);
  digest.add(should_update_state_);
  digest.add(should_start_election_);
  digest.add(crons_);
  digest.add(suspected_count_);
  add_time(election_ms_);
  digest.add(election_epoch_);
  digest.add(votes_);
  digest.add(rank_);
  digest.add(has_asked_);
  add_time(forced_until_ms_);
  digest.add(reported_ineligible_);
}

}  // namespace lockstep::model
