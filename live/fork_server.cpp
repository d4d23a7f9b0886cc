#include "live/fork_server.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "live/channel.h"
#include "live/patience.h"
#include "live/protocol.h"

namespace lockstep::live {
namespace {

// A server is a process with its memory: enough for the clients of several scenarios.
constexpr std::size_t known_max = 12;

// Virtual time, until the fork: node sleeps a little as it starts.
constexpr std::int64_t usual_start_ns = 10'000'000;

// Real time, from the end of its socket to its own.
constexpr int ending_ms = 1'000;

/// Equal for programs that start alike, as far as their files are equal.
std::string key_of(const ClientProgram& program) {
  std::string key = what_starts(program.spec, program.client_name);
  key += '\0' + std::to_string(program.wall_ns);
  for (const model::ProgramHost& host : program.hosts) {
    key += '\0' + host.name + "@" + std::to_string(host.address);
  }
  return key;
}

}  // namespace

ForkServer::ForkServer(const ClientProgram& program) : page_(program.client_name, program.hosts) {
  page_.set_seed_before_runs(program.client_name);
  start(program, usual_start_ns);
  if (state_ != State::ready || slept_ns_ <= usual_start_ns) return;
  // Now it is known when it has to start, so that its wall clock does not jump back at the fork.
  start(program, slept_ns_);
}

void ForkServer::start(const ClientProgram& program, std::int64_t start_ns) {
  // A client that starts later in the run sees its wall clock jump at the fork.
  page_.set_clocks({-start_ns, program.wall_ns - start_ns});
  state_ = State::starting;
  files_ = {};
  ChannelEnds control = make_channel();
  const ChannelEnds report = make_pipe();
  const sim::FileDescriptor output = output_.open();
  process_ = Process({program.spec, program.client_name, program.preload_library,
                      program.processors, control.theirs.number(), page_.descriptor(),
                      report.theirs.number(), output.number()});
  control_ = std::move(control.ours);
  control.theirs.reset();
  wait_until_ready();
}

/// Until then it reads its clocks from the page. If its socket ends, or it floods its output, the
/// first run sees that too.
void ForkServer::wait_until_ready() {
  std::array<pollfd, 2> watched = {pollfd{control_.number(), POLLIN, 0},
                                   pollfd{output_.descriptor(), POLLIN, 0}};
  Patience patience(Patience::at_start);
  while (state_ == State::starting && !output_.is_flooded()) {
    const int ready = poll(watched.data(), watched.size(), Patience::look_ms);
    if (ready < 0 && errno == EINTR) continue;
    output_.read();
    if ((watched[1].revents & POLLHUP) != 0) watched[1].fd = -1;
    if (watched[0].revents != 0) take_packet();
    const Patience::Verdict verdict = patience.look(process_.id(), ready > 0);
    if (verdict == Patience::Verdict::runs) continue;
    why_stuck_ = patience.describe(verdict, process_.id());
    return;
  }
}

void ForkServer::take_packet() {
  const std::optional<Received> received = receive_packet(control_.number());
  if (!received) {
    state_ = State::ended;
    return;
  }
  has_spoken_ = true;
  if (received->packet.kind == Packet::Kind::loaded) {
    files_.add(received->descriptor.number());
  } else {
    state_ = State::ready;
    slept_ns_ = received->packet.spun_ns;
  }
}

void ForkServer::fork(const ForkStart& start) {
  Packet spawn{};
  spawn.kind = Packet::Kind::spawn;
  const std::array descriptors = {start.control, start.page, start.report, start.output};
  static_cast<void>(send_packet(control_.number(), spawn, descriptors));
}

bool ForkServer::is_running() const {
  pollfd watched{control_.number(), 0, 0};
  return poll(&watched, 1, 0) == 0;
}

int ForkServer::end() {
  pollfd watched{control_.number(), 0, 0};
  poll(&watched, 1, ending_ms);
  return process_.kill();
}

void ForkServer::kill() { process_.kill(); }

std::shared_ptr<ForkServer> ForkServers::find_or_start(const ClientProgram& program) {
  std::string key = key_of(program);
  if (std::shared_ptr<ForkServer> found = find(key)) return found;
  auto server = std::make_shared<ForkServer>(program);
  remember({std::move(key), gettid(), server});
  return server;
}

std::shared_ptr<ForkServer> ForkServers::find(const std::string& key) {
  std::shared_ptr<ForkServer> outdated;  // may end, when the lock is free again
  const std::scoped_lock lock(mutex_);
  // Those of threads that have ended are dead, and a thread's number is given again.
  std::erase_if(known_, [](const Known& each) { return !each.server->is_running(); });
  const auto found = std::ranges::find_if(
      known_, [&](const Known& each) { return each.thread == gettid() && each.key == key; });
  if (found == known_.end()) return nullptr;
  if (!found->server->is_up_to_date()) {
    outdated = std::move(found->server);
    known_.erase(found);
    return nullptr;
  }
  std::rotate(found, found + 1, known_.end());
  return known_.back().server;
}

void ForkServers::remember(Known known) {
  std::shared_ptr<ForkServer> oldest;  // may end, when the lock is free again
  const std::scoped_lock lock(mutex_);
  known_.push_back(std::move(known));
  if (known_.size() <= known_max) return;
  oldest = std::move(known_.front().server);
  known_.erase(known_.begin());
}

void ForkServers::forget(const ForkServer& server) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(known_, [&server](const Known& each) { return each.server.get() == &server; });
}

}  // namespace lockstep::live
