#include "model/faults/client_faults.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <string_view>

#include "scenario/faults/fault_spec.h"

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

Client& ClientFaults::client_of(const scenario::FaultSpec& fault) const {
  const std::string_view name = std::string_view(fault.target).substr(0, fault.target.rfind('/'));
  const auto client = std::find_if(environment_.clients.begin(), environment_.clients.end(),
                                   [&](const Client* each) { return each->name() == name; });
  assert(client != environment_.clients.end());
  return **client;
}

void ClientFaults::postpone(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  client_of(fault).postpone(
      {strike.fault, fault.callback, fault.callback_name, fault.nth, fault.by_ns}, *this);
}

void ClientFaults::plan_order(const Strike& strike, ThreadFault what) {
  orders_.push_back(
      {strike.fault, what, &client_of(strike.spec), thread_index(strike.spec.target)});
  environment_.queue.schedule(environment_.queue.now(), *this, 0, orders_.size() - 1);
}

void ClientFaults::cancel(std::size_t fault) {
  for (Client* client : environment_.clients) client->cancel_postponement(fault);
}

void ClientFaults::on_event(std::uint32_t /*code*/, std::uint64_t argument) {
  const Order order = orders_[argument];
  if (order.client->state() == sim::HostState::crashed) return;
  if (order.what == ThreadFault::abandon && !order.client->is_in_call(order.thread)) return;
  listener_.on_struck(order.fault);
  order.client->order(order.what, order.thread);
}

}  // namespace lockstep::model
