#include "tests/redis/comparison/command_sequences.h"

#include <algorithm>
#include <array>

#include "redis/protocol/letter_case.h"
#include "redis/protocol/reply.h"
#include "redis/protocol/reply_writer.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/generated_scripts.h"
#include "tests/redis/comparison/resp_message.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::int64_t us_per_ms = 1000;

/// Makes the steps of one sequence, beside a server that runs them.
class SequenceMaker {
 public:
  SequenceMaker(const SequenceKind& kind, std::uint64_t seed) : kind_(kind), dice_(seed) {
    for (std::size_t i = 0; i < kind.sessions; ++i) sessions_.push_back(server_.open());
    for (const std::string& script : kind.scripts) server_.run({"SCRIPT", "LOAD", script});
  }

  Sequence make() {
    const std::size_t length = kind_.steps_min + dice_.below(kind_.steps_max - kind_.steps_min + 1);
    const std::size_t populating = dice_.below(8);
    Sequence sequence;
    for (std::size_t i = 0; i < length; ++i) {
      sequence.push_back(i < populating ? populate() : step());
      run(sequence.back());
    }
    if (kind_.players == ServerSetup::replicas) add_changes_of_role(sequence);
    if (kind_.players == ServerSetup::restarts) add_restarts(sequence);
    return sequence;
  }

 private:
  Step populate() {
    Step step;
    step.words = maker().request(dice_.one_of(population_templates()));
    return step;
  }

  /// The second half of the sessions belongs to the replica.
  void add_changes_of_role(Sequence& sequence) {
    constexpr std::array<std::string_view, 6> ahead_us{"0",       "1000",    "-1000",
                                                       "5000000", "-700000", "2000000"};
    if (!dice_.one_in(4)) {
      const std::size_t promotion = dice_.below(sequence.size() + 1);
      const std::size_t back = promotion + dice_.below(sequence.size() + 1 - promotion);
      insert(sequence, back, {0, 0, {"REPLICAOF", "127.0.0.1", "0"}});
      insert(sequence, promotion, {0, kind_.sessions - 1, {"REPLICAOF", "NO", "ONE"}});
    }
    insert(sequence, 0, {0, 0, {"CLOCK-AHEAD", std::string(dice_.one_of(ahead_us))}});
  }

  void add_restarts(Sequence& sequence) {
    constexpr std::array<std::string_view, 5> down_ms{"0", "1", "10", "500", "2000"};
    const std::size_t count = 1 + dice_.below(3);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view how = dice_.one_in(2) ? "kill" : "terminate";
      const std::string_view down = dice_.one_of(down_ms);
      insert(sequence, dice_.below(sequence.size() + 1),
             {0, 0, {"RESTART", std::string(how), std::string(down)}});
    }
  }

  static void insert(Sequence& sequence, std::size_t at, Step step) {
    sequence.insert(sequence.begin() + static_cast<std::ptrdiff_t>(at), std::move(step));
  }

  Step step() {
    Step step;
    step.session = dice_.below(kind_.sessions);
    // The replica refuses most; the master has more to do.
    if (kind_.players == ServerSetup::replicas && dice_.one_in(2)) step.session /= 2;
    step.advance_us = advance();
    if (in_transaction_[step.session] && dice_.one_in(4)) {
      step.words = {"EXEC"};
      return step;
    }
    if (!kind_.calls.empty() && dice_.one_in(kind_.templates.empty() ? 1 : 5)) {
      step.words = generated_script(dice_, maker(), kind_.calls);
      return step;
    }
    RequestGenerator words = maker();
    step.words = words.request(dice_.one_of(kind_.templates));
    if (dice_.one_in(40)) words.disturb(step.words);
    // A subscribed connection can do little else, so one of several is enough.
    const bool is_subscription = mentions(step.words[0], "subscribe");
    if (is_subscription && !dice_.one_in(4)) step.session = kind_.sessions - 1;
    // What it confirms comes elsewhere inside EXEC's array: a known difference.
    if (is_subscription && in_transaction_[step.session]) step.words = {"PING"};
    if (is_unspecified(step.words)) step.words = {"PING"};
    return step;
  }

  static bool mentions(std::string_view name, std::string_view part) {
    const auto letters_equal = [](char a, char b) { return lower_case(a) == b; };
    return std::search(name.begin(), name.end(), part.begin(), part.end(), letters_equal) !=
           name.end();
  }

  /// Ranges by member of a big sorted set whose scores differ depend on the levels that Redis draws
  /// at random.
  bool is_unspecified(const std::vector<std::string>& words) {
    const auto is_lexical = [](const std::string& word) { return mentions(word, "lex"); };
    if (std::none_of(words.begin(), words.end(), is_lexical)) return false;
    return std::any_of(words.begin() + 1, words.end(), [this](const std::string& word) {
      const Entry* const entry = server_.server().keyspace().stored(word);
      const auto* const set =
          entry == nullptr ? nullptr : std::get_if<SortedSetValue>(&entry->value);
      return set != nullptr && !set->is_listpack() &&
             set->at(0).score != set->at(set->size() - 1).score;
    });
  }

  RequestGenerator maker() {
    return {dice_, server_.server().keyspace(), length_, SimulatedServer::start_ms};
  }

  /// Mostly nothing or little; often to the millisecond at which a key expires, or beside it.
  std::int64_t advance() {
    constexpr std::array<std::int64_t, 12> steps_us{
        0, 0, 1000, 999, 1, 10'000, 9'000, 100'000, 490'000, 500'000, 1'000'000, 2'000'000};
    switch (dice_.below(5)) {
      case 0:
        return dice_.one_of(steps_us);
      case 1:
        return to_some_deadline();
      default:
        return 0;
    }
  }

  std::int64_t to_some_deadline() {
    constexpr std::array<std::int64_t, 5> beside_us{0, -1000, 1000, 999, -1};
    constexpr std::int64_t farthest_ms = 100'000;
    std::vector<std::int64_t> deadlines_ms;
    for (const auto& [name, entry] : server_.server().keyspace().entries()) {
      const std::int64_t now_ms = server_.now_us() / us_per_ms;
      if (!entry.expire_at_ms || *entry.expire_at_ms < now_ms) continue;
      if (*entry.expire_at_ms - now_ms < farthest_ms) deadlines_ms.push_back(*entry.expire_at_ms);
    }
    if (deadlines_ms.empty()) return 0;
    const std::int64_t to_us = dice_.one_of(deadlines_ms) * us_per_ms + dice_.one_of(beside_us);
    return std::max<std::int64_t>(0, to_us - server_.now_us());
  }

  void run(const Step& step) {
    if (equals_ignoring_case(step.words[0], "multi")) in_transaction_[step.session] = true;
    if (equals_ignoring_case(step.words[0], "exec")) in_transaction_[step.session] = false;
    server_.set_time_us(server_.now_us() + step.advance_us);
    const std::vector<std::string_view> words(step.words.begin(), step.words.end());
    if (server_.is_blocked(sessions_[step.session])) return;
    DiscardingReplyWriter nowhere;
    server_.try_run_in(sessions_[step.session], words, nowhere);
  }

  const SequenceKind& kind_;
  Dice dice_;
  WordLength length_ = dice_.one_in(4) ? WordLength::any : WordLength::small;
  SimulatedServer server_;
  std::vector<SessionId> sessions_;
  std::vector<bool> in_transaction_ = std::vector<bool>(kind_.sessions);
};

