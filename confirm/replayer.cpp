#include "confirm/replayer.h"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "confirm/reply_equivalence.h"
#include "confirm/request_text.h"
#include "redis/protocol/resp.h"
#include "redis/server/node_event.h"

namespace lockstep::confirm {

using namespace redis::node_event;

namespace {

constexpr std::string_view nothing = "nothing";

std::string whose_command(std::string_view by, const CommandSent& sent) {
  std::string text;
  if (!by.empty()) {
    text += by;
    text += "'s ";
  }
  text += sent.label;
  text += ": ";
  text += describe_request(sent.words);
  return text;
}

}  // namespace

bool Replayer::play(const redis::NodeEvent& event) {
  event_ = &event;
  expect_saved(event);
  const auto known = nodes_.find(event.node);
  if (known != nodes_.end()) known->second->set_wall_us(event.wall_us);
  if (confirmation_.difference) return false;
  try {
    std::visit([this](const auto& what) { play(what); }, event.what);
  } catch (const RedisUnusable&) {
    throw;
  } catch (const CannotConfirm&) {
    throw;
  } catch (const std::runtime_error& error) {
    differ("what the real server did", "went on", error.what());
  }
  return !confirmation_.difference;
}

void Replayer::finish() {
  if (event_ == nullptr || confirmation_.difference) return;
  for (const auto& [actor, each] : nodes_) {
    for (const auto& [session, client] : each->clients()) {
      confirmation_.unanswered += static_cast<std::uint64_t>(client.is_blocked);
    }
  }
  redis::NodeEvent last = *event_;
  event_ = &last;
  for (const auto& [actor, each] : nodes_) {
    last.node = actor;
    expect_silence();
  }
  event_ = nullptr;
}

// -- the process --

void Replayer::play(const ProcessStarted& started) {
  auto& node = nodes_[event_->node];
  if (node == nullptr) {
    node = std::make_unique<RealNode>(name_of(event_->node), event_->wall_us, settings_, program_);
    confirmation_.server = node->version();
    confirmation_.redis_version = node->version().substr(node->version().find(' ') + 1);
    ++confirmation_.servers;
    if (started.role == redis::Role::replica) node->follow();
  } else {
    node->restart(started.role);
    ++confirmation_.restarts;
  }
}

void Replayer::play(const ProcessKilled& killed) {
  expect_silence();
  for (const auto& [session, client] : node().clients()) {
    confirmation_.unanswered += static_cast<std::uint64_t>(client.is_blocked);
  }
  if (killed.how == ProcessKilled::How::power_lost && node().has_unsynced_data()) {
    throw CannotConfirm(
        "a power failure takes with it what the disk has not stored yet: that cannot be done to a "
        "real server (" +
        node().name() + ")");
  }
  node().stop(killed.how == ProcessKilled::How::exited_cleanly ? Stop::terminate : Stop::kill);
}

void Replayer::play(const DataSaved& /*saved*/) { saving_.insert(event_->node); }

/// A real server saves in the background: before its clock moves on, it must have done so. One that
/// ends well saves while it does.
void Replayer::expect_saved(const redis::NodeEvent& next) {
  if (saving_.erase(next.node) == 0) return;
  const auto* killed = std::get_if<ProcessKilled>(&next.what);
  if (killed != nullptr && killed->how == ProcessKilled::How::exited_cleanly) return;
  if (!node().wait_until_saved()) differ("the snapshot on its disk", "saved now", "not saved");
}

// -- clients --

void Replayer::play(const SessionOpened& opened) { node().open(opened.session); }

void Replayer::play(const SessionClosed& closed) {
  expect_silence();
  confirmation_.unanswered += static_cast<std::uint64_t>(node().client(closed.session).is_blocked);
  node().close(closed.session);
}

void Replayer::play(const CommandSent& sent) {
  expect_silence();
  RealNode::Client& client = node().client(sent.session);
  client.words = sent.words;
  client.description =
      whose_command(sent.by == sim::no_actor ? std::string_view() : name_of(sent.by), sent);
  const std::vector<std::string_view> words(sent.words.begin(), sent.words.end());
  client.connection->send(words);
  ++confirmation_.commands;
}

void Replayer::play(const CommandReplied& replied) {
  RealNode::Client& client = node().client(replied.session);
  compare_reply(client, replied.reply);
  node().settle();
  compare_streams();
}

void Replayer::play(const CommandBlocked& blocked) {
  RealNode::Client& client = node().client(blocked.session);
  client.is_blocked = true;
  node().settle();
  node().settle();  // WAIT asks replicas to acknowledge only after the server has seen to others
  if (const auto reply = client.connection->take_reply()) {
    differ("the reply to " + client.description, "none yet: the client is blocked",
           redis::describe(*reply));
  }
  compare_streams();
}

void Replayer::play(const WaitTimedOut& /*timed_out*/) {}  // Unblocked follows

// A time-out has come when the clock shows more than the moment that Redis computed for it.
void Replayer::play(const Unblocked& unblocked) {
  RealNode::Client& client = node().client(unblocked.session);
  client.is_blocked = false;
  node().set_wall_us(event_->wall_us + 1'000);
  compare_reply(client, unblocked.reply);
  node().set_wall_us(event_->wall_us);
}

void Replayer::play(const MessagePushed& pushed) {
  RealNode::Client& client = node().client(pushed.session);
  const redis::Reply real = client.connection->read_reply();
  if (real == pushed.message) {
    ++confirmation_.messages;
    return;
  }
  differ("a message to the client that last sent " + client.description,
         redis::describe(pushed.message), redis::describe(real));
}

void Replayer::compare_reply(RealNode::Client& client, const redis::Reply& simulated) {
  const redis::Reply real = client.connection->read_reply();
  if (!is_comparable(client.words)) {
    ++confirmation_.not_compared;
  } else if (are_equivalent_replies(client.words, simulated, real)) {
    ++confirmation_.equal_replies;
  } else {
    differ("the reply to " + client.description, redis::describe(simulated), redis::describe(real));
  }
}

/// Nobody has anything to read: all messages that the simulated clients got were read already.
void Replayer::expect_silence() {
  for (auto& [session, client] : node().clients()) {
    if (client.is_blocked || client.link != nullptr) continue;
    if (const auto message = client.connection->take_reply()) {
      differ("a message to the client that last sent " + client.description, std::string(nothing),
             redis::describe(*message));
      return;
    }
  }
}

// -- replication --

void Replayer::play(const WritesPaused& /*paused*/) { node().pause_writes(); }

void Replayer::play(const Promoted& /*promoted*/) {
  node().promote();
  ++confirmation_.promotions;
}

void Replayer::play(const Following& /*following*/) { node().follow(); }

void Replayer::play(const PsyncRequested& wanted) {
  RealNode& replica = *nodes_.at(wanted.replica);
  const RealNode::PsyncReply answer = node().send_psync(wanted.session, replica.wait_for_psync());
  const bool is_continued = wanted.answer == PsyncRequested::Answer::continued;
  if (answer.is_continued != is_continued) {
    constexpr std::string_view partial = "the part of the stream that it lacks";
    constexpr std::string_view full = "a snapshot of all data";
    differ("the answer to " + replica.name() + ", which asked for the stream",
           std::string(is_continued ? partial : full),
           std::string(answer.is_continued ? partial : full));
    return;
  }
  const auto missing = static_cast<std::int64_t>(wanted.bytes.size());
  StreamLink& link = links_.emplace_back(answer.bytes, answer.offset, wanted.offset - missing);
  link.receive(answer.stream);
  link.expect(wanted.bytes);
  node().client(wanted.session).link = &link;
  of_replica_[wanted.replica] = &link;
  node().settle();
  compare_streams();
  ++confirmation_.synchronisations;
}

void Replayer::play(const StreamWritten& written) {
  for (auto& [session, client] : node().clients()) {
    if (client.link != nullptr) client.link->expect(written.bytes);
  }
}

void Replayer::play(const StreamApplied& applied) {
  const std::string bytes = link().hand_over(applied.bytes);
  node().give(bytes, link().handed_over_offset());
}

void Replayer::play(const SnapshotLoaded& /*loaded*/) {
  node().give(link().hand_over({}), link().handed_over_offset());
}

void Replayer::play(const LinkClosed& /*closed*/) { node().close_link(); }

void Replayer::play(const Acknowledged& acknowledged) {
  RealNode::Client& client = node().client(acknowledged.session);
  std::optional<std::int64_t> synced;
  if (acknowledged.synced >= 0) synced = client.link->real_offset_of(acknowledged.synced);
  client.acknowledge(client.link->acknowledge(acknowledged.offset), synced);
  node().settle();
}

void Replayer::compare_streams() {
  for (auto& [session, client] : node().clients()) {
    if (client.link == nullptr) continue;
    const std::uint64_t before = client.link->equal_requests();
    if (const auto mismatch = client.link->compare()) {
      differ("the replication stream",
             mismatch->simulated.empty() ? std::string(nothing) : mismatch->simulated,
             mismatch->real.empty() ? std::string(nothing) : mismatch->real);
      return;
    }
    confirmation_.stream_requests += client.link->equal_requests() - before;
    if (const auto offset = client.link->acknowledge_housekeeping()) client.acknowledge(*offset);
  }
}

void Replayer::differ(std::string what, std::string simulated, std::string real) {
  if (confirmation_.difference) return;
  confirmation_.difference = {event_->trace_event, event_->at_ns,        name_of(event_->node),
                              std::move(what),     std::move(simulated), std::move(real)};
}

RealNode& Replayer::node() {
  const auto found = nodes_.find(event_->node);
  assert(found != nodes_.end() && "a node whose process never started");
  return *found->second;
}

StreamLink& Replayer::link() {
  const auto found = of_replica_.find(event_->node);
  assert(found != of_replica_.end() && "a replica that never asked for a stream");
  return *found->second;
}

const std::string& Replayer::name_of(sim::ActorId actor) const {
  return actors_[static_cast<std::uint32_t>(actor)].name;
}

Confirmation confirm(std::span<const sim::Actor> actors, std::span<const redis::NodeEvent> events,
                     const Settings& settings, bool (*interrupted)(), const RealProgram& program) {
  for (const auto& [name, value] : settings) {
    if (name != "min-replicas-to-write" || value == "0") continue;
    throw CannotConfirm(
        "a real server counts its good replicas once in a second of its own, whatever its clock "
        "shows: min-replicas-to-write cannot be compared");
  }
  const bool has_sentinels = std::any_of(actors.begin(), actors.end(), [](const sim::Actor& actor) {
    return actor.kind == "sentinel";
  });
  if (has_sentinels) {
    throw CannotConfirm(
        "sentinels tell nodes whom to follow by names that a real server does not know: a run with "
        "sentinels cannot be compared");
  }
  Replayer player(actors, settings, program);
  for (const redis::NodeEvent& event : events) {
    if (interrupted != nullptr && interrupted()) {
      Confirmation confirmation = player.confirmation();
      confirmation.interrupted = true;
      return confirmation;
    }
    if (!player.play(event)) return player.confirmation();
  }
  player.finish();
  return player.confirmation();
}

}  // namespace lockstep::confirm
