// Random traffic under random faults, checked against what TCP promises.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "sim/network.h"
#include "tests/sim/recording_host.h"

namespace lockstep::sim {
namespace {

using testing::RecordingHost;
using testing::World;

/// Three hosts that send numbers to each other; notes the fate of each. Every seventh message is
/// held back.
class Traffic final : public Interceptor {
 public:
  enum class Fate { under_way, handled, dropped };
  struct Sent {
    ConnectionId connection;
    std::size_t from;
    TimeNs at;
    Fate fate;
  };

  explicit Traffic(std::uint64_t seed) {
    world.choices.reset(seed);
    world.network.set_default_latency({microsecond_ns, 50 * microsecond_ns});
    world.network.set_interceptor(this);
    for (std::size_t host = 0; host < world.hosts.size(); ++host) {
      world.hosts[host]->handler = [this, host](const Incoming& in) { incoming(host, in); };
      world.hosts[host]->on_drop = [this](Payload payload) { dropped(payload); };
    }
  }

  SendDecision on_send(const MessageInfo& message) override {
    if (message.message % 7 != 0) return {};
    return {.kind = SendDecision::Kind::hold, .extra_delay_ns = 200 * microsecond_ns};
  }

  void send(std::size_t number) {
    if (connections == 0) return;
    const ConnectionId connection{static_cast<std::uint32_t>(number % connections + 1)};
    const std::size_t from = ends[connection][number / 7 % 2];
    const Payload payload = sent.size();
    sent.push_back({connection, from, world.queue.now(), Fate::under_way});
    if (!world.send(connection, from, payload)) sent.pop_back();
  }

  void connect(std::size_t from, std::size_t to) {
    if (from == to) return;
    ends[world.network.connect(world.ids[from], world.ids[to])] = {from, to};
    ++connections;
  }

  World world;
  std::vector<Sent> sent;
  std::map<ConnectionId, std::array<std::size_t, 2>> ends;
  std::size_t connections = 0;

 private:
  void incoming(std::size_t host, const Incoming& in) {
    const auto key = std::pair(host, in.connection);
    switch (in.kind) {
      case Incoming::Kind::connection_opened:
        RC_ASSERT(told_open.insert(key).second);
        break;
      case Incoming::Kind::connection_closed:
      case Incoming::Kind::connection_refused:
        RC_ASSERT(told_closed.insert(key).second);
        break;
      case Incoming::Kind::message:
        RC_ASSERT(told_open.count(key) == 1U);
        RC_ASSERT(told_closed.count(key) == 0U);
        message(host, in);
        break;
      default:
        RC_FAIL("nothing else was asked for");
    }
  }

  void message(std::size_t host, const Incoming& in) {
    Sent& message = sent.at(in.argument);
    RC_ASSERT(message.fate == Fate::under_way);
    RC_ASSERT(message.connection == in.connection);
    RC_ASSERT(message.from != host);
    RC_ASSERT(world.queue.now() >= message.at + microsecond_ns);
    message.fate = Fate::handled;
    const auto last = last_handled.find({host, in.connection});
    if (last != last_handled.end()) RC_ASSERT(last->second < in.argument);
    last_handled[{host, in.connection}] = in.argument;
  }

  void dropped(Payload payload) {
    RC_ASSERT(sent.at(payload).fate == Fate::under_way);
    sent[payload].fate = Fate::dropped;
  }

