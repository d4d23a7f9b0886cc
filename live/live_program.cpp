// Invariant: between two calls the process waits for a `resume`, or for the first one after its
// start, or there is none.
#include "live/live_program.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "scenario/program_spec.h"

namespace lockstep::live {
namespace {

// Of one run.
constexpr std::uint64_t sent_bytes_max = std::uint64_t{64} << 20U;
constexpr std::uint64_t reported_bytes_max = std::uint64_t{4} << 20U;
constexpr std::size_t report_line_bytes_max = 65'536;

constexpr std::string_view no_library =
    "Lockstep's library was not loaded into it: is its program static, setuid, or started by "
    "another one? Expected the program itself in 'command', or 'exec' before it in the script";
constexpr int unknown_signal = -9;

/// "it has done nothing but …"
std::string_view repeated_words(int call) {
  switch (call) {
    case SYS_clock_gettime:
      return "read the clock";
    case SYS_sched_yield:
      return "yield (sched_yield)";
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
      return "sleep for no time";
    case SYS_poll:
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
      return "poll with a time-out of 0";
    default:
      return "read what has nothing to read";
  }
}

}  // namespace

LiveProgram::LiveProgram(ClientProgram program, ForkServers& fork_servers)
    : program_(std::move(program)),
      fork_servers_(fork_servers),
      page_(program_.client_name, program_.hosts),
      processor_(program_.processors) {}

LiveProgram::~LiveProgram() { kill(); }

bool LiveProgram::is_forked() const {
  return program_.spec.reuse == scenario::ProgramSpec::Reuse::fork;
}

// -- start and end --

void LiveProgram::start(const Start& start) {
  kill();
  page_.set_clocks(start.clocks);
  page_.set_seed(start.seed, start.thread_order);
  ChannelEnds control = make_channel();
  ChannelEnds report = make_pipe();
  const sim::FileDescriptor output = output_.open();
  control_ = std::move(control.ours);
  report_ = std::move(report.ours);
  if (is_forked()) {
    if (!server_ || !server_->is_running()) {
      server_ = fork_servers_.find_or_start(program_);
    }
    server_->fork(
        {control.theirs.number(), page_.descriptor(), report.theirs.number(), output.number()});
  } else {
    process_ = Process({program_.spec, program_.client_name, program_.preload_library,
                        program_.processors, control.theirs.number(), page_.descriptor(),
                        report.theirs.number(), output.number()});
  }
}

void LiveProgram::kill() {
  if (!is_forked()) process_.kill();
  control_.reset();  // which ends a fork
  report_.reset();
  output_.close();
  report_bytes_.clear();
  reported_bytes_ = 0;
  sent_bytes_ = 0;
  server_words_.clear();
  sockets_.clear();
  results_.clear();
  last_packet_.reset();
  has_begun_ = false;
  process_id_ = 0;
  processor_.leave();
}

// -- what it meets --

void LiveProgram::add_result(model::ProgramConnection connection, Packet::Result result) {
  results_.push_back({static_cast<std::int32_t>(connection), result});
}

void LiveProgram::opened(model::ProgramConnection connection) {
  const auto found = sockets_.find(connection);
  if (found == sockets_.end()) return;
  found->second.open();
  add_result(connection, Packet::Result::opened);
}

void LiveProgram::refused(model::ProgramConnection connection) {
  add_result(connection, Packet::Result::refused);
  sockets_.erase(connection);
}

void LiveProgram::deliver(model::ProgramConnection connection, std::string_view bytes) {
  const auto found = sockets_.find(connection);
  if (found != sockets_.end()) found->second.write(bytes);
}

void LiveProgram::closed(model::ProgramConnection connection) {
  const auto found = sockets_.find(connection);
  if (found != sockets_.end()) found->second.end();
}

void LiveProgram::reset(model::ProgramConnection connection) {
  if (sockets_.erase(connection) > 0) add_result(connection, Packet::Result::reset);
}

// -- it runs --

void LiveProgram::go_on(const model::ProgramClocks& clocks, model::ProgramStep& step) {
  page_.set_clocks(clocks);
  if (!has_begun_) {
    const Awaited first = await(step);
    if (first == Awaited::ended) return end(step);
    if (first == Awaited::failed) return;
    has_begun_ = true;
    processor_.share_with(process_id_);
    if (server_) processor_.share_with(server_->process());  // of the next fork
  }
  while (true) {
    Packet resume{};
    resume.kind = Packet::Kind::resume;
    const std::size_t count = std::min(results_.size(), Packet::results_max);
    std::copy_n(results_.begin(), count, resume.results);
    resume.result_count = static_cast<std::int32_t>(count);
    results_.erase(results_.begin(), results_.begin() + static_cast<std::ptrdiff_t>(count));
    static_cast<void>(send_packet(control_.number(), resume));
    const Awaited awaited = await(step);
    if (awaited == Awaited::ended) return end(step);
    if (awaited == Awaited::failed) return;
    const bool has_more = exchange(step);
    if (!has_more && results_.empty()) break;
  }
  step.state = model::ProgramStep::State::waits;
  const std::int64_t deadline_ns = last_packet_->deadline_ns;
  step.deadline_ns = deadline_ns == never ? INT64_MAX : page_.on_host(deadline_ns);
  step.spun_ns = last_packet_->spun_ns;
  if (last_packet_->repeated_call != 0) step.repeats = repeated_words(last_packet_->repeated_call);
}

/// Waits for the next `idle`, and takes in what comes before it. A pipe that is full would keep the
/// program from ever getting there, so all are read meanwhile.
LiveProgram::Awaited LiveProgram::await(model::ProgramStep& step) {
  Patience patience;
  while (true) {
    std::array<pollfd, 4> watched = {
        pollfd{control_.number(), POLLIN, 0}, pollfd{report_.number(), POLLIN, 0},
        pollfd{output_.descriptor(), POLLIN, 0},
        pollfd{server_ ? server_->output().descriptor() : -1, POLLIN, 0}};
    const int ready = poll(watched.data(), watched.size(), Patience::look_ms);
    if (ready < 0 && errno == EINTR) continue;
    // What was written before the `idle` is ready with it, at the latest.
    const bool has_output = (watched[2].revents & POLLIN) != 0;
    if (has_output) output_.read();
    if ((watched[3].revents & POLLIN) != 0) server_->output().read();
    if ((watched[3].revents & POLLHUP) != 0) server_->output().close();
    if ((watched[2].revents & POLLHUP) != 0 && !has_output) output_.close();
    if ((watched[1].revents & POLLIN) != 0) read_reports(step);
    if (output_.is_flooded() || (server_ && server_->output().is_flooded())) {
      fail(step,
           fmt::format("it floods its output: more than {} MiB", OutputTail::bytes_max >> 20U));
      return Awaited::failed;
    }
    if (reported_bytes_ > reported_bytes_max) {
      fail(step, fmt::format("it floods its report: more than {} MiB", reported_bytes_max >> 20U));
      return Awaited::failed;
    }
    if (sent_bytes_ > sent_bytes_max) {
      fail(step, fmt::format("it floods its connections: it sends more than {} MiB",
                             sent_bytes_max >> 20U));
      return Awaited::failed;
    }
    if ((watched[0].revents & (POLLIN | POLLHUP)) == 0) {
      if (is_stuck(patience, ready > 0, step)) return Awaited::failed;
      continue;
    }
    std::optional<Received> received = receive_packet(control_.number());
    if (!received) return Awaited::ended;
    const Packet::Kind kind = received->packet.kind;
    if (kind == Packet::Kind::refused) {
      received->packet.text[sizeof received->packet.text - 1] = '\0';
      fail(step, received->packet.text);
      return Awaited::failed;
    }
    const bool is_idle = kind == Packet::Kind::idle;
    accept(std::move(*received), step);
    if (!is_idle) continue;
    process_id_ = last_packet_->process;
    return Awaited::idle;
  }
}

/// Then the step has failed.
bool LiveProgram::is_stuck(Patience& patience, bool has_spoken, model::ProgramStep& step) {
  std::string why = server_ && !has_begun_ ? server_->why_stuck() : std::string();
  if (why.empty()) {
    const pid_t process = has_begun_ ? process_id_ : server_ ? server_->process() : process_.id();
    const Patience::Verdict verdict = patience.look(process, has_spoken);
    if (verdict == Patience::Verdict::runs) return false;
    why = patience.describe(verdict, process);
  }
  const bool is_loaded = has_begun_ || (server_ && server_->has_spoken());
  fail(step, is_loaded ? std::move(why) : std::string(no_library));
  step.state = model::ProgramStep::State::stuck;
  return true;
}

void LiveProgram::accept(Received received, model::ProgramStep& step) {
  const Packet& packet = received.packet;
  if (packet.kind == Packet::Kind::connect && received.descriptor.is_open()) {
    const model::ProgramConnection connection{packet.connection};
    step.connects.push_back({connection, packet.address, packet.port});
    sockets_.emplace(connection,
                     ProgramSocket(std::move(received.descriptor), packet.filler_bytes));
    return;
  }
  last_packet_ = packet;
}

/// Where the step keeps what came by this connection.
std::string& LiveProgram::sent_on(model::ProgramConnection connection, model::ProgramStep& step) {
  for (model::ProgramStep::Sent& each : step.sent) {
    if (each.connection == connection) return each.bytes;
  }
  step.sent.push_back({connection, {}});
  return step.sent.back().bytes;
}

/// Reads what the program has sent, and hands it what it had no room for. True where it may go on
/// at once for that.
bool LiveProgram::exchange(model::ProgramStep& step) {
  bool has_read = false;
  bool has_written = false;
  for (auto& [connection, socket] : sockets_) {
    if (socket.state() == ProgramSocket::State::connecting) continue;
    has_written |= socket.flush();
    std::string& bytes = sent_on(connection, step);
    const std::size_t before = bytes.size();
    if (!socket.read(bytes)) step.closed.push_back(connection);
    has_read |= bytes.size() > before;
    sent_bytes_ += bytes.size() - before;
  }
  std::erase_if(step.sent, [](const auto& each) { return each.bytes.empty(); });
  for (const model::ProgramConnection closed : step.closed) sockets_.erase(closed);
  return has_written || (has_read && last_packet_->wants_to_write != 0);
}

/// What it has said before it came to wait.
void LiveProgram::collect(model::ProgramStep& step) {
  read_reports(step);
  output_.read();
}

void LiveProgram::read_reports(model::ProgramStep& step) {
  std::array<char, 16'384> buffer;
  while (report_.is_open()) {
    const ssize_t count = read(report_.number(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      if (count == 0) report_.reset();
      break;
    }
    report_bytes_.append(buffer.data(), static_cast<std::size_t>(count));
    reported_bytes_ += static_cast<std::uint64_t>(count);
    std::size_t begin = 0;
    for (std::size_t end; (end = report_bytes_.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      step.reports.push_back(report_bytes_.substr(begin, end - begin));
    }
    report_bytes_.erase(0, begin);
    if (report_bytes_.size() > report_line_bytes_max) report_bytes_.resize(report_line_bytes_max);
    if (reported_bytes_ > reported_bytes_max) return;
  }
}

void LiveProgram::end(model::ProgramStep& step) {
  static_cast<void>(exchange(step));
  collect(step);
  step.state = model::ProgramStep::State::ended;
  const bool has_said = last_packet_ && last_packet_->kind == Packet::Kind::exiting;
  step.status = has_said ? last_packet_->status : unknown_signal;
  if (!is_forked()) {
    step.status = process_.wait();
  } else if (!has_begun_) {
    server_->output().read();
    server_words_ = server_->output().tail();
    step.status = server_->end();
    fork_servers_.forget(*server_);
    server_.reset();
  }
  if (!has_begun_) fail_to_begin(step);
}

/// Where the library has ended it, its words are told at its command. Where it was never loaded, a
/// shell's child may have said why.
void LiveProgram::fail_to_begin(model::ProgramStep& step) {
  const std::string said = last_output();
  constexpr std::string_view ours = "lockstep: ";
  if (step.status != 0 && (is_forked() || said.starts_with(ours))) return;
  const std::size_t begin = said.find(ours);
  if (begin != std::string::npos) {
    const std::size_t words = begin + ours.size();
    fail(step, said.substr(words, said.find('\n', words) - words));
  } else if (!is_forked()) {
    fail(step, std::string(no_library));
  }
}

void LiveProgram::fail(model::ProgramStep& step, std::string why) {
  collect(step);
  step.state = model::ProgramStep::State::failed;
  step.why = std::move(why);
  // A fork that no longer answers does not end with its socket, but with its server. Whoever
  // shares that starts another one.
  if (!server_) return;
  fork_servers_.forget(*server_);
  server_->kill();
  server_.reset();
}

}  // namespace lockstep::live
