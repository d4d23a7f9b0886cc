#include "model/faults/strikes.h"

#include <array>
#include <cassert>

#include "model/node/redis_node.h"
#include "redis/server/server_types.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/faults/fault_table.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

using scenario::FaultKind;
using Handlers = StrikeHandlers;
using Change = NetworkFaults::Change;

struct StrikeForm {
  FaultKind kind;
  void (*begin)(Handlers&, const Strike&) = nullptr;           ///< null: it strikes messages
  void (*end)(Handlers&, const Strike&, StrikeEnd) = nullptr;  ///< null: it does not last
  sim::SendDecision (*on_message)(const scenario::FaultSpec&) = nullptr;
};

/// Calls a function of a handler.
template <auto handler, auto function>
void call(Handlers& handlers, const Strike& strike) {
  ((handlers.*handler).*function)(strike);
}
template <auto handler, auto function>
void call_end(Handlers& handlers, const Strike& strike, StrikeEnd why) {
  ((handlers.*handler).*function)(strike, why);
}

/// At once.
template <auto handler, auto begin>
constexpr StrikeForm once(FaultKind kind) {
  return {.kind = kind, .begin = call<handler, begin>};
}

/// For some time.
template <auto handler, auto begin, auto end>
constexpr StrikeForm lasting(FaultKind kind) {
  return {.kind = kind, .begin = call<handler, begin>, .end = call_end<handler, end>};
}

/// A change of the network that is undone in the end.
template <auto change>
constexpr StrikeForm changing(FaultKind kind) {
  return {.kind = kind,
          .begin = [](Handlers& handlers,
                      const Strike& strike) { (handlers.network.*change)(strike, Change::start); },
          .end = [](Handlers& handlers, const Strike& strike,
                    StrikeEnd) { (handlers.network.*change)(strike, Change::end); }};
}

template <sim::SendDecision::Kind decision>
constexpr StrikeForm of_message(FaultKind kind) {
  return {.kind = kind, .on_message = [](const scenario::FaultSpec& spec) -> sim::SendDecision {
            return {.kind = decision, .extra_delay_ns = spec.by_ns};
          }};
}

/// In the order of FaultKind.
constexpr std::array strikes = {
    lasting<&Handlers::process, &ProcessFaults::pause, &ProcessFaults::end_pause>(FaultKind::pause),
    once<&Handlers::process, &ProcessFaults::crash>(FaultKind::crash),
    once<&Handlers::process, &ProcessFaults::restart>(FaultKind::restart),
    once<&Handlers::replication, &ReplicationFaults::promote>(FaultKind::promote),
    changing<&NetworkFaults::change_cut>(FaultKind::cut),
    of_message<sim::SendDecision::Kind::drop>(FaultKind::drop),
    of_message<sim::SendDecision::Kind::delay>(FaultKind::delay),
    of_message<sim::SendDecision::Kind::reset>(FaultKind::reset),
    once<&Handlers::clock, &ClockFaults::step>(FaultKind::clock_step),
    once<&Handlers::clock, &ClockFaults::drift>(FaultKind::clock_drift),
    once<&Handlers::by_operator, &OperatorFaults::delete_key>(FaultKind::delete_key),
    once<&Handlers::process, &ProcessFaults::lose_power>(FaultKind::power_loss),
    once<&Handlers::process, &ProcessFaults::shut_down>(FaultKind::shutdown),
    lasting<&Handlers::clock, &ClockFaults::freeze, &ClockFaults::thaw>(FaultKind::clock_freeze),
    lasting<&Handlers::clock, &ClockFaults::start_strobe, &ClockFaults::end_strobe>(
        FaultKind::clock_strobe),
    once<&Handlers::clock, &ClockFaults::step>(FaultKind::clock_leap),
    once<&Handlers::by_operator, &OperatorFaults::evict>(FaultKind::evict),
    once<&Handlers::by_operator, &OperatorFaults::flush_all>(FaultKind::flush_all),
    once<&Handlers::by_operator, &OperatorFaults::flush_scripts>(FaultKind::script_flush),
    lasting<&Handlers::by_operator, &OperatorFaults::hang_in_script,
            &OperatorFaults::end_script_hang>(FaultKind::busy),
    lasting<&Handlers::by_operator, &OperatorFaults::limit_clients,
            &OperatorFaults::end_client_limit>(FaultKind::max_clients),
    once<&Handlers::client, &ClientFaults::interrupt>(FaultKind::interrupt),
    once<&Handlers::client, &ClientFaults::abandon>(FaultKind::abandon),
    once<&Handlers::client, &ClientFaults::postpone>(FaultKind::postpone),
    lasting<&Handlers::process, &ProcessFaults::slow_down, &ProcessFaults::end_slowness>(
        FaultKind::slow),
    changing<&NetworkFaults::change_listening>(FaultKind::refuse),
    once<&Handlers::network, &NetworkFaults::make_half_open>(FaultKind::half_open),
    changing<&NetworkFaults::change_clog>(FaultKind::clog),
    changing<&NetworkFaults::change_one_way_cut>(FaultKind::cut_one_way),
    changing<&NetworkFaults::change_isolation>(FaultKind::isolate),
    changing<&NetworkFaults::change_partition>(FaultKind::partition),
    changing<&NetworkFaults::change_ring>(FaultKind::ring),
    lasting<&Handlers::network, &NetworkFaults::start_swizzle, &NetworkFaults::end_swizzle>(
        FaultKind::swizzle),
    of_message<sim::SendDecision::Kind::hold>(FaultKind::reorder),
    lasting<&Handlers::replication, &ReplicationFaults::start_lag, &ReplicationFaults::end_lag>(
        FaultKind::lag),
    lasting<&Handlers::replication, &ReplicationFaults::stall, &ReplicationFaults::end_stall>(
        FaultKind::stall),
    lasting<&Handlers::replication, &ReplicationFaults::disconnect, &ReplicationFaults::reconnect>(
        FaultKind::disconnect),
};

