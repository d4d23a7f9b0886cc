// The requests that a client sent in a run, in a form in which a client model and the real library
// that it stands for can be compared.
//
// Tokens become a symbol, a command's options lose their order, a script is its name (the real
// one's is found by the commands that it calls), and how a script came to be known (EVAL, EVALSHA,
// SCRIPT LOAD) does not count; nor do handshakes. A request that a waiter repeats
// is one request with a count. Not covered: requests that no server has executed, and a
// script's arguments besides the lock's name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorded_trace.h"
#include "sim/time.h"

namespace lockstep::search {

struct SentRequest {
  std::string text;  ///< "set orders <token> NX PX 10000"
  std::uint64_t count = 1;
  sim::TimeNs first_at_ns = 0;
};

/// Of the client's threads, in the order in which servers executed them.
[[nodiscard]] std::vector<SentRequest> requests_of(const model::RecordedTrace& trace,
                                                   std::string_view client,
                                                   std::string_view lock_name);

/// When the client was granted the lock, in order.
[[nodiscard]] std::vector<sim::TimeNs> grants_of(const model::RecordedTrace& trace,
                                                 std::string_view client);

}  // namespace lockstep::search