  std::set<std::pair<std::size_t, ConnectionId>> told_open;
  std::set<std::pair<std::size_t, ConnectionId>> told_closed;
  std::map<std::pair<std::size_t, ConnectionId>, Payload> last_handled;
};

/// One thing that a test does to the traffic, by numbers.
struct Action {
  DurationNs after_ns;
  int what;
  std::size_t one;
  std::size_t number;
};

void act(Traffic& traffic, const Action& action) {
  Network& network = traffic.world.network;
  const std::size_t other = (action.one + 1 + action.number % 2) % 3;
  const HostId one_id = traffic.world.ids[action.one];
  const HostId other_id = traffic.world.ids[other];
  const ConnectionId connection{static_cast<std::uint32_t>(action.number % 12)};
  RecordingHost& host = *traffic.world.hosts[action.one];
  const auto span_ns = static_cast<DurationNs>(action.number) * microsecond_ns;
  switch (action.what) {
    case 0:
      return network.cut(one_id, other_id);
    case 1:
      return network.heal(one_id, other_id);
    case 2:
      static_cast<void>(host.pause(1 + span_ns));
      return;
    case 3:
      return network.cut_one_way(one_id, other_id);
    case 4:
      return network.heal_one_way(one_id, other_id);
    case 5:
      return network.slow_link(one_id, other_id, span_ns);
    case 6:
      return host.set_slowness(span_ns / 10);
    case 7:
      return network.release_held(action.number);
    case 8:
      return action.number % 2 == 0 ? network.stop_listening(one_id)
                                    : network.resume_listening(one_id);
    case 9:
      return traffic.world.crash(action.one);
    case 10:
      return host.restart();
    case 11:
      return network.reset(connection);
    case 12:
      return network.reset_all(one_id, other_id);
    case 13:
      return network.make_half_open(one_id, other_id);
    case 14: {
      const auto found = traffic.ends.find(connection);
      if (found == traffic.ends.end()) return;
      return network.close(connection, traffic.world.ids[found->second[action.number % 2]]);
    }
    case 15:
    case 16:
      return traffic.connect(action.one, other);
    default:
      return traffic.send(action.number);
  }
}

constexpr int lossless_end = 9;  // what loses nothing that was sent is below
constexpr int faults_end = 15;

std::vector<Action> any_actions(int end) {
  const auto what = rc::gen::weightedOneOf<int>(
      {{3, rc::gen::inRange(0, end)}, {1, rc::gen::inRange(15, 17)}, {5, rc::gen::just(17)}});
  return *rc::gen::container<std::vector<Action>>(rc::gen::construct<Action>(
      rc::gen::inRange<DurationNs>(0, 30 * microsecond_ns), what,
      rc::gen::inRange<std::size_t>(0, 3), rc::gen::inRange<std::size_t>(0, 100)));
}

/// Does everything, then heals, restarts and resumes, and runs to the end.
void run(Traffic& traffic, const std::vector<Action>& actions) {
  TimeNs at = 0;
  for (const Action& action : actions) {
    at += action.after_ns;
    traffic.world.at(at, [&traffic, action] { act(traffic, action); });
  }
  traffic.world.run_all();
  Network& network = traffic.world.network;
  for (std::size_t one = 0; one < 3; ++one) {
    for (std::size_t other = 0; other < 3; ++other) {
      if (one == other) continue;
      const HostId from = traffic.world.ids[one];
      const HostId to = traffic.world.ids[other];
      while (network.is_cut(from, to)) network.heal_one_way(from, to);
    }
    traffic.world.hosts[one]->restart();
    traffic.world.hosts[one]->resume();
  }
  traffic.world.run_all();
}

RC_GTEST_PROP(NetworkProperty, EveryPayloadIsHandledInOrderOrGivenBackOnce, (std::uint64_t seed)) {
  Traffic traffic(seed);
  run(traffic, any_actions(faults_end));
  for (const Traffic::Sent& message : traffic.sent) {
    RC_ASSERT(message.fate != Traffic::Fate::under_way);
  }
}

RC_GTEST_PROP(NetworkProperty, WhatOnlyHoldsUpLosesNothing, (std::uint64_t seed)) {
  Traffic traffic(seed);
  run(traffic, any_actions(lossless_end));
  for (const Traffic::Sent& message : traffic.sent) {
    RC_ASSERT(message.fate == Traffic::Fate::handled);
  }
}

RC_GTEST_PROP(NetworkProperty, NothingCrossesACut, (std::uint64_t seed)) {
  Traffic traffic(seed);
  run(traffic, any_actions(faults_end));
  // From the trace: between "network-cut" and "network-healed" nothing is delivered between the
  // two, between "direction-cut" and "direction-healed" nothing from the one to the other.
  std::set<std::pair<std::string, std::string>> cuts;
  std::map<std::string, std::string> sender;  // by "message=…"
  for (const std::string& line : traffic.world.sink.lines()) {
    std::vector<std::string> words;
    for (std::size_t from = 0; from < line.size();) {
      const std::size_t end = std::min(line.find(' ', from), line.size());
      words.push_back(line.substr(from, end - from));
      from = end + 1;
    }
    if (words[2] == "network-cut" || words[2] == "network-healed") {
      const std::string one = words[3].substr(4);
      const std::string other = words[4].substr(6);
      for (const auto& pair : {std::pair(one, other), std::pair(other, one)}) {
        if (words[2] == "network-cut") {
          cuts.insert(pair);
        } else {
          cuts.erase(pair);
        }
      }
    } else if (words[2] == "direction-cut") {
      RC_ASSERT(cuts.emplace(words[3].substr(5), words[4].substr(3)).second);
    } else if (words[2] == "direction-healed") {
      RC_ASSERT(cuts.erase({words[3].substr(5), words[4].substr(3)}) == 1U);
    } else if (words[2] == "message-sent") {
      sender[words[3]] = words[1];
    } else if (words[2] == "message-delivered") {
      RC_ASSERT(cuts.count({sender.at(words[3]), words[1]}) == 0U);
    }
  }
}

RC_GTEST_PROP(NetworkProperty, TheSameActionsAndChoicesGiveTheSameTrace, (std::uint64_t seed)) {
  const std::vector<Action> actions = any_actions(faults_end);
  Traffic one(seed);
  run(one, actions);
  Traffic other(seed);
  run(other, actions);
  RC_ASSERT(one.world.sink.lines() == other.world.sink.lines());
  RC_ASSERT(one.world.trace.hash() == other.world.trace.hash());
}

}  // namespace
}  // namespace lockstep::sim
