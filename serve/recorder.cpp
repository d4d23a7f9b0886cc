#include "serve/recorder.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "serve/child_process.h"
#include "serve/start_error.h"
#include "serve/wall_clock.h"

namespace lockstep::serve {
namespace {

constexpr int round_ms = 20;
/// What a program sends as it ends is still under way then.
constexpr std::int64_t drain_us = 200'000;
const char* const loopback = "127.0.0.1";

/// Connects without waiting for it, as far as the name allows; closed where that fails.
sim::FileDescriptor connect_to(const ServerAddress& server) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(server.port);
  if (getaddrinfo(server.host.c_str(), port.c_str(), &hints, &found) != 0) return {};
  sim::FileDescriptor socket;
  for (const addrinfo* each = found; each != nullptr && !socket.is_open(); each = each->ai_next) {
    socket = sim::FileDescriptor(
        ::socket(each->ai_family, each->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.is_open() && connect(socket.number(), each->ai_addr, each->ai_addrlen) != 0 &&
        errno != EINPROGRESS) {
      socket.reset();
    }
  }
  freeaddrinfo(found);
  return socket;
}

/// Programs that are started at their time and waited for.
class Programs {
 public:
  explicit Programs(const std::vector<RecordedProgram>& programs) : programs_(programs) {
    children_.resize(programs.size());
  }
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;
  ~Programs() {
    for (std::size_t i = 0; i < started_; ++i) {
      if (children_[i]) end_child(*children_[i]);
    }
  }

  /// REQUIRES: they are in the order of their start.
  void look(std::int64_t now_us) {
    while (started_ < programs_.size() && programs_[started_].start_ms * 1'000 <= now_us) {
      const RecordedProgram& program = programs_[started_];
      children_[started_] = start_program(program.command, program.env);
      ++started_;
    }
    for (std::size_t i = 0; i < started_; ++i) {
      if (!children_[i]) continue;
      const std::optional<int> status = ended(*children_[i]);
      if (!status) continue;
      children_[i].reset();
      ended_at_us_ = now_us;
      if (*status != 0) {
        throw StartError(fmt::format("{} ended with {}", programs_[i].command.front(),
                                     *status > 0 ? fmt::format("exit status {}", *status)
                                                 : fmt::format("signal {}", -*status)));
      }
    }
  }

  [[nodiscard]] bool are_over(std::int64_t now_us) const {
    return !programs_.empty() && started_ == programs_.size() &&
           std::none_of(children_.begin(), children_.end(),
                        [](const auto& child) { return child.has_value(); }) &&
           now_us > ended_at_us_ + drain_us;
  }

 private:
  const std::vector<RecordedProgram>& programs_;
  std::vector<std::optional<int>> children_;
  std::size_t started_ = 0;
  std::int64_t ended_at_us_ = 0;
};

}  // namespace

/// Where one client finds one server.
struct Recorder::Door final : Watcher {
  Door(Recorder& of, std::size_t client_number, std::size_t server_number,
       ListeningSocket listening)
      : recorder(of), client(client_number), server(server_number), socket(std::move(listening)) {}
  void on_ready(Readiness /*readiness*/) override { recorder.open(*this); }
  Recorder& recorder;
  std::size_t client;
  std::size_t server;
  ListeningSocket socket;
};

Recorder::Recorder(const RecorderOptions& options) : servers_(options.servers) {
  if (servers_.empty()) {
    for (std::size_t i = 0; i < options.simulated_servers; ++i) start_simulated_server();
  }
  for (std::size_t client = 0; client < options.clients; ++client) {
    for (std::size_t server = 0; server < servers_.size(); ++server) {
      const std::size_t port = options.port == 0 ? 0 : options.port + doors_.size();
      if (port > std::numeric_limits<std::uint16_t>::max()) {
        throw StartError(fmt::format("there is no port {}", port));
      }
      doors_.push_back(std::make_unique<Door>(
          *this, client, server, ListeningSocket::tcp(loopback, static_cast<std::uint16_t>(port))));
      loop_.watch(doors_.back()->socket.file(), Interest::reading, *doors_.back());
    }
  }
}

Recorder::~Recorder() {
  for (const int child : children_) end_child(child);
}

void Recorder::start_simulated_server() {
  const ServingChild child = start_serving_child();
  children_.push_back(child.process);
  servers_.push_back({loopback, child.port});
}

std::uint16_t Recorder::port_of(std::size_t client, std::size_t server) const {
  return doors_[client * servers_.size() + server]->socket.port();
}

void Recorder::open(const Door& door) {
  while (true) {
    sim::FileDescriptor client = door.socket.accept();
    if (!client.is_open()) return;
    sim::FileDescriptor server = connect_to(servers_[door.server]);
    if (!server.is_open()) continue;  // which closes the client's, as a server that is down does
    passages_.push_back({door.client, door.server,
                         std::make_unique<Relay>(std::move(client), std::move(server), loop_)});
  }
}

std::int64_t Recorder::now_us() const { return monotonic_us() - began_us_; }

void Recorder::finish_round(const Listener& listener) {
  const std::int64_t now = now_us();
  for (Passage& passage : passages_) {
    passage.relay->finish_round(now);
    const bool was_readable = std::exchange(passage.is_readable, passage.relay->is_readable());
    if (was_readable && !passage.is_readable) ++unreadable_connections_;
    for (const Exchange& exchange : passage.relay->take_exchanges()) {
      listener(passage.client, passage.server, exchange);
    }
  }
  std::erase_if(passages_, [](const Passage& passage) { return passage.relay->is_over(); });
}

void Recorder::run(const std::vector<RecordedProgram>& programs, const Listener& listener) {
  began_us_ = monotonic_us();
  Programs started(programs);
  while (!signals_.came() && !started.are_over(now_us())) {
    started.look(now_us());
    loop_.wait(round_ms);
    finish_round(listener);
  }
}

}  // namespace lockstep::serve
