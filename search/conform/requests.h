// What a client sent to the servers, in a form in which a client model and the real library that it
// stands for can be compared.
//
// Tokens become a symbol, a command's options lose their order, a script is its name (the real
// one's is found by the commands that it calls), and how a script came to be known (EVAL, EVALSHA,
// SCRIPT LOAD) does not count; nor do handshakes. What is asked again and again, as a waiter does,
// is one request with a count, also where each attempt gives back what it was given. Each server's
// requests are compared by themselves, for those of a quorum go out at once. Not covered: requests
// that no server has executed, and what a script is given besides the lock's name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorded_trace.h"
#include "sim/time.h"

namespace lockstep::search {

/// A request that a server has executed, of whatever source.
struct ExecutedRequest {
  std::string server;
  sim::TimeNs at_ns{};
  std::string label;  ///< of a command its name in lower case; of a script what the lock calls it
  bool is_script = false;
  std::vector<std::string> arguments;
};

struct SentRequest {
  std::string text;  ///< "set orders <token> NX PX 10000"
  std::uint64_t count = 1;
  sim::TimeNs first_at_ns{};
  sim::TimeNs last_at_ns{};
  bool is_poll = false;  ///< attempts that were given back at once
};

/// By server. Each list is in the order in which the server executed it.
using SentRequests = std::map<std::string, std::vector<SentRequest>>;

/// Of the client's threads, in the order in which servers executed them.
[[nodiscard]] std::vector<ExecutedRequest> executed_in(const model::RecordedTrace& trace,
                                                       std::string_view client);

[[nodiscard]] SentRequests fold(const std::vector<ExecutedRequest>& executed,
                                std::string_view lock_name);

/// The first request of a server in which two clients differ.
struct RequestDifference {
  std::string server;
  std::size_t number = 0;  ///< of the request, from 1
  std::optional<SentRequest> model;
  std::optional<SentRequest> real;
};

/// How often a waiter asks may differ by half, for the libraries' polls and jitters are their own.
/// `equal` is raised by the requests that are the same, up to the difference.
[[nodiscard]] std::optional<RequestDifference> first_difference(const SentRequests& model,
                                                                const SentRequests& real,
                                                                std::uint64_t& equal);

/// When the client was granted the lock, in order.
[[nodiscard]] std::vector<sim::TimeNs> grants_of(const model::RecordedTrace& trace,
                                                 std::string_view client);

}  // namespace lockstep::search
