#include "model/client/sentinel_discovery.h"

#include "model/client/client_process.h"
#include "model/sentinel/hello.h"
#include "model/trace_vocabulary.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

constexpr sim::DurationNs timeout_ns = sim::second_ns;
constexpr sim::DurationNs again_after_ns = 500 * sim::millisecond_ns;
constexpr std::string_view switch_event = "+switch-master";

enum TimerOf : std::uint32_t { question_timeout, asking_again, hearing };

/// The fourth word of "mymaster n1 6379 n1-replica-1 6379".
std::string_view new_master_in(std::string_view text) {
  for (int i = 0; i < 3; ++i) {
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos) return {};
    text.remove_prefix(blank + 1);
  }
  return text.substr(0, text.find(' '));
}

}  // namespace

void SentinelDiscovery::start_run() {
  forget_all();
  master_ = process_.environment.topology.master_of(0);
  listen();
}

void SentinelDiscovery::forget_all() {
  master_.reset();
  question_.reset();
  next_asked_ = 0;
  unanswered_queries_ = 0;
  ask_again_ = {};
  event_subscription_ = {};
  next_subscribed_ = 0;
}

// -- asking --

void SentinelDiscovery::on_node_failure(std::size_t /*shard*/, sim::HostId node) {
  if (node == master_) ask();
}

void SentinelDiscovery::ask() {
  if (question_) return;
  process_.host.cancel_timer(ask_again_);
  send_question(Question::What::address, sentinel(next_asked_));
}

void SentinelDiscovery::send_question(Question::What what, sim::HostId host) {
  const sim::TimerId timeout = process_.start_timer(timeout_ns, TimerUse::discovery,
                                                    question_timeout, sim::EventKind::daemon);
  question_ =
      Question{what, host, process_.environment.network.connect(process_.id, host), timeout};
}

void SentinelDiscovery::end_question() {
  process_.host.cancel_timer(question_->timeout);
  process_.environment.network.close(question_->connection, process_.id);
  question_.reset();
}

/// The next sentinel is asked, but after a while where none answers.
void SentinelDiscovery::unanswered() {
  const bool was_a_sentinel = question_->what == Question::What::address;
  end_question();
  if (!was_a_sentinel) return ask_later();
  ++next_asked_;
  if (++unanswered_queries_ % process_.environment.sentinels.size() == 0) return ask_later();
  ask();
}

void SentinelDiscovery::ask_later() {
  process_.host.cancel_timer(ask_again_);
  ask_again_ = process_.start_timer(again_after_ns, TimerUse::discovery, asking_again,
                                    sim::EventKind::daemon);
}

void SentinelDiscovery::on_answer(const redis::Reply& reply) {
  const Question asked = *question_;
  const auto& elements = reply.elements;
  if (elements.empty()) return unanswered();
  if (asked.what == Question::What::role) {
    if (elements[0].text != "master") return unanswered();
    end_question();
    return learn(asked.host, told_by_);
  }
  const auto address = process_.environment.network.find_host(elements[0].text);
  if (!address) return unanswered();
  end_question();
  unanswered_queries_ = 0;
  told_by_ = asked.host;
  if (address != master_) send_question(Question::What::role, *address);
}

void SentinelDiscovery::learn(sim::HostId master, sim::HostId from) {
  if (master_ == master) return;
  master_ = master;
  sim::Network& network = process_.environment.network;
  process_.environment.trace.emit(
      process_.now(), trace_kind::master_learnt, process_.host.actor(),
      {{"master", network.host(master).name()}, {"from", network.host(from).name()}});
  listener_.on_new_master(0);
}

// -- listening --

void SentinelDiscovery::listen() {
  event_subscription_.is_confirmed = false;
  event_subscription_.connection =
      process_.environment.network.connect(process_.id, sentinel(next_subscribed_));
  event_subscription_.timer =
      process_.start_timer(timeout_ns, TimerUse::discovery, hearing, sim::EventKind::daemon);
}

/// A switch may have been missed meanwhile.
void SentinelDiscovery::listen_to_next() {
  ++next_subscribed_;
  listen();
  ask();
}

void SentinelDiscovery::on_event(const redis::Reply& event) {
  const auto& elements = event.elements;
  if (elements.size() != 3) return;
  if (elements[0].text == "subscribe") {
    event_subscription_.is_confirmed = true;
    return process_.host.cancel_timer(event_subscription_.timer);
  }
  if (elements[0].text != "message" || elements[1].text != switch_event) return;
  const auto master = process_.environment.network.find_host(new_master_in(elements[2].text));
  if (master) learn(*master, sentinel(next_subscribed_));
}

// -- what reaches it --

bool SentinelDiscovery::on_opened(sim::ConnectionId connection) {
  if (event_subscription_.connection == connection) {
    send_request(process_, connection, "subscribe", {"SUBSCRIBE", switch_event});
    return true;
  }
  if (!question_ || question_->connection != connection) return false;
  if (question_->what == Question::What::role) {
    send_request(process_, connection, "role", {"ROLE"});
  } else {
    send_request(process_, connection, "get-master-addr-by-name",
                 {"SENTINEL", "get-master-addr-by-name", master_name});
  }
  return true;
}

bool SentinelDiscovery::on_closed(sim::ConnectionId connection) {
  if (event_subscription_.connection == connection) {
    event_subscription_.connection.reset();
    process_.host.cancel_timer(event_subscription_.timer);
    event_subscription_.timer =
        process_.start_timer(again_after_ns, TimerUse::discovery, hearing, sim::EventKind::daemon);
    return true;
  }
  if (!question_ || question_->connection != connection) return false;
  unanswered();
  return true;
}

bool SentinelDiscovery::on_message(sim::ConnectionId connection, sim::Payload payload) {
  const bool is_heard = event_subscription_.connection == connection;
  const bool is_answer = question_ && question_->connection == connection;
  if (!is_heard && !is_answer) return false;
  const redis::Reply& reply = process_.environment.messages[payload].reply;
  if (is_heard) {
    on_event(reply);
  } else {
    on_answer(reply);
  }
  process_.environment.messages.release(payload);
  return true;
}

void SentinelDiscovery::on_timer(std::uint32_t whose) {
  if (whose == question_timeout) return unanswered();
  if (whose == asking_again) return ask();
  if (event_subscription_.connection)
    process_.environment.network.close(*event_subscription_.connection, process_.id);
  listen_to_next();
}

// -- small steps --

sim::HostId SentinelDiscovery::sentinel(std::size_t number) const {
  const auto& sentinels = process_.environment.sentinels;
  return sentinels[number % sentinels.size()];
}

}  // namespace lockstep::model
