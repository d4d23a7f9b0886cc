#include "random_history.h"

#include <optional>
#include <sstream>
#include <utility>

#include "checker/history.h"

namespace lockstep::checker::testing {

std::uint64_t Draw::next() {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ mixed >> 30U) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ mixed >> 27U) * 0x94D049BB133111EBU;
  return mixed ^ mixed >> 31U;
}

std::int64_t Draw::below(std::int64_t bound) {
  return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(bound));
}

namespace {

/// The server: the lock's true state and what each request does to it.
class Server {
 public:
  Server(const HistoryShape& shape, Draw& draw) : shape_(shape), draw_(draw) {}

  /// Runs the request at `now_ns`; whether it was granted. `holder`: whose hold it is about.
  bool execute(const Operation& request, NameId holder, TimeNs now_ns) {
    if (held_ && now_ns >= lapses_ns_ && draw_.one_in(2)) held_ = false;
    const bool mine = held_ && owner_ == holder;
    switch (request.kind) {
      case OperationKind::acquire:
        if (held_ && !(mine && shape_.reentry == Reentry::counted)) return false;
        count_ = mine ? count_ + 1 : 1;
        if (!held_) lapses_ns_ = never_ns;
        held_ = true;
        owner_ = holder;
        break;
      case OperationKind::renew:
        if (!mine) return false;
        break;
      case OperationKind::release:
        if (!mine) return false;
        if (--count_ == 0) held_ = false;
        break;
      case OperationKind::force_release:
        if (!held_) return false;
        held_ = false;
        break;
    }
    if (held_ && request.lease_ns > 0) start_lease(request.lease_ns, now_ns);
    return true;
  }

 private:
  /// A clock within the drift, and an expiry that may be late by a little.
  void start_lease(TimeNs lease_ns, TimeNs now_ns) {
    const std::int64_t fast_ppm = draw_.one_in(2) ? shape_.drift_ppm : 0;
    const TimeNs shortest_ns = (lease_ns * (1'000'000 - fast_ppm) + 999'999) / 1'000'000;
    lapses_ns_ = now_ns + shortest_ns + (draw_.one_in(2) ? draw_.below(3) : 0);
  }

  const HistoryShape& shape_;
  Draw& draw_;
  bool held_ = false;
  NameId owner_ = no_name;
  int count_ = 0;
  TimeNs lapses_ns_ = never_ns;
};

/// One thread of an owner, and its call under way.
struct Thread {
  NameId owner = no_name;
  std::optional<std::size_t> call;
  std::optional<bool> granted;  ///< none: not executed yet
  // Where re-entry is refused, what it remembers of its acquires, by their index:
  std::optional<NameId> held;      ///< granted, and not given back
  std::optional<NameId> had_last;  ///< the last that was granted
  std::optional<NameId> given_up;  ///< the last with unknown outcome
};

class HistoryTeller {
 public:
  HistoryTeller(const HistoryShape& shape, Draw& draw)
      : shape_(shape), draw_(draw), server_(shape, draw) {
    for (std::int64_t owner = 0; owner < shape.owner_count; ++owner) {
      for (std::int64_t thread = 0; thread < shape.threads_per_owner; ++thread) {
        threads_.emplace_back().owner = NameId{static_cast<std::uint32_t>(owner)};
      }
    }
  }

  std::vector<Operation> tell() {
    while (true) {
      now_.at_ns += draw_.one_in(3) ? 0 : draw_.below(shape_.step_ns_max + 1);
      ++now_.order;
      Thread& thread = threads_[static_cast<std::size_t>(
          draw_.below(static_cast<std::int64_t>(threads_.size())))];
      if (!stray_.empty() && draw_.one_in(4)) execute_stray();
      if (thread.call) {
        go_on(thread);
      } else if (operations_.size() < shape_.operation_count) {
        invoke(thread);
      } else if (all_idle()) {
        return operations_;
      }
    }
  }

 private:
  void invoke(Thread& thread) {
    static constexpr OperationKind kinds[] = {OperationKind::acquire, OperationKind::acquire,
                                              OperationKind::acquire, OperationKind::acquire,
                                              OperationKind::renew,   OperationKind::release,
                                              OperationKind::release, OperationKind::release};
    const bool forced = draw_.one_in(15);
    const OperationKind kind = forced ? OperationKind::force_release : kinds[draw_.below(8)];
    Operation operation{kind, thread.owner, thread.owner, NameId{0}, now_, {}};
    const bool leaseless = forced || draw_.one_in(kind == OperationKind::release ? 2 : 12);
    operation.lease_ns = leaseless ? 0 : 1 + draw_.below(shape_.lease_ns_max);
    thread.call = operations_.size();
    thread.granted.reset();
    holders_.push_back(holder_meant(thread, kind));
    operations_.push_back(operation);
  }

