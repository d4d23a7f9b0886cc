// A client that is a real program: it has the simulated clocks, and its connections are the
// simulated network's, request by request.
//
// The program says itself what it believes of the lock (program_reports.h). What it is about to do,
// nobody knows: it declares no operations, its state can't be digested, and faults of one thread or
// of a callback do not concern it. Not covered: a restart after a crash, as of client models.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/client.h"
#include "model/program/host_addresses.h"
#include "model/program/program.h"
#include "model/program/program_reports.h"
#include "model/program/script_labels.h"
#include "redis/protocol/reply_writer.h"
#include "redis/protocol/resp.h"
#include "sim/network.h"

namespace lockstep::model {

class ProgramClient final : public Client {
 public:
  /// `thread` is the actor "name/1". The program is started by start_run() at the earliest.
  ProgramClient(const scenario::ClientSpec& spec, sim::ActorId actor, sim::ActorId thread,
                std::string_view lock_name, ScriptLabels& labels,
                const ClientEnvironment& environment, HostAddresses addresses,
                std::unique_ptr<Program> program);

  void set_host_id(sim::HostId id) override { id_ = id; }
  void start_run(sim::ChoiceSource& choices) override;
  void end_run() override { program_->kill(); }
  void order(ThreadFault /*order*/, std::size_t /*thread*/) override {}
  [[nodiscard]] bool is_in_call(std::size_t /*thread*/) const override { return false; }
  void postpone(const Postponement& /*postponement*/, PostponementListener& /*listener*/) override {
  }
  void cancel_postponement(std::size_t /*fault*/) override {}
  void set_callback_listener(CallbackListener* /*listener*/) override {}
  void digest_into(sim::Digest& digest) const override;
  void look(HostView& view) const override;
  [[nodiscard]] std::string reachable_code(
      std::span<const scenario::StepKind> /*steps*/) const override {
    return {};
  }
  [[nodiscard]] bool finished() const override { return state_ == State::ended; }
  [[nodiscard]] bool is_at_work(std::size_t /*thread*/) const override {
    return reports_.is_at_work();
  }
  [[nodiscard]] std::vector<LiveTask> live_tasks() const override { return {}; }
  [[nodiscard]] std::vector<std::string> live_subscriptions() const override;
  [[nodiscard]] const std::vector<std::string>& failures() const override { return failures_; }
  [[nodiscard]] bool client_number_was_read() const override { return true; }
  [[nodiscard]] bool wall_clock_was_read() const override { return true; }
  [[nodiscard]] std::size_t thread_count() const override { return 1; }
  [[nodiscard]] bool outcomes_are_known() const override { return false; }
  [[nodiscard]] checker::NameId owner(std::size_t /*thread*/) const override {
    return reports_.owner();
  }
  [[nodiscard]] checker::NameId name_of(std::size_t /*thread*/) const override {
    return reports_.owner();
  }
  [[nodiscard]] checker::NameId owner_of_field(std::string_view field) const override;

 private:
  enum class State : std::uint8_t { not_started, runs, ended };
  enum class PeerKind : std::uint8_t { server, resource };
  struct Connection {
    ProgramConnection number;
    sim::ConnectionId id;
    PeerKind peer;
    bool is_open = false;
    bool has_sent = false;
    redis::Protocol protocol = redis::Protocol::resp2;
    std::uint64_t hello = 0;  ///< the last HELLO that asks for RESP3, or back
    redis::Protocol asked_protocol = redis::Protocol::resp2;
    redis::RequestReader requests;
    std::deque<std::uint64_t> unanswered;         ///< requests, in order
    std::set<std::string, std::less<>> channels;  ///< that it has subscribed to
    bool is_silent = false;  ///< a message was lost: of a stream nothing comes after it
  };

  void on_incoming(const sim::Incoming& incoming) override;
  void on_dropped(sim::Payload payload) override;
  void on_crash() override;

  void begin();
  void go_on();
  void connect(const ProgramStep::Connect& asked);
  void send(const ProgramStep::Sent& sent);
  void end_flood();
  void send_request(Connection& connection, std::span<const std::string_view> words);
  static void note_subscriptions(Connection& connection, std::string_view label,
                                 std::span<const std::string_view> words);
  void ask_resource(Connection& connection, std::span<const std::string_view> words);
  void answer(Connection& connection, std::string_view bytes);
  void close(ProgramConnection number);
  void receive(Connection& connection, sim::Payload payload);
  void end(std::string_view how);
  void require_start() const;
  [[nodiscard]] std::string last_words() const;
  [[nodiscard]] bool only_polls(bool has_acted);
  void end_polling();
  [[nodiscard]] bool only_repeats(bool has_acted);
  void end_repeating();
  void end_knocking();
  void close_all();
  void fail(std::string_view why);
  void wait_until(std::int64_t deadline_ns, sim::DurationNs at_least_ns);
  [[nodiscard]] Connection* find(sim::ConnectionId id);
  [[nodiscard]] Connection* find(ProgramConnection number);

  const scenario::ClientSpec& spec_;
  const ClientEnvironment environment_;
  const sim::ActorId thread_;
  const std::string lock_name_;
  const HostAddresses addresses_;
  const std::unique_ptr<Program> program_;
  ProgramReports reports_;
  sim::HostId id_{};
  State state_ = State::not_started;
  std::uint32_t incarnation_ = 0;  // changes as the process ends
  std::uint64_t seed_ = 0;
  std::uint64_t thread_order_ = 0;
  sim::TimeNs busy_until_ns_ = 0;
  sim::TimerId timer_{};
  bool has_connected_ = false;     // in this run
  bool has_more_to_read_ = false;  // nobody but this client brought it: it goes on by itself
  std::uint64_t last_number_ = 0;
  std::size_t requests_at_once_ = 0;                      // since it went on
  std::uint64_t lost_request_ = 0;                        // the last
  std::vector<std::unique_ptr<Connection>> connections_;  // a handler keeps one while others close
  std::size_t idle_turns_ = 0;  // in a row, in which it did nothing and nothing reached it
  sim::TimeNs idle_since_ns_ = 0;
  sim::TimeNs repeats_since_ns_ = 0;
  sim::TimeNs repeated_at_ns_ = 0;  // the last time that it went on
  std::size_t nowhere_count_ = 0;
  std::string nowhere_;  // where it has connected to first and nobody is
  std::vector<std::string> failures_;
  std::set<std::string, std::less<>> said_words_;  // of its requests: any may be an owner's name
  ScriptLabels& labels_;
  ProgramStep step_;   // memory of go_on
  std::string bytes_;  // memory of receive
};

}  // namespace lockstep::model
