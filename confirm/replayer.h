// Replays the events of a run on real servers and compares their output.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>

#include "confirm/confirmation.h"
#include "confirm/real_node.h"
#include "confirm/stream_link.h"
#include "redis/server/node_event.h"

namespace lockstep::confirm {

class Replayer {
 public:
  Replayer(std::span<const sim::Actor> actors, const Settings& settings, const RealProgram& program)
      : actors_(actors), settings_(settings), program_(program) {}

  /// Replays one event. False if the real servers differ: confirmation() has the difference, and
  /// nothing more can be replayed.
  [[nodiscard]] bool play(const redis::NodeEvent& event);
  /// Checks once more for unexpected output. REQUIRES: everything was replayed.
  void finish();
  [[nodiscard]] const Confirmation& confirmation() const { return confirmation_; }

 private:
  void play(const redis::node_event::ProcessStarted& started);
  void play(const redis::node_event::ProcessKilled& killed);
  void play(const redis::node_event::DataSaved& saved);
  void play(const redis::node_event::SessionOpened& opened);
  void play(const redis::node_event::SessionClosed& closed);
  void play(const redis::node_event::CommandSent& sent);
  void play(const redis::node_event::CommandReplied& replied);
  void play(const redis::node_event::CommandBlocked& blocked);
  void play(const redis::node_event::WaitTimedOut& timed_out);
  void play(const redis::node_event::Unblocked& unblocked);
  void play(const redis::node_event::MessagePushed& pushed);
  void play(const redis::node_event::WritesPaused& paused);
  void play(const redis::node_event::Promoted& promoted);
  void play(const redis::node_event::Following& following);
  void play(const redis::node_event::PsyncRequested& wanted);
  void play(const redis::node_event::StreamWritten& written);
  void play(const redis::node_event::StreamApplied& applied);
  void play(const redis::node_event::SnapshotLoaded& loaded);
  void play(const redis::node_event::LinkClosed& closed);
  void play(const redis::node_event::Acknowledged& acknowledged);

  void compare_reply(RealNode::Client& client, const redis::Reply& simulated);
  void compare_streams();
  void expect_silence();
  void expect_saved(const redis::NodeEvent& next);
  void differ(std::string what, std::string simulated, std::string real);
  [[nodiscard]] RealNode& node();
  [[nodiscard]] StreamLink& link();
  [[nodiscard]] const std::string& name_of(sim::ActorId actor) const;

  std::span<const sim::Actor> actors_;
  const Settings& settings_;
  const RealProgram& program_;
  std::map<sim::ActorId, std::unique_ptr<RealNode>> nodes_;
  std::deque<StreamLink> links_;                    // all of the run: some outlive their master
  std::map<sim::ActorId, StreamLink*> of_replica_;  // the one it has, or will have
  std::set<sim::ActorId> saving_;                   // nodes whose data should be on their disks
  const redis::NodeEvent* event_ = nullptr;         // that is played
  Confirmation confirmation_;
};

}  // namespace lockstep::confirm
