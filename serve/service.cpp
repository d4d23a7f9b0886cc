#include "serve/service.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <limits>

#include "serve/start_error.h"

namespace lockstep::serve {
namespace {

constexpr std::int64_t tick_ms = 100;
constexpr std::int64_t ticks_per_acknowledgement = 10;
/// How long a stepped clock's step may go unnoticed while a client waits for it.
constexpr std::int64_t stepped_clock_poll_ms = 5;
constexpr std::int64_t farewell_ms = 1'000;

/// Thousands of clients need more open files than a shell allows as a rule.
void allow_open_files(const Limits& limits, std::size_t nodes) {
  constexpr rlim_t own_files = 64;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  const rlim_t wanted = std::min(limit.rlim_max, limits.clients_max * nodes + own_files);
  if (limit.rlim_cur >= wanted) return;
  limit.rlim_cur = wanted;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

Service::Service(const ServiceOptions& options) : options_(options) {
  if (!options_.clock_path.empty()) clock_.read_from(options_.clock_path);
  allow_open_files(options_.limits, std::size_t{options_.replicas} + 1);
  for (std::size_t i = 0; i <= options_.replicas; ++i) {
    Scripting& scripting = *scripting_.emplace_back(std::make_unique<Scripting>());
    nodes_.push_back(std::make_unique<Node>(scripting.engine, loop_, clock_, options_.limits,
                                            options_.version, replication_));
    scripting.engine.set_instruction_limit(0);
    scripting.engine.set_watchdog(
        &scripting.watch.emplace(*nodes_.back(), nodes_, loop_, signals_));
    replication_.add(*nodes_.back());
    listen(i);
  }
  const std::string master_port = std::to_string(nodes_[0]->port());
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const bool has_port = options_.port.has_value();
    nodes_[i]->execute(
        {"REPLICAOF", has_port ? options_.address : options_.unix_path, master_port});
  }
  replication_.deliver();
}

void Service::listen(std::size_t index) {
  Node& node = *nodes_[index];
  if (options_.port) {
    const std::size_t port = *options_.port == 0 ? 0 : *options_.port + index;
    if (port > std::numeric_limits<std::uint16_t>::max()) {
      throw StartError(fmt::format("there is no port {} for replica {}", port, index));
    }
    node.listen(ListeningSocket::tcp(options_.address, static_cast<std::uint16_t>(port)));
  }
  if (options_.unix_path.empty()) return;
  node.listen(ListeningSocket::unix_socket(
      index == 0 ? options_.unix_path : fmt::format("{}.{}", options_.unix_path, index)));
}

std::string Service::where() const {
  std::string text = "listening on ";
  if (options_.port) text += host_and_port(options_.address, nodes_[0]->port());
  if (options_.port && !options_.unix_path.empty()) text += " and ";
  text += options_.unix_path;
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    text += i == 1 ? ", replicas on " : " ";
    text += options_.port ? std::to_string(nodes_[i]->port()) : std::string(nodes_[i]->path());
  }
  return text;
}

void Service::run() {
  const auto is_shutdown_requested = [](const auto& node) { return node->is_shutdown_requested(); };
  while (!signals_.came() && std::none_of(nodes_.begin(), nodes_.end(), is_shutdown_requested)) {
    loop_.wait(poll_timeout_ms());
    serve_round();
    if (monotonic_ms() >= next_tick_ms_) tick();
  }
  finish();
}

void Service::serve_round() {
  bool has_more = true;
  while (has_more) {
    has_more = replication_.deliver();
    for (const auto& node : nodes_) has_more |= node->resume();
  }
  for (const auto& node : nodes_) node->finish_round();
}

void Service::tick() {
  next_tick_ms_ = monotonic_ms() + tick_ms;
  for (const auto& node : nodes_) node->tick();
  if (++ticks_ % ticks_per_acknowledgement == 0) replication_.acknowledge();
  serve_round();
}

int Service::poll_timeout_ms() const {
  std::int64_t wait_ms = next_tick_ms_ - monotonic_ms();
  for (const auto& node : nodes_) {
    if (node->has_unblocked()) return 0;
    const std::optional<std::int64_t> deadline_ms = node->next_deadline_ms();
    if (!deadline_ms) continue;
    const std::int64_t left_ms =
        clock_.is_stepped() ? stepped_clock_poll_ms : *deadline_ms - clock_.now_ms();
    wait_ms = std::min(wait_ms, left_ms);
  }
  return static_cast<int>(std::clamp<std::int64_t>(wait_ms, 0, tick_ms));
}

void Service::finish() {
  for (const auto& node : nodes_)
    node->server_now().shut_down(redis::SaveAtShutdown::as_configured);
  for (const auto& node : nodes_) node->stop_listening();
  const std::int64_t end_ms = monotonic_ms() + farewell_ms;
  const auto has_unsent = [](const auto& node) { return node->has_unsent(); };
  while (std::any_of(nodes_.begin(), nodes_.end(), has_unsent) && monotonic_ms() < end_ms) {
    loop_.wait(static_cast<int>(tick_ms));
    for (const auto& node : nodes_) node->finish_round();
  }
}

}  // namespace lockstep::serve
