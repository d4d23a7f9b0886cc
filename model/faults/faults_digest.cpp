// The faults as a part of a state: which may still strike, which last, and what they keep.
//
// A fault that has struck as often as it may, and is over, is as good as none. Who looks for faults
// of its own (Simulation::strike) has to count them beside the digest.
//
// Not state: faults_set_, descriptions_, milestone_of_sending_,
// others_wait_for_sending_, choices_, struck_listener_, run_profile_, place, watches_messages_,
// watches_overtaking_ (follow from the faults, or are the same in all runs), depth_ (0 between two
// events), spans_, span, message_ (what has been observed), strikes_so_far_ (numbers to come are
// new ones), end_event (it is among the events), slowness_ (the hosts'), seen_ (a result),
// handlers_.client (its orders are among the events).
#include <algorithm>

#include "model/faults/fault_injector.h"
#include "model/observers/sometimes_watch.h"
#include "redis/persistence/stored_files.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/sometimes.h"
#include "sim/digest.h"

namespace lockstep::model {
namespace {

void add_texts(sim::Digest& digest, const std::vector<std::string>& texts) {
  digest.add(texts.size());
  for (const std::string& text : texts) digest.add(std::string_view(text));
}

void add_trigger(sim::Digest& digest, const scenario::Trigger& trigger) {
  digest.add(trigger.when.has_value());
  if (trigger.when) {
    const scenario::Trigger::When& when = *trigger.when;
    digest.add(when.kind);
    digest.add(when.milestone);
    digest.add(when.nth);
    for (const std::string* text : {&when.actor, &when.detail, &when.to, &when.requested_by}) {
      digest.add(std::string_view(*text));
    }
    digest.add(trigger.after_ns);
  }
  digest.add(trigger.every_ns);
  digest.add(trigger.times);
}

void add_spec(sim::Digest& digest, const scenario::FaultSpec& spec) {
  digest.add(spec.kind);
  for (const std::string* text :
       {&spec.target, &spec.other, &spec.message_label, &spec.message_from, &spec.message_to,
        &spec.behind_label, &spec.lock_name, &spec.key_pattern, &spec.callback_name}) {
    digest.add(std::string_view(*text));
  }
  digest.add(spec.groups.size());
  for (const std::vector<std::string>& group : spec.groups) add_texts(digest, group);
  digest.add(spec.nth);
  digest.add(spec.times);
  digest.add(spec.for_ns);
  digest.add(spec.by_ns);
  digest.add(spec.drift_ppm);
  digest.add(spec.clock);
  digest.add(spec.strobe_ns);
  digest.add(spec.limit);
  digest.add(spec.callback);
  add_trigger(digest, spec.trigger);
  digest.add(spec.stays);
  digest.add(spec.open.size());
  for (const scenario::OpenDuration& open : spec.open) {
    digest.add(open.what);
    digest.add(open.min_ns);
    digest.add(open.max_ns);
  }
  add_texts(digest, spec.targets);
}

}  // namespace

void FaultInjector::digest_event(sim::Digest& digest, std::uint32_t code,
                                 std::uint64_t argument) const {
  digest.add(code);
  if (code == end_code) return digest.name(sim::NamedKind::strike, lasting_[argument].number);
  digest.add(argument);
  if (code == strike_code) add_spec(digest, drawn_[argument]);
}

bool FaultInjector::may_strike(std::size_t fault) const {
  if (is_over(fault)) return false;
  if (message_faults_.may_strike(fault)) return true;
  const State& state = states_[fault];
  if (state.times_left == 0) return false;
  const scenario::Trigger& trigger = faults_[fault].trigger;
  const bool comes_once = faults_[fault].most_strikes() == 1;
  const bool is_counted =
      trigger.when && trigger.when->kind != scenario::Trigger::When::Kind::lease_end;
  return !(is_counted && comes_once && state.trigger_matches >= state.drawn_match);
}

void FaultInjector::digest_into(sim::Digest& digest) const {
  digest.add(is_healed_);
  for (std::size_t fault = 0; fault < faults_.size(); ++fault) {
    if (!may_strike(fault)) continue;
    const State& state = states_[fault];
    digest.add(fault);
    add_spec(digest, faults_[fault]);
    add_spec(digest, drawn_[fault]);
    digest.add(std::min(state.trigger_matches, state.drawn_match));
    digest.add(state.drawn_match);
    digest.add(state.times_left);
    digest.add(state.is_begun);
  }
  digest.add(~std::uint64_t{0});
  for (const Lasting& lasting : lasting_) {
    if (lasting.is_over) continue;
    digest.name(sim::NamedKind::strike, lasting.number);
    digest.add(lasting.fault);
    add_spec(digest, lasting.spec);
    handlers_.process.digest_pause(digest, lasting.number, lasting.spec);
  }
  digest.add(~std::uint64_t{0});
  if (heal_at_ns_ && !is_healed_) {
    for (const std::uint32_t strikes : strikes_) digest.add(strikes > 0);
    for (const std::string& name : stays_down_) digest.add(std::string_view(name));
  }
  handlers_.replication.digest_into(digest);
  handlers_.clock.digest_into(digest);
  handlers_.network.digest_into(digest);
  handlers_.by_operator.digest_into(digest);
  message_faults_.digest_into(digest);
  lease_triggers_.digest_into(digest);
}

// -- processes, replication: what they keep is their hosts' too --

void ProcessFaults::digest_pause(sim::Digest& digest, std::uint64_t strike,
                                 const scenario::FaultSpec& spec) const {
  const auto own = pauses_.find(strike);
  digest.add(own != pauses_.end());
  if (own == pauses_.end()) return;
  digest.name(sim::NamedKind::pause,
              static_cast<std::uint64_t>(environment_.host(spec.target).actor()),
              static_cast<std::uint64_t>(own->second));
}

void ReplicationFaults::digest_into(sim::Digest& digest) const {
  digest.add(lags_.size());
  for (const auto& [host, lag] : lags_) {
    digest.add(host);
    digest.add(lag.value());
  }
}

// -- clocks --

void ClockFaults::digest_into(sim::Digest& digest) const {
  digest.add(strobes_.size());
  for (const Strobe& strobe : strobes_) {
    digest.name(sim::NamedKind::strike, strobe.strike);
    digest.add(strobe.host);
    digest.add(strobe.by_ns);
    digest.add(strobe.every_ns);
    digest.add(strobe.is_off);
  }
  for (const auto& [host, frozen] : frozen_) {
    if (frozen.wall == 0 && frozen.monotonic == 0) continue;
    digest.add(host);
    digest.add(frozen.wall);
    digest.add(frozen.monotonic);
  }
  digest.add(drifts_.size());
  for (const Drift& drift : drifts_) {
    digest.add(drift.host);
    digest.add(drift.rate_ppm);
    digest.add(drift.clock);
    digest.add(drift.stays);
  }
  for (const auto& [host, rate_ppm] : rates_) {
    digest.add(host);
    digest.add(rate_ppm);
  }
}

void ClockFaults::digest_event(sim::Digest& digest, std::uint32_t /*code*/,
                               std::uint64_t strobe) const {
  digest.add(strobe);
}

// -- the network --

void NetworkFaults::digest_into(sim::Digest& digest) const {
  const auto add_hosts = [&](const std::vector<sim::HostId>& hosts) {
    digest.add(hosts.size());
    for (const sim::HostId host : hosts) digest.add(host);
  };
  digest.add(swizzles_.size());
  for (const Swizzle& swizzle : swizzles_) {
    digest.name(sim::NamedKind::strike, swizzle.strike);
    add_hosts(swizzle.cuts);
    add_hosts(swizzle.heals);
    add_hosts(swizzle.isolated);
    digest.add(swizzle.is_over);
  }
}

void NetworkFaults::digest_event(sim::Digest& digest, std::uint32_t code,
                                 std::uint64_t argument) const {
  digest.add(code);
  digest.add(argument);
}

// -- operators --

void OperatorFaults::digest_into(sim::Digest& digest) const {
  for (const auto& [host, limits] : limits_) {
    if (limits.empty()) continue;
    digest.add(host);
    digest.add(limits.size());
    for (const Limit& limit : limits) {
      digest.name(sim::NamedKind::strike, limit.strike);
      digest.add(limit.clients);
    }
  }
  digest.add(script_hangs_.size());
  for (const ScriptHang& script_hang : script_hangs_) {
    digest.name(sim::NamedKind::strike, script_hang.strike);
    digest.add(script_hang.node);
    digest.add_instant(script_hang.until);
  }
}

// -- clients --

void ClientFaults::digest_event(sim::Digest& digest, std::uint32_t /*code*/,
                                std::uint64_t argument) const {
  const Order& order = orders_[argument];
  digest.add(order.fault);
  digest.add(order.what);
  digest.add(order.client->actor());
  digest.add(order.thread);
}

// -- messages --

bool MessageFaults::may_strike(std::size_t fault) const {
  const State& state = states_[fault];
  return state.is_armed && state.strikes < faults_[fault].times;
}

void MessageFaults::digest_into(sim::Digest& digest) const {
  for (std::size_t fault = 0; fault < states_.size(); ++fault) {
    if (!may_strike(fault)) continue;
    digest.add(fault);
    digest.add(std::min(states_[fault].messages_seen, faults_[fault].nth));
    digest.add(states_[fault].strikes);
  }
  digest.add(~std::uint64_t{0});
  digest.add(held_.size());
  for (const Held& held : held_) {
    digest.add(held.fault);
    add_spec(digest, faults_[held.fault]);
    environment_.network.digest_message(digest, held.message);
    digest.add(held.from);
    digest.add_connection(held.connection);
    digest.add_instant(held.until);
    digest.add(held.overtaking.size());
    for (const std::uint64_t message : held.overtaking) {
      environment_.network.digest_message(digest, message);
    }
  }
}

void MessageFaults::digest_event(sim::Digest& digest, std::uint32_t /*code*/,
                                 std::uint64_t /*fault*/) const {
  digest.add(std::uint64_t{0});  // whatever is over by then
}

// -- ends of leases --

void LeaseTriggers::digest_into(sim::Digest& digest) const {
  for (const Watch& watch : watches_) {
    digest.add(std::string_view(watch.lock));
    if (!watch.lock.empty()) digest.add_instant(watch.ends_ns);
    digest.add(std::min(watch.ends_seen, faults_[watch.fault].trigger.when->nth));
  }
}

void LeaseTriggers::digest_event(sim::Digest& digest, std::uint32_t code,
                                 std::uint64_t argument) const {
  const std::uint64_t index = argument & UINT32_MAX;
  digest.add(code);
  digest.add(index);
  digest.add(argument >> 32U == watches_[index].plans);
}

// -- what is to happen sometimes: for the counts that are to come --

void SometimesWatch::digest_into(sim::Digest& digest) const {
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const scenario::Sometimes& each = watched_[i];
    digest.add(each.after ? std::min(before_[i], each.after->when.nth) : 0);
    digest.add(std::min(matched_[i], each.moment.when.nth));
  }
}

}  // namespace lockstep::model
