// What a client's threads do, step by step, and what they believe of their locks.
//
// Between two steps a thread waits for its turn (Fibers), so that a pause can strike there. A lock
// that is refused, or whose outcome is unknown, skips to the matching unlock; an unlock that fails
// does not stop the thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/history.h"
#include "model/client/runtime/client_model.h"
#include "model/client/runtime/fiber.h"
#include "scenario/step_forms.h"

namespace lockstep::checker {
enum class BeliefEnd : std::uint8_t;
enum class CallKind : std::uint8_t;
enum class WaitEnd : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::scenario {
struct ClientSpec;
struct Step;
struct StepForm;
struct ThreadSpec;
}  // namespace lockstep::scenario

namespace lockstep::model {

class ClientProcess;
class FiberScheduler;
class ServiceOperations;
struct HostView;
struct TrueHold;

class Workload {
 public:
  /// Does not own; all outlive this.
  Workload(ClientProcess& process, const scenario::ClientSpec& spec,
           std::vector<sim::ActorId> actors, FiberScheduler& fibers, ClientModel& client_model,
           ServiceOperations& operations);
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  ~Workload();

  /// A new run: threads begin at spec.start_ns.
  void start_run();
  void on_start_due();
  void on_next_step(std::uint32_t thread);
  void on_sleep_over(std::uint32_t thread);
  void on_validity_over(std::uint32_t thread_and_hold);
  /// The coroutine of a thread returned or raised.
  void on_returned(Fiber& fiber);
  void on_raised(Fiber& fiber);
  /// The thread's coroutine, where it waits within a function of the lock; else null.
  [[nodiscard]] Fiber* waiting_fiber(std::uint32_t thread) const;
  /// Ends the step of a thread that sleeps by itself; false where it does not.
  bool end_sleep(std::uint32_t thread);
  /// The thread's coroutine goes on by itself; the thread goes on as after an error.
  void on_abandoned(std::uint32_t thread);
  /// The process died: beliefs end, threads stop.
  void on_crash();
  /// A notice of loss was delivered to a thread: of its holds of that mode, or of all.
  void on_loss_reported(std::uint32_t thread, checker::NameId lock,
                        std::optional<checker::HoldMode> mode = std::nullopt);

  // The protected resource. Each returns false if the connection does not lead there.
  bool on_opened(sim::ConnectionId connection);
  bool on_closed(sim::ConnectionId connection);
  bool on_message(sim::ConnectionId connection, sim::Payload payload);

  [[nodiscard]] bool finished() const;
  /// Whether the thread has steps of a lock before it, or believes to have one.
  [[nodiscard]] bool is_at_work(std::uint32_t thread) const;
  void digest_into(sim::Digest& digest) const;  // workload_digest.cpp
  /// `shard_count`: as the client knows it (client_view.cpp).
  void look(HostView& view, std::size_t shard_count) const;
  /// The coroutines of its threads.
  [[nodiscard]] std::vector<std::uint32_t> live_fibers() const;
  [[nodiscard]] std::size_t thread_count() const { return threads_.size(); }
  [[nodiscard]] sim::ActorId actor(std::uint32_t thread) const { return threads_[thread].actor; }
  /// Whether the thread waits for what it asked by that label, in a step that asks. Its tasks are
  /// something else.
  [[nodiscard]] bool is_of_question(std::uint32_t thread, std::string_view label) const;
  [[nodiscard]] checker::NameId owner(std::uint32_t thread) const { return threads_[thread].owner; }
  [[nodiscard]] checker::NameId name(std::uint32_t thread) const { return threads_[thread].name; }
  /// The name by which the recorder knows a lock; interns it where no step names it.
  [[nodiscard]] checker::NameId lock_name(std::string_view name);

 private:
  struct PreparedStep {
    const scenario::Step* step;
    const scenario::StepForm* form;
    std::string text;
    std::string lock_text;             ///< "a,b": the locks' names; empty: it is about none
    std::vector<std::uint32_t> locks;  ///< indices into locks_
    std::size_t skip_to = 0;   ///< takes: where a thread goes on that did not get these locks
    std::size_t taken_at = 0;  ///< gives back: the step that takes what this gives back
  };
  struct Lock {
    std::string name;
    checker::NameId id;
  };
  /// What a thread thinks of a lock that it holds in one mode.
  struct Hold {
    std::int64_t count = 0;     ///< a release takes one off as it is invoked; permits: how many
    std::int64_t believed = 0;  ///< acquires minus releases that returned ok
    sim::TimerId validity{};
    bool has_validity = false;
    bool is_outlived = false;  ///< what was granted was valid for less time than it is kept
  };
  enum class Access : std::uint8_t { none, read, write };
  struct Thread {
    sim::ActorId actor;
    checker::NameId name;   ///< the thread's own
    checker::NameId owner;  ///< of what it holds: itself, or its process
    const scenario::ThreadSpec* spec;
    bool is_open = false;               ///< its steps are drawn anew in each round…
    std::vector<scenario::Step> drawn;  ///< …and stand here
    std::vector<PreparedStep> steps;
    std::vector<Hold> holds;  ///< by lock and mode: see hold_of
    std::size_t next_step = 0;
    // Who did not get a lock leaves out the steps behind `skip_from`, before `skip_until`, but for
    // those that give back what it had taken before.
    std::size_t skip_from = 0;
    std::size_t skip_until = 0;
    std::uint32_t rounds_left = 0;
    bool is_finished = false;
    bool has_turn = false;          ///< its next step waits for its turn
    bool tells_validity = false;    ///< it was told until when a hold is valid: it may go by that
    bool has_untrue_grant = false;  ///< its last one, which is for valid-grant to judge
    bool shares_call = false;       ///< another call of its owner overlaps its own; not state:
                                    ///< it only says what answers are judged
    std::optional<std::uint32_t> fiber;
    sim::TimerId sleep{};            ///< of the current step
    std::int64_t token = -1;         ///< of the last grant
    checker::Moment invoked;         ///< the current step
    std::size_t count_down = 0;      ///< the recorder's number of the current step's
    std::vector<std::size_t> waits;  ///< the recorder's numbers of what the current step waits for
    // The resource.
    std::optional<sim::ConnectionId> resource;
    bool resource_is_open = false;
    Access access = Access::none;
    std::uint64_t version = 0;
  };
  /// What lock and try_lock return besides true.
  struct GrantDetails {
    std::int64_t token = -1;
    std::optional<std::int64_t> valid_until_ms;
  };
  /// What a function of the client model returned.
  struct Returned {
    bool succeeded = false;
    std::string answer = {};    ///< the value as text
    bool says_nothing = false;  ///< it returned nothing, or nil
    bool raised = false;        ///< it refused by an error
    std::optional<std::int64_t> number = std::nullopt;
    GrantDetails details = {};
    std::string mistake = {};  ///< what is wrong with the details, if anything
  };
  enum class Next : std::uint8_t { following, past_unlock };

