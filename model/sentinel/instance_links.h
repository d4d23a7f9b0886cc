// The connections of a sentinel to the processes that it watches: opening, sending, losing.
//
// A request that is sent while its connection is being opened waits for that, as in a client
// library. Invariant: a channel without a connection expects nothing and keeps nothing unsent.
#pragma once

#include <initializer_list>
#include <string_view>

#include "model/messages.h"
#include "model/sentinel/instance.h"
#include "sim/network.h"

namespace lockstep::model {

class InstanceLinks {
 public:
  InstanceLinks(sim::Network& network, MessagePool& messages)
      : network_(network), messages_(messages) {}

  void set_host_id(sim::HostId id) { id_ = id; }
  void start_run() { last_number_ = 0; }

  void open(const Instance& instance, InstanceConnection& channel, std::int64_t now_ms);
  void on_opened(InstanceConnection& channel);
  /// Closes it from this end.
  void close(InstanceConnection& channel);
  /// It was closed, or the process died: forgets the requests under way.
  void lose(InstanceConnection& channel);
  void send(InstanceConnection& channel, SentinelRequest request, std::string_view label,
            std::initializer_list<std::string_view> words);

 private:
  void hand_over(const InstanceConnection& channel, sim::Payload payload);

  sim::Network& network_;
  MessagePool& messages_;
  sim::HostId id_{};
  std::uint64_t last_number_ = 0;
};

}  // namespace lockstep::model
