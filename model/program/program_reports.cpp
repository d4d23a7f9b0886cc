#include "model/program/program_reports.h"

#include <fmt/format.h>

#include <array>

#include "model/lock_truth.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "redis/protocol/integers.h"
#include "redis/values/value_text.h"
#include "scenario/milestones.h"

namespace lockstep::model {
namespace {

constexpr auto exclusive = checker::HoldMode::exclusive;
constexpr std::size_t words_max = 4;

/// The words of a line, and how many there are; more than `words_max` count as one more.
struct Words {
  std::array<std::string_view, words_max> text;
  std::size_t count = 0;
};

Words words_of(std::string_view line) {
  Words words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos) return words;
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.find_first_of(" \t\r"), line.size());
    if (words.count < words_max) words.text[words.count] = line.substr(0, length);
    if (++words.count > words_max) return words;
    line.remove_prefix(length);
  }
}

}  // namespace

ProgramReports::ProgramReports(sim::Host& host, sim::ActorId thread, std::string_view lock_name,
                               const ClientEnvironment& environment)
    : host_(host),
      thread_(thread),
      lock_name_(lock_name),
      environment_(environment),
      owner_(environment.recorder.names().intern(environment.trace.actor(thread).name)),
      lock_(environment.recorder.names().intern(lock_name_)) {}

void ProgramReports::start_run() {
  believed_count_ = 0;
  wait_.reset();
  asked_at_.reset();
  is_releasing_ = false;
}

std::string ProgramReports::tell(std::string_view line) {
  const Words words = words_of(line);
  if (words.count == 0) return {};
  const std::string said = redis::cut_text(line);
  const std::string_view word = words.text[0];
  const bool is_grant = word == "ACQUIRED";
  const bool is_known =
      is_grant || word == "ACQUIRING" || word == "REFUSED" || word == "RELEASED" || word == "LOST";
  if (!is_known || words.count < 2 || words.count > (is_grant ? words_max : 2)) {
    return fmt::format(
        "it reports \"{}\"; expected ACQUIRING, ACQUIRED, REFUSED, RELEASED or LOST "
        "and the lock's name, as in \"ACQUIRED {}\"",
        said, lock_name_);
  }
  if (words.text[1] != lock_name_) {
    return fmt::format(
        "it reports \"{}\", but the scenario's lock is '{}'; expected lock_name = "
        "\"{}\" in the scenario, or this name in the program",
        said, lock_name_, words.text[1]);
  }
  if (!is_grant) {
    if (word == "ACQUIRING") acquiring();
    if (word == "REFUSED") refused();
    if (word == "RELEASED") released();
    if (word == "LOST") lost();
    return {};
  }
  std::optional<std::int64_t> token;
  std::optional<std::int64_t> valid_until_ms;
  if (words.count > 2 && words.text[2] != "-") {
    token = redis::parse_integer(words.text[2]);
    if (!token || *token < 0) {
      return fmt::format(
          "it reports \"{}\"; expected a fencing token, a whole number, or \"-\" "
          "behind the lock's name",
          said);
    }
  }
  if (words.count > 3) {
    valid_until_ms = redis::parse_integer(words.text[3]);
    if (!valid_until_ms || *valid_until_ms > INT64_MAX / sim::millisecond_ns ||
        *valid_until_ms < 0) {
      return fmt::format(
          "it reports \"{}\"; expected the wall clock's milliseconds until which "
          "the lock is valid, behind the token",
          said);
    }
  }
  acquired(token, valid_until_ms);
  return {};
}

checker::Wait ProgramReports::wait_for_lock() const {
  checker::Wait wait{};
  wait.owner = owner_;
  wait.lock = lock_;
  return wait;
}

void ProgramReports::acquiring() {
  if (wait_ || believed_count_ > 0) return;
  environment_.trace.emit(environment_.queue.now(), trace_kind::step_invoked, thread_,
                          {{"step", "lock"}, {"lock", lock_name_}});
  wait_ = environment_.recorder.begin_wait(wait_for_lock());
}

void ProgramReports::end_wait(checker::WaitEnd end, std::string_view outcome) {
  if (!wait_) return;
  environment_.recorder.end_wait(*wait_, end);
  environment_.trace.emit(environment_.queue.now(), trace_kind::step_completed, thread_,
                          {{"step", "lock"}, {"outcome", outcome}});
  wait_.reset();
}

void ProgramReports::acquired(std::optional<std::int64_t> token,
                              std::optional<std::int64_t> valid_until_ms) {
  Recorder& recorder = environment_.recorder;
  checker::Moment invoked = asked_at_.value_or(recorder.now());
  if (wait_) {
    invoked = recorder.observations().waits[*wait_].from;
    end_wait(checker::WaitEnd::granted, "ok");
  } else if (asked_at_) {
    checker::Wait wait = wait_for_lock();
    wait.from = *asked_at_;
    wait.until = recorder.now();
    wait.end = checker::WaitEnd::granted;
    recorder.add(wait);
  }
  asked_at_.reset();
  is_releasing_ = false;
  if (++believed_count_ == 1) recorder.begin_belief(thread_, owner_, lock_, exclusive);
  const TrueHold truth = environment_.truth.hold_of(lock_, owner_, exclusive);
  checker::Grant grant{.owner = owner_,
                       .lock = lock_,
                       .at = recorder.now(),
                       .truly_held = truth.count > 0,
                       .true_holder = truth.count > 0 ? checker::no_name : truth.holder,
                       .true_lease_ends_ns = truth.lease_ends_ns,
                       .reported_valid_until_ns = std::nullopt,
                       .mode = exclusive,
                       .invoked = invoked,
                       .token = token};
  if (valid_until_ms) {
    grant.reported_valid_until_ns =
        host_.wall_clock().true_time_of(*valid_until_ms * sim::millisecond_ns);
  }
  recorder.add(grant);
  recorder.milestone(scenario::Milestone::acquired, thread_, lock_name_);
}

void ProgramReports::refused() {
  end_wait(checker::WaitEnd::refused, "fail");
  asked_at_.reset();
  environment_.recorder.milestone(scenario::Milestone::refused, thread_, lock_name_);
}

void ProgramReports::released() {
  if (believed_count_ == 0) return;
  is_releasing_ = true;
  if (--believed_count_ > 0) return;
  environment_.recorder.end_belief(owner_, lock_, exclusive, checker::BeliefEnd::released);
  environment_.recorder.milestone(scenario::Milestone::releasing, thread_, lock_name_);
}

void ProgramReports::lost() {
  if (believed_count_ == 0) return;
  believed_count_ = 0;
  environment_.recorder.end_belief(owner_, lock_, exclusive, checker::BeliefEnd::told);
}

void ProgramReports::on_request(bool names_lock) {
  if (!names_lock || believed_count_ > 0 || asked_at_) return;
  if (is_releasing_) {
    is_releasing_ = false;
    return;
  }
  asked_at_ = environment_.recorder.now();
}

void ProgramReports::end() {
  end_wait(checker::WaitEnd::crashed, "info");
  if (believed_count_ == 0) return;
  believed_count_ = 0;
  environment_.recorder.end_belief(owner_, lock_, exclusive, checker::BeliefEnd::crashed);
}

}  // namespace lockstep::model