  void prepare_steps(Thread& thread, const std::vector<scenario::Step>& steps);
  void begin_round(Thread& thread);
  [[nodiscard]] std::uint32_t index_of_lock(const std::string& name);
  [[nodiscard]] const PreparedStep& current(const Thread& thread) const {
    return thread.steps[thread.next_step];
  }
  void draw_numbers();
  void take_fiber(std::uint32_t thread);
  void enqueue_next_step(std::uint32_t thread);
  void begin_step(std::uint32_t thread);
  void emit_invoked(const Thread& thread, const PreparedStep& prepared);
  /// Whether the thread did not get what its next step is for.
  [[nodiscard]] bool is_left_out(const Thread& thread) const;
  /// Emits the completion and moves on to the next step, which must still be given a turn.
  void complete_step(Thread& thread, std::string_view outcome, std::string_view detail,
                     Next next = Next::following);
  void finish(Thread& thread);
  void stop(Thread& thread);
  void report_client_model_mistake(std::uint32_t thread, std::string_view what);
  void call_client_model(std::uint32_t thread);
  void begin_builtin_step(std::uint32_t thread);
  void invoke_release(std::uint32_t thread);
  void crash_process();
  void returned(std::uint32_t thread, const Returned& values);

  // workload_locks.cpp: what the threads believe
  void granted(std::uint32_t thread, const GrantDetails& details);
  void grant(std::uint32_t thread, std::uint32_t lock, const PreparedStep& step,
             const checker::Moment& invoked, const GrantDetails& details);
  void refused(std::uint32_t thread);
  void released(std::uint32_t thread);
  void extended(std::uint32_t thread, const Returned& values);
  [[nodiscard]] Returned read_returned(const Fiber& fiber) const;
  [[nodiscard]] sim::TimeNs true_time_of(std::int64_t monotonic_ms) const;
  void watch_validity(std::uint32_t thread, std::uint32_t lock, checker::HoldMode mode,
                      std::int64_t valid_until_ms);
  void begin_belief(Thread& thread, std::uint32_t lock, checker::HoldMode mode);
  void end_belief(Thread& thread, std::uint32_t lock, checker::HoldMode mode,
                  checker::BeliefEnd why);
  void check_hold(Thread& thread, std::uint32_t lock, checker::HoldMode mode,
                  const TrueHold& truth);
  [[nodiscard]] bool counts_permits() const;
  [[nodiscard]] Hold& hold_of(Thread& thread, std::uint32_t lock, checker::HoldMode mode);
  [[nodiscard]] static bool is_in_call(const Thread& thread);
  [[nodiscard]] bool holds_are_certain(const Thread& thread) const;
  [[nodiscard]] bool client_counts_holds() const;

  // workload_locks.cpp: waiting, semaphores' permits, latches
  [[nodiscard]] static std::optional<sim::DurationNs> limit_of(const PreparedStep& prepared);
  void begin_waits(std::uint32_t thread);
  void end_waits(Thread& thread, checker::WaitEnd end);
  void on_permits_set(std::uint32_t thread, bool succeeded);
  void on_permits_possibly_set(const Thread& thread);
  void on_died_in_step(const Thread& thread);
  void passed(std::uint32_t thread);

  // workload_answers.cpp: what calls said
  /// REQUIRES: the step has not been completed.
  void tell_answer(std::uint32_t thread, const Returned& values);
  [[nodiscard]] bool is_claim(std::uint32_t thread, checker::CallKind call,
                              const Returned& values) const;
  void note_overlapping_calls(std::uint32_t thread);
  [[nodiscard]] bool owner_knows(std::uint32_t thread) const;
  [[nodiscard]] bool owner_has_unknown(std::uint32_t thread) const;

  // workload_resource.cpp
  void begin_write(std::uint32_t thread);
  void send_access(std::uint32_t thread);
  void access_answered(std::uint32_t thread, bool accepted);
  [[nodiscard]] std::optional<std::uint32_t> thread_at(sim::ConnectionId connection) const;

  ClientProcess& process_;
  FiberScheduler& fibers_;
  ClientModel& client_model_;
  ServiceOperations& operations_;
  const scenario::ClientSpec& spec_;
  std::vector<Lock> locks_;
  std::vector<Thread> threads_;
};

}  // namespace lockstep::model