consteval bool are_whole() {
  for (std::size_t i = 0; i < strikes.size(); ++i) {
    const scenario::FaultForm& form = scenario::fault_table[i];
    const bool is_of_message = form.theme == scenario::Theme::message;
    if (strikes[i].kind != form.kind || lasts(form) != (strikes[i].end != nullptr)) return false;
    if (is_of_message != (strikes[i].on_message != nullptr)) return false;
    if (is_of_message == (strikes[i].begin != nullptr)) return false;
  }
  return true;
}
static_assert(strikes.size() == scenario::fault_kind_count && are_whole(),
              "strikes needs one row for each FaultKind, in order, and as fault_table has it");

const StrikeForm& strike_form(const scenario::FaultSpec& spec) {
  return strikes[static_cast<std::size_t>(spec.kind)];
}

}  // namespace

void StrikeHandlers::start_run(sim::ChoiceSource& choices) {
  process.start_run();
  network.start_run(choices);
  replication.start_run();
  clock.start_run();
  by_operator.start_run();
  client.start_run();
}

bool can_strike(const scenario::FaultSpec& spec, const FaultEnvironment& environment) {
  switch (scenario::form_of(spec.kind).target.state) {
    case scenario::TargetState::any:
      return true;
    case scenario::TargetState::running:
      return environment.host(spec.target).state() != sim::HostState::crashed;
    case scenario::TargetState::down:
      return environment.host(spec.target).state() == sim::HostState::crashed;
    case scenario::TargetState::replicating: {
      const RedisNode& node = environment.node(spec.target);
      return node.state() != sim::HostState::crashed &&
             node.server().role() == redis::Role::replica;
    }
  }
  return false;
}

void begin_strike(const Strike& strike, StrikeHandlers& handlers) {
  strike_form(strike.spec).begin(handlers, strike);
}

void end_strike(const Strike& strike, StrikeEnd why, StrikeHandlers& handlers) {
  strike_form(strike.spec).end(handlers, strike, why);
}

sim::SendDecision decision_on_message(const scenario::FaultSpec& spec) {
  return strike_form(spec).on_message(spec);
}

}  // namespace lockstep::model
