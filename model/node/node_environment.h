// What a Redis node shares with the rest of the simulation.
#pragma once

#include <vector>

namespace lockstep::redis {
class ScriptEngine;
}  // namespace lockstep::redis

namespace lockstep::sim {
class EventQueue;
class Network;
class Trace;
}  // namespace lockstep::sim

namespace lockstep::model {

class MessagePool;
class NodeListener;
class Recorder;
class RedisNode;
class RoleListener;

/// Does not own; all outlive the node.
struct NodeEnvironment {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sim::Network& network;
  MessagePool& messages;
  Recorder& recorder;
  redis::ScriptEngine& scripts;
  NodeListener& listener;
  RoleListener& roles;
  const std::vector<RedisNode*>& nodes;  ///< all of the cluster
};

}  // namespace lockstep::model