rc::Seq<Step> calmer(const Step& step) {
  std::vector<Step> steps;
  if (step.advance_us != 0) steps.push_back({0, step.session, step.words});
  if (step.session != 0) steps.push_back({step.advance_us, 0, step.words});
  return rc::seq::fromContainer(std::move(steps));
}

void add(std::vector<std::string_view>& all, std::span<const std::string_view> some) {
  all.insert(all.end(), some.begin(), some.end());
}

std::vector<std::string_view> call_templates() {
  std::vector<std::string_view> calls;
  for (const CommandFamily& each : command_families()) {
    if (each.mixing == Mixing::in_calls) add(calls, each.templates);
  }
  return calls;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Step& step) {
  out << "\n  ";
  if (step.advance_us != 0) out << '+' << step.advance_us << " us, ";
  return out << "session " << step.session << ": " << cli_line(step.words);
}

SequenceKind kind_of(const CommandFamily& family) {
  SequenceKind kind;
  kind.sessions = family.sessions;
  const std::size_t times = 1 + 60 / family.templates.size();
  for (std::size_t i = 0; i < times; ++i) add(kind.templates, family.templates);
  add(kind.templates, population_templates());
  for (const char* line : {"DEL $key", "PEXPIRE $key $ms", "PTTL $key", "SET $key $text PX $ms",
                           "TYPE $key", "EXISTS $key"}) {
    kind.templates.emplace_back(line);
  }
  return kind;
}

SequenceKind mixed_kind() {
  SequenceKind kind;
  kind.sessions = 3;
  for (const CommandFamily& each : command_families()) {
    if (each.mixing != Mixing::alone) add(kind.templates, each.templates);
  }
  kind.calls = call_templates();
  return kind;
}

SequenceKind generated_scripts_kind() {
  SequenceKind kind;
  add(kind.templates, population_templates());
  kind.calls = call_templates();
  return kind;
}

SequenceKind replicas_kind() {
  SequenceKind kind;
  kind.players = ServerSetup::replicas;
  kind.sessions = 4;
  for (const CommandFamily& each : command_families()) {
    const bool tells_real_time = each.name == "server" || each.name == "connection";
    if (each.mixing != Mixing::alone && !tells_real_time) add(kind.templates, each.templates);
  }
  add(kind.templates, population_templates());
  kind.calls = call_templates();
  return kind;
}

SequenceKind restarts_kind(std::string_view storing) {
  SequenceKind kind;
  kind.players = ServerSetup::restarts;
  kind.storing = storing;
  for (const CommandFamily& each : command_families()) {
    if (each.mixing == Mixing::in_calls) add(kind.templates, each.templates);
  }
  add(kind.templates, transaction_templates());
  add(kind.templates, population_templates());
  kind.calls = call_templates();
  return kind;
}

Sequence make_sequence(const SequenceKind& kind, std::uint64_t seed) {
  return SequenceMaker(kind, seed).make();
}

rc::Seq<Sequence> smaller_sequences(const Sequence& sequence) {
  return rc::seq::concat(rc::shrink::removeChunks(sequence),
                         rc::shrink::eachElement(sequence, calmer));
}

rc::Gen<Sequence> any_sequence(const SequenceKind& kind) {
  return [kind](const rc::Random& random, int size) {
    constexpr int size_max = 100;
    SequenceKind sized = kind;
    sized.steps_max = std::max(kind.steps_min, kind.steps_max * static_cast<std::size_t>(size) /
                                                   static_cast<std::size_t>(size_max));
    rc::Random numbers = random;
    return rc::shrinkable::shrinkRecur(
        make_sequence(sized, numbers.next()),
        [](const Sequence& sequence) { return smaller_sequences(sequence); });
  };
}

}  // namespace lockstep::redis::test
