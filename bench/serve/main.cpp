// lockstep_serve_bench [SECONDS]: how fast `lockstep serve` answers a lock library, beside a real
// redis-server on the same machine.
//
// Both run at once; the load goes to one and the other in turn, a second at a time, so that what
// else the machine does meets both. Load: the scripts of scripts/plain by EVALSHA over TCP, 16
// requests in flight on each connection, on 1 and on 8 connections. Prints the rates (medians) and
// their ratio (the median of the turns' ratios).
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "bench/serve/lock_client.h"
#include "bench/serve/server_process.h"

namespace lockstep::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using Clients = std::vector<std::unique_ptr<LockClient>>;

constexpr std::size_t in_flight = 16;
constexpr Seconds turn{1.0};

Clients clients_of(const ServerProcess& server, std::size_t count) {
  Clients clients;
  for (std::size_t i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<LockClient>(server.port(), i, in_flight));
  }
  return clients;
}

/// Evaluations per second in one turn.
double load(const Clients& clients) {
  std::vector<pollfd> sockets;
  for (const auto& client : clients) {
    client->begin();
    sockets.push_back({client->socket(), POLLIN, 0});
  }
  const auto begin = Clock::now();
  std::size_t replies = 0;
  Seconds elapsed{};
  while (elapsed < turn) {
    if (poll(sockets.data(), sockets.size(), 10'000) <= 0) throw std::runtime_error("no replies");
    for (std::size_t i = 0; i < sockets.size(); ++i) {
      if (sockets[i].revents != 0) replies += clients[i]->take_replies();
    }
    elapsed = Clock::now() - begin;
  }
  for (const auto& client : clients) client->end();
  return static_cast<double>(replies) / elapsed.count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The replies with the lease that is left (ms, five digits) made one.
std::string without_time(const std::string& replies) {
  return std::regex_replace(replies, std::regex("[0-9]{5}"), "time");
}

void compare(const ServerProcess& ours, const ServerProcess& real, std::size_t connections,
             int turns) {
  const Clients our_clients = clients_of(ours, connections);
  const Clients real_clients = clients_of(real, connections);
  const std::string our_answers = without_time(our_clients[0]->round());
  const std::string real_answers = without_time(real_clients[0]->round());
  if (our_answers != real_answers) {
    throw std::runtime_error("the servers answer differently: " + our_answers + real_answers);
  }
  std::vector<double> our_rates;
  std::vector<double> real_rates;
  std::vector<double> ratios;
  for (int i = 0; i < turns; ++i) {
    our_rates.push_back(load(our_clients));
    real_rates.push_back(load(real_clients));
    ratios.push_back(our_rates.back() / real_rates.back());
  }
  fmt::print("{:2} connection{}: {} {:7.0f}/s, {} {:7.0f}/s, ratio {:.2f}\n", connections,
             connections == 1 ? " " : "s", ours.name(), median(our_rates), real.name(),
             median(real_rates), median(ratios));
}

int run(int turns) {
  const std::uint16_t our_port = free_port();
  const ServerProcess ours(
      "lockstep serve", {LOCKSTEP_BINARY, "serve", "--port", std::to_string(our_port)}, our_port);
  const std::uint16_t real_port = free_port();
  const ServerProcess real("redis-server",
                           {"redis-server", "--port", std::to_string(real_port), "--save", "",
                            "--appendonly", "no", "--bind", "127.0.0.1"},
                           real_port);
  for (const std::size_t connections : {std::size_t{1}, std::size_t{8}}) {
    compare(ours, real, connections, turns);
  }
  return 0;
}

}  // namespace
}  // namespace lockstep::bench

int main(int count, char** words) {
  try {
    const int seconds = count > 1 ? std::stoi(words[1]) : 20;
    return lockstep::bench::run(std::max(1, seconds / 4));  // two servers, two loads
  } catch (const std::exception& error) {
    fmt::print(stderr, "serve_bench: {}\n", error.what());
    return 1;
  }
}
