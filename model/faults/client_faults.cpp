#include "model/faults/client_faults.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <string_view>

namespace lockstep::model {
namespace {

/// The thread of "a/2", counted from 0.
std::size_t thread_index(std::string_view name) {
  const std::string_view digits = name.substr(name.rfind('/') + 1);
  std::size_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  assert(number > 0);
  return number - 1;
}

}  // namespace

void ClientFaults::start_run(sim::ChoiceSource& /*choices*/) { orders_.clear(); }

void ClientFaults::strike(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  const std::string_view name = std::string_view(fault.target).substr(0, fault.target.rfind('/'));
  const auto client = std::find_if(environment_.clients.begin(), environment_.clients.end(),
                                   [&](const Client* each) { return each->name() == name; });
  assert(client != environment_.clients.end());
  if (fault.kind == scenario::FaultKind::postpone) {
    (*client)->postpone({strike.fault, fault.callback, fault.callback_name, fault.nth, fault.by_ns},
                        *this);
    return;
  }
  orders_.push_back({strike.fault, fault.kind, *client, thread_index(fault.target)});
  environment_.queue.schedule(environment_.queue.now(), *this, 0, orders_.size() - 1);
}

void ClientFaults::cancel(std::size_t fault) {
  for (Client* client : environment_.clients) client->cancel_postponement(fault);
}

void ClientFaults::on_event(std::uint32_t /*code*/, std::uint64_t argument) {
  const Order order = orders_[argument];
  if (order.client->state() == sim::HostState::crashed) return;
  if (order.kind == scenario::FaultKind::abandon) {
    if (!order.client->is_in_call(order.thread)) return;
    listener_.on_struck(order.fault);
    return order.client->order(ThreadFault::abandon, order.thread);
  }
  listener_.on_struck(order.fault);
  order.client->order(ThreadFault::interrupt, order.thread);
}

}  // namespace lockstep::model
