#include "model/program/program_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "model/host_view.h"
#include "model/messages.h"
#include "model/program/last_words.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/protocol/refusals.h"
#include "redis/protocol/resp_writer.h"
#include "scenario/milestones.h"
#include "scenario/text/durations.h"
#include "scenario/text/input_error.h"
#include "scenario/thread_order.h"
#include "scenario/workload_spec.h"
#include "sim/choice_source.h"
#include "sim/digest.h"

namespace lockstep::model {
namespace {

enum class ProgramTimer : std::uint64_t { start, deadline };

/// Shorter words are numbers and options rather than who somebody is.
constexpr std::size_t owner_bytes_min = 8;
constexpr std::size_t said_words_max = 100'000;
// While virtual time stands still. Where it goes on, the scenario's event limit ends a flood.
constexpr std::size_t requests_at_once_max = 100'000;

// A program that sleeps a microsecond at a time leaves no event, and would never come to a limit.
constexpr std::size_t idle_turns_max = 100'000;
constexpr sim::DurationNs polling_ns_max = sim::millisecond_ns;
// So long may one that asks again and again wait for an answer.
constexpr sim::DurationNs repeating_ns_max = 60 * sim::second_ns;
/// Between two turns of such a one; later ones come after a pause.
constexpr sim::DurationNs repeating_every_ns_max = sim::second_ns;
constexpr std::size_t nowhere_max = 10'000;

/// The first bytes of a TLS handshake.
constexpr std::string_view tls_hello = "\x16\x03";

/// 0, in turn, is one of them.
constexpr std::uint64_t thread_orders = 1'000;
constexpr unsigned number_bits = 40;  // of a request's number, beneath its client's

}  // namespace

void ProgramStep::clear() {
  state = State::waits;
  deadline_ns = spun_ns = 0;
  status = 0;
  repeats.clear();
  why.clear();
  connects.clear();
  sent.clear();
  closed.clear();
  reports.clear();
}

ProgramClient::ProgramClient(const scenario::ClientSpec& spec, sim::ActorId actor,
                             sim::ActorId thread, std::string_view lock_name, ScriptLabels& labels,
                             const ClientEnvironment& environment, HostAddresses addresses,
                             std::unique_ptr<Program> program)
    : Client(spec.name, actor, environment.queue, environment.trace),
      spec_(spec),
      environment_(environment),
      thread_(thread),
      lock_name_(lock_name),
      addresses_(std::move(addresses)),
      program_(std::move(program)),
      reports_(*this, thread, lock_name, environment),
      labels_(labels) {}

// -- its life --

void ProgramClient::start_run(sim::ChoiceSource& choices) {
  program_->kill();
  state_ = State::not_started;
  ++incarnation_;
  busy_until_ns_ = 0;
  has_more_to_read_ = false;
  has_connected_ = false;
  last_number_ = lost_request_ = 0;
  connections_.clear();
  failures_.clear();
  idle_turns_ = 0;
  repeated_at_ns_ = repeats_since_ns_ = 0;
  nowhere_.clear();
  nowhere_count_ = 0;
  said_words_.clear();
  reports_.start_run();
  constexpr std::uint64_t alternatives = std::uint64_t{1} << 32U;
  const sim::Stream stream{sim::Purpose::token, static_cast<std::uint32_t>(id_)};
  seed_ = choices.choose(stream, alternatives) << 32U;
  seed_ |= choices.choose(stream, alternatives);
  thread_order_ = 0;
  if (scenario::threads_run_in_any_order(*spec_.program)) {
    const sim::Stream order{sim::Purpose::client_random, static_cast<std::uint32_t>(id_)};
    thread_order_ = choices.choose(order, thread_orders);
  }
  const sim::DurationNs start_ns =
      spec_.start_ns_max ? choices.between(stream, spec_.start_ns, *spec_.start_ns_max)
                         : spec_.start_ns;
  timer_ = start_timer(start_ns, static_cast<std::uint64_t>(ProgramTimer::start));
}

void ProgramClient::begin() {
  state_ = State::runs;
  program_->start({seed_, {monotonic_ns(), wall_ns()}, thread_order_});
  const std::string_view command = spec_.program->command.front();
  if (scenario::threads_run_in_any_order(*spec_.program)) {
    environment_.trace.emit(now(), trace_kind::program_started, actor(),
                            {{"command", command}, {"thread_order", thread_order_}});
  } else {
    environment_.trace.emit(now(), trace_kind::program_started, actor(), {{"command", command}});
  }
}

void ProgramClient::on_crash() {
  program_->kill();
  state_ = State::ended;
  ++incarnation_;
  connections_.clear();
  reports_.end();
  environment_.recorder.milestone(scenario::Milestone::crashed, actor(), {});
}

void ProgramClient::end(std::string_view how) {
  state_ = State::ended;
  ++incarnation_;
  const std::string output = last_words();
  environment_.trace.emit(now(), trace_kind::program_ended, actor(),
                          {{"how", how}, {"output", std::string_view(output)}});
  reports_.end();
  close_all();
  environment_.recorder.milestone(scenario::Milestone::finished, thread_, {});
}

/// A command that can't be started, gives up at once, or comes to nothing, is the scenario's
/// mistake.
void ProgramClient::require_start() const {
  const bool has_ended = step_.state == ProgramStep::State::ended;
  if (has_connected_ || (has_ended && step_.status == 0)) return;
  std::string how = "failed";
  if (has_ended) {
    how = step_.status > 0 ? fmt::format("ended with exit status {}", step_.status)
                           : fmt::format("ended with signal {}", -step_.status);
  }
  std::string why = step_.why;
  const std::string output = last_words();
  if (why.empty()) {
    why = output;
  } else if (!output.empty() && output.find(why) == output.npos) {
    why += "; it wrote: " + output;
  }
  throw scenario::InputError(spec_.program->place,
                             fmt::format("the client '{}' {} before it connected to anything{}{}",
                                         name(), how, why.empty() ? "" : ": ", why));
}

std::string ProgramClient::last_words() const {
  std::string words = last_words_of(program_->last_output());
  if (step_.status == 0 || nowhere_.empty()) return words;
  return words.empty() ? nowhere_ : fmt::format("{} (lockstep: {})", words, nowhere_);
}

void ProgramClient::close_all() {
  for (const auto& connection : std::exchange(connections_, {})) {
    environment_.network.close(connection->id, id_);
  }
}

void ProgramClient::fail(std::string_view why) {
  environment_.trace.emit(now(), trace_kind::client_failed, thread_, {{"error", why}});
  failures_.push_back(fmt::format("{}: {}", name(), why));
}

// -- what reaches the process --

void ProgramClient::on_dropped(sim::Payload payload) {
  const Message& message = environment_.messages[payload];
  if (message.kind == Message::Kind::request) lost_request_ = message.number;
  environment_.messages.release(payload);
}

void ProgramClient::on_incoming(const sim::Incoming& incoming) {
  Connection* const connection = find(incoming.connection);
  bool is_by_timer = false;
  switch (incoming.kind) {
    case sim::Incoming::Kind::message:
      if (connection != nullptr) receive(*connection, incoming.argument);
      environment_.messages.release(incoming.argument);
      break;
    case sim::Incoming::Kind::connection_opened:
      if (connection == nullptr) return;
      connection->is_open = true;
      program_->opened(connection->number);
      break;
    case sim::Incoming::Kind::connection_refused:
    case sim::Incoming::Kind::connection_closed:
      if (connection == nullptr) return;
      if (!connection->is_open) {
        program_->refused(connection->number);
      } else if (incoming.argument != 0) {
        program_->reset(connection->number);
      } else {
        program_->closed(connection->number);
      }
      std::erase_if(connections_, [&](const auto& each) { return each.get() == connection; });
      break;
    case sim::Incoming::Kind::timer:
      timer_ = {};
      is_by_timer = true;
      if (static_cast<ProgramTimer>(incoming.argument) == ProgramTimer::start) begin();
      break;
    case sim::Incoming::Kind::resumed_work:
      break;
  }
  if (!is_by_timer) {
    idle_turns_ = 0;
    repeats_since_ns_ = now();
  }
  if (state_ != State::runs) return;
  if (now() < busy_until_ns_) return wait_until(0, busy_until_ns_ - now());
  go_on();
}

void ProgramClient::receive(Connection& connection, sim::Payload payload) {
  const Message& message = environment_.messages[payload];
  const bool is_answer =
      message.kind == Message::Kind::reply && !connection.unanswered.empty() && message.number != 0;
  if (is_answer) {
    // The replies of a connection come in order: one that is missing was lost.
    connection.is_silent |= connection.unanswered.front() != message.number;
    connection.unanswered.pop_front();
  }
  if (connection.is_silent) return;
  const bool was_refused = message.reply.is_error() && redis::is_refusal(message.reply.text);
  if (is_answer && !was_refused) environment_.recorder.note_told(thread_);
  bytes_.clear();
  if (message.kind == Message::Kind::resource_reply) {
    redis::RespWriter writer(bytes_);
    if (message.accepted) {
      writer.integer(static_cast<std::int64_t>(message.number));
    } else {
      writer.error("STALE the resource has seen a higher token");
    }
  } else {
    if (connection.hello != 0 && message.number == connection.hello &&
        message.kind == Message::Kind::reply && !message.reply.is_error()) {
      connection.protocol = connection.asked_protocol;
    }
    redis::RespWriter writer(bytes_, connection.protocol);
    redis::write_reply(message.reply, writer);
  }
  program_->deliver(connection.number, bytes_);
  const bool is_access = message.kind == Message::Kind::resource_reply && message.accepted;
  if (!is_access) return;
  // Last, for it may strike down this process, and with it the connection.
  const bool is_read = message.label == "reply to read";
  environment_.recorder.milestone(is_read ? scenario::Milestone::read : scenario::Milestone::wrote,
                                  thread_, {});
}

// -- what the program does --

/// Sending may strike down this process: then what is left of the step is not done.
void ProgramClient::go_on() {
  cancel_timer(std::exchange(timer_, {}));
  step_.clear();
  requests_at_once_ = 0;
  program_->go_on({monotonic_ns(), wall_ns()}, step_);
  const bool has_acted = !(step_.reports.empty() && step_.connects.empty() && step_.sent.empty() &&
                           step_.closed.empty());
  const std::uint32_t incarnation = incarnation_;
  for (const std::string& line : step_.reports) {
    const std::string complaint = reports_.tell(line);
    if (incarnation_ != incarnation) return;
    if (!complaint.empty()) fail(complaint);
  }
  for (const ProgramStep::Connect& asked : step_.connects) connect(asked);
  for (const ProgramStep::Sent& sent : step_.sent) {
    send(sent);
    if (incarnation_ != incarnation) return;
  }
  for (const ProgramConnection closed : step_.closed) close(closed);
  // Who has only ended its own half waits for the other one's end.
  has_more_to_read_ |= !step_.closed.empty();
  busy_until_ns_ = now() + step_.spun_ns;
  switch (step_.state) {
    case ProgramStep::State::waits:
      if (nowhere_count_ > nowhere_max) return end_knocking();
      if (only_polls(has_acted)) return end_polling();
      if (only_repeats(has_acted)) return end_repeating();
      return wait_until(std::exchange(has_more_to_read_, false) ? 0 : step_.deadline_ns,
                        step_.spun_ns);
    case ProgramStep::State::ended:
      require_start();
      return end(step_.status >= 0 ? fmt::format("exit {}", step_.status)
                                   : fmt::format("signal {}", -step_.status));
    case ProgramStep::State::failed:
    case ProgramStep::State::stuck:
      require_start();
      fail(step_.why);
      program_->kill();
      return end(step_.state == ProgramStep::State::stuck ? trace_kind::program_stuck : "killed");
  }
}

/// A program that always waits for nothing must see time go on, too.
void ProgramClient::wait_until(std::int64_t deadline_ns, sim::DurationNs at_least_ns) {
  if (deadline_ns == INT64_MAX && at_least_ns == 0) return;
  sim::DurationNs after_ns = std::max(at_least_ns, sim::microsecond_ns);
  if (deadline_ns != INT64_MAX) after_ns = std::max(after_ns, deadline_ns - monotonic_ns());
  cancel_timer(std::exchange(timer_, {}));
  timer_ = start_timer(after_ns, static_cast<std::uint64_t>(ProgramTimer::deadline));
}

/// Whether it has done nothing for long but look at the time, or for what never comes.
bool ProgramClient::only_polls(bool has_acted) {
  if (has_acted) idle_turns_ = 0;
  if (idle_turns_++ == 0) idle_since_ns_ = now();
  if (idle_turns_ <= idle_turns_max) return false;
  idle_turns_ = 0;
  return now() - idle_since_ns_ <= static_cast<sim::DurationNs>(idle_turns_max) * polling_ns_max;
}

void ProgramClient::end_polling() {
  const sim::DurationNs every_ns =
      (now() - idle_since_ns_) / static_cast<sim::DurationNs>(idle_turns_max);
  fail(
      fmt::format("it polls every {}: it woke {} times in a row and did nothing else; expected it "
                  "to sleep longer, or to wait for its socket",
                  scenario::format_duration(every_ns), idle_turns_max));
  program_->kill();
  end("killed");
}

/// Whether it has asked the same for long, and nothing has come of it.
bool ProgramClient::only_repeats(bool has_acted) {
  const bool goes_on = !step_.repeats.empty() && now() - repeated_at_ns_ <= repeating_every_ns_max;
  if (has_acted || !goes_on) repeats_since_ns_ = now();
  repeated_at_ns_ = now();
  return now() - repeats_since_ns_ > repeating_ns_max;
}

void ProgramClient::end_repeating() {
  fail(
      fmt::format("it is stuck: for {} it has done nothing but {}, again and again; expected a "
                  "sleep or a time-out, or that it waits for what it asks for",
                  scenario::format_duration(repeating_ns_max), step_.repeats));
  program_->kill();
  end("killed");
}

void ProgramClient::end_knocking() {
  fail(fmt::format("it has connected {} times where nobody is: {}", nowhere_max, nowhere_));
  program_->kill();
  end("killed");
}

void ProgramClient::connect(const ProgramStep::Connect& asked) {
  const auto host = addresses_.find(asked.address, asked.port);
  if (!host) {
    const std::string place = addresses_.describe(asked.address, asked.port);
    const std::string text =
        fmt::format("connects to {}, where the scenario has no host; refused", place);
    ++nowhere_count_;
    if (nowhere_.empty()) {
      nowhere_ = fmt::format(
          "it connects to {0}, where the scenario has no host; expected it in 'connect', as in "
          "{{ \"{0}\" = \"n1\" }}",
          place);
    }
    environment_.trace.emit(now(), trace_kind::client_logged, thread_,
                            {{"text", std::string_view(text)}});
    program_->refused(asked.connection);
    has_more_to_read_ = true;
    return;
  }
  has_connected_ = true;
  auto connection = std::make_unique<Connection>();
  connection->number = asked.connection;
  connection->peer = *host == environment_.resource ? PeerKind::resource : PeerKind::server;
  connection->id = environment_.network.connect(id_, *host);
  connections_.push_back(std::move(connection));
}

void ProgramClient::send(const ProgramStep::Sent& sent) {
  Connection* const connection = find(sent.connection);
  if (connection == nullptr) return;
  const std::uint32_t incarnation = incarnation_;
  if (!connection->has_sent && sent.bytes.starts_with(tls_hello)) {
    fail(
        "it speaks TLS, which the simulated Redis does not; expected plain TCP, as in redis:// "
        "instead of rediss://");
    program_->closed(sent.connection);
    has_more_to_read_ = true;
    return close(sent.connection);
  }
  connection->has_sent = true;
  connection->requests.feed(sent.bytes);
  while (true) {
    const redis::RespRead read = connection->requests.next();
    if (read == redis::RespRead::incomplete) return;
    if (read == redis::RespRead::invalid) {
      answer(*connection, connection->requests.error());
      program_->closed(sent.connection);
      return close(sent.connection);
    }
    if (++requests_at_once_ > requests_at_once_max) return end_flood();
    const auto words = connection->requests.words();
    if (connection->is_silent) continue;
    if (connection->peer == PeerKind::resource) {
      ask_resource(*connection, words);
    } else {
      send_request(*connection, words);
    }
    if (incarnation_ != incarnation || find(sent.connection) != connection) return;
  }
}

void ProgramClient::end_flood() {
  fail(fmt::format("it floods its connections: it sends more than {} requests at once",
                   requests_at_once_max));
  program_->kill();
  end("killed");
}

void ProgramClient::answer(Connection& connection, std::string_view error) {
  bytes_.clear();
  redis::RespWriter(bytes_).error(error);
  program_->deliver(connection.number, bytes_);
  has_more_to_read_ = true;
}

void ProgramClient::send_request(Connection& connection, std::span<const std::string_view> words) {
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = Message::Kind::request;
  message.label = labels_.label_of(words);
  message.on_behalf_of = thread_;
  message.number = ++last_number_;
  message.call = (std::uint64_t{static_cast<std::uint32_t>(id_)} << number_bits) + message.number;
  bool names_lock = false;
  for (const std::string_view word : words) {
    message.arguments.push(word);
    names_lock |= word == lock_name_;
    if (word.size() >= owner_bytes_min && said_words_.size() < said_words_max) {
      said_words_.emplace(word);
    }
  }
  const bool is_hello = redis::equals_ignoring_case(words[0], "hello");
  if (is_hello && words.size() > 1) {
    connection.hello = message.number;
    connection.asked_protocol = words[1] == "3" ? redis::Protocol::resp3 : redis::Protocol::resp2;
  }
  reports_.on_request(names_lock);
  const std::string_view label = message.label;
  if (label.find("subscribe") == label.npos) connection.unanswered.push_back(message.number);
  const std::uint64_t number = message.number;
  note_subscriptions(connection, label, words);
  const std::uint32_t incarnation = incarnation_;
  if (environment_.network.send(connection.id, id_, payload, label, thread_)) {
    environment_.recorder.add_request(static_cast<std::uint32_t>(id_), thread_);
  } else {
    environment_.messages.release(payload);  // closed: the notice of that is on its way
  }
  if (incarnation_ == incarnation && lost_request_ == number) connection.is_silent = true;
}

void ProgramClient::note_subscriptions(Connection& connection, std::string_view label,
                                       std::span<const std::string_view> words) {
  std::set<std::string, std::less<>>& channels = connection.channels;
  const auto named = words.subspan(1);
  if (label == "subscribe") channels.insert(named.begin(), named.end());
  if (label != "unsubscribe") return;
  if (named.empty()) channels.clear();
  for (const std::string_view channel : named) channels.erase(std::string(channel));
}

/// READ, or WRITE version [token]: what a real client writes under the lock.
void ProgramClient::ask_resource(Connection& connection, std::span<const std::string_view> words) {
  const bool is_read = redis::equals_ignoring_case(words[0], "read") && words.size() == 1;
  const bool is_write =
      redis::equals_ignoring_case(words[0], "write") && (words.size() == 2 || words.size() == 3);
  const auto version = is_write ? redis::parse_integer(words[1]) : std::optional<std::int64_t>(0);
  const auto token =
      words.size() == 3 ? redis::parse_integer(words[2]) : std::optional<std::int64_t>(-1);
  if (!(is_read || is_write) || !version || !token || *version < 0) {
    return answer(connection, "ERR the resource knows READ, and WRITE version [token]");
  }
  const sim::Payload payload = environment_.messages.make();
  Message& message = environment_.messages[payload];
  message.kind = is_read ? Message::Kind::resource_read : Message::Kind::resource_write;
  message.number = static_cast<std::uint64_t>(*version);
  message.token = *token;
  message.label = is_read ? "read" : "write";
  message.on_behalf_of = thread_;
  if (!environment_.network.send(connection.id, id_, payload, message.label, thread_)) {
    environment_.messages.release(payload);
  }
}

void ProgramClient::close(ProgramConnection number) {
  const Connection* const connection = find(number);
  if (connection == nullptr) return;
  environment_.network.close(connection->id, id_);
  std::erase_if(connections_, [&](const auto& each) { return each.get() == connection; });
}

// -- what others ask --

checker::NameId ProgramClient::owner_of_field(std::string_view field) const {
  return said_words_.contains(field) ? reports_.owner() : checker::no_name;
}

std::vector<std::string> ProgramClient::live_subscriptions() const {
  std::vector<std::string> channels;
  for (const auto& connection : connections_) {
    channels.insert(channels.end(), connection->channels.begin(), connection->channels.end());
  }
  return channels;
}

void ProgramClient::digest_into(sim::Digest& digest) const {
  digest.mark_unmergeable();
  Host::digest_into(digest);
}

void ProgramClient::look(HostView& view) const {
  view.add(actor(), "program",
           state_ == State::runs    ? "runs"
           : state_ == State::ended ? "has ended"
                                    : "has not started");
  view.add(thread_, "believes to hold the lock", reports_.believed_count() > 0 ? "yes" : "no");
  view.add(actor(), "connections", std::to_string(connections_.size()));
}

// -- small steps --

ProgramClient::Connection* ProgramClient::find(sim::ConnectionId id) {
  if (id == sim::ConnectionId{}) return nullptr;
  const auto found = std::find_if(connections_.begin(), connections_.end(),
                                  [&](const auto& each) { return each->id == id; });
  return found == connections_.end() ? nullptr : found->get();
}

ProgramClient::Connection* ProgramClient::find(ProgramConnection number) {
  const auto found = std::find_if(connections_.begin(), connections_.end(),
                                  [&](const auto& each) { return each->number == number; });
  return found == connections_.end() ? nullptr : found->get();
}

}  // namespace lockstep::model