  /// Whose hold a thread's next operation is about.
  NameId holder_meant(Thread& thread, OperationKind kind) const {
    if (shape_.reentry == Reentry::counted) return thread.owner;
    const auto itself = static_cast<NameId>(operations_.size());
    if (kind == OperationKind::acquire) return itself;
    if (kind != OperationKind::release) return thread.had_last.value_or(itself);
    if (const auto held = std::exchange(thread.held, std::nullopt)) return *held;
    return thread.given_up.value_or(thread.had_last.value_or(itself));
  }

  /// Executes the call, or returns from it, or gives it up.
  void go_on(Thread& thread) {
    Operation& operation = operations_[*thread.call];
    if (shape_.unknown_one_in > 0 && draw_.one_in(2 * shape_.unknown_one_in)) {
      if (draw_.one_in(2)) operation.completed = now_;
      if (!thread.granted && draw_.one_in(2)) stray_.push_back(*thread.call);
      if (operation.kind == OperationKind::acquire) thread.given_up = holders_[*thread.call];
      thread.call.reset();
    } else if (!thread.granted) {
      thread.granted = server_.execute(operation, holders_[*thread.call], now_.at_ns);
    } else {
      operation.completed = now_;
      operation.outcome = *thread.granted ? Outcome::ok : Outcome::fail;
      if (operation.kind == OperationKind::acquire && *thread.granted) {
        thread.held = thread.had_last = holders_[*thread.call];
        thread.given_up.reset();
      }
      thread.call.reset();
    }
  }

  /// A request that its client has given up reaches the server after all.
  void execute_stray() {
    const auto chosen = draw_.below(static_cast<std::int64_t>(stray_.size()));
    const std::size_t call = stray_[static_cast<std::size_t>(chosen)];
    server_.execute(operations_[call], holders_[call], now_.at_ns);
    stray_.erase(stray_.begin() + chosen);
  }

  [[nodiscard]] bool all_idle() const {
    for (const Thread& thread : threads_) {
      if (thread.call) return false;
    }
    return true;
  }

  const HistoryShape& shape_;
  Draw& draw_;
  Server server_;
  Moment now_;
  std::vector<Thread> threads_;
  std::vector<std::size_t> stray_;
  std::vector<Operation> operations_;
  std::vector<NameId> holders_;  // by operation: whose hold it is about
};

}  // namespace

std::vector<Operation> random_history(const HistoryShape& shape, Draw& draw) {
  return HistoryTeller(shape, draw).tell();
}

void mutate(std::vector<Operation>& operations, const HistoryShape& shape, Draw& draw) {
  if (operations.empty()) return;
  const std::int64_t chosen = draw.below(static_cast<std::int64_t>(operations.size()));
  Operation& operation = operations[static_cast<std::size_t>(chosen)];
  switch (draw.below(6)) {
    case 0:
      if (operation.outcome == Outcome::info) break;
      operation.outcome = operation.outcome == Outcome::ok ? Outcome::fail : Outcome::ok;
      break;
    case 1:
      operation.owner = NameId{static_cast<std::uint32_t>(draw.below(shape.owner_count))};
      break;
    case 2:
      operation.kind = static_cast<OperationKind>(draw.below(4));
      break;
    case 3:
      operation.lease_ns = draw.below(2 * shape.lease_ns_max);
      break;
    case 4:
      if (operation.completed) operation.outcome = static_cast<Outcome>(draw.below(2));
      break;
    default:
      operations.erase(operations.begin() + chosen);
      break;
  }
}

std::string to_text(const std::vector<Operation>& operations) {
  static constexpr const char* kinds[] = {"acquire", "renew", "release", "force_release"};
  static constexpr const char* outcomes[] = {"ok", "fail", "info"};
  std::ostringstream text;
  for (const Operation& operation : operations) {
    text << static_cast<char>('a' + static_cast<char>(operation.owner)) << ' '
         << kinds[static_cast<std::size_t>(operation.kind)] << " [" << operation.invoked.at_ns
         << '#' << operation.invoked.order << ", ";
    if (operation.completed) {
      text << operation.completed->at_ns << '#' << operation.completed->order << "] ";
    } else {
      text << "...] ";
    }
    text << outcomes[static_cast<std::size_t>(operation.outcome)] << " lease " << operation.lease_ns
         << " ns\n";
  }
  return text.str();
}

}  // namespace lockstep::checker::testing
