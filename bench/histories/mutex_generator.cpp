#include <fmt/format.h>

#include <utility>
#include <vector>

#include "bench/histories/dice.h"
#include "bench/histories/history_generator.h"

namespace lockstep::bench {
namespace {

using checker::recorded::Function;
using checker::recorded::History;
using checker::recorded::Operation;
using checker::recorded::Outcome;
using checker::recorded::TextId;

constexpr std::uint32_t nobody = UINT32_MAX;
/// So many clients have no unknown outcomes if the lock is to be held twice: two of them hold it.
constexpr std::uint32_t surely_known = 4;

class MutexClients {
 public:
  explicit MutexClients(const MutexShape& shape)
      : shape_(shape), dice_(shape.seed), clients_(shape.clients) {
    history_.operations.reserve(shape.operations);
    for (std::uint32_t client = 0; client < shape.clients; ++client) {
      clients_[client].owner = history_.texts.intern(fmt::format("c{}", client));
      clients_[client].process = clients_[client].owner;
      runnable_.push_back(client);
    }
  }

  History generate() {
    while (!runnable_.empty()) {
      if (is_time_to_break()) {
        break_mutual_exclusion();
        continue;
      }
      if (!late_releases_.empty() && dice_.one_in(200)) release_late();
      step(dice_.below(static_cast<std::uint32_t>(runnable_.size())));
    }
    history_.events = position_;
    return std::move(history_);
  }

 private:
  enum class Phase : std::uint8_t { idle, called, done };
  /// Of a call whose outcome the client never hears.
  enum class Fate : std::uint8_t { known, in_time, late, never };

  struct Client {
    TextId owner{};
    TextId process{};
    Phase phase = Phase::idle;
    Fate fate = Fate::known;
    std::uint32_t operation = 0;
    bool granted = false;
    bool should_release = false;
    bool holds_falsely = false;
  };

  /// One thing that this client does next; place: in runnable_.
  void step(std::uint32_t place) {
    const std::uint32_t number = runnable_[place];
    Client& client = clients_[number];
    switch (client.phase) {
      case Phase::idle:
        if (history_.operations.size() >= shape_.operations && !must_still_break()) {
          leave(place);
        } else {
          invoke(client);
          client.fate = draw_fate(number);
        }
        break;
      case Phase::called:
        take_effect(place);
        break;
      case Phase::done:
        complete(number);
        break;
    }
  }

  void leave(std::uint32_t place) {
    runnable_[place] = runnable_.back();
    runnable_.pop_back();
  }

  void invoke(Client& client) {
    Operation operation;
    operation.function = client.should_release ? Function::release : Function::acquire;
    operation.process = client.process;
    operation.owner = client.owner;
    operation.invoked = position_++;
    client.operation = static_cast<std::uint32_t>(history_.operations.size());
    client.phase = Phase::called;
    history_.operations.push_back(operation);
  }

  void take_effect(std::uint32_t place) {
    const std::uint32_t number = runnable_[place];
    Client& client = clients_[number];
    if (client.fate == Fate::never || client.fate == Fate::late) {
      if (client.fate == Fate::late) late_releases_.push_back(number);
    } else if (client.should_release) {
      client.granted = client.holds_falsely || holder_ == number;
      if (client.granted && !client.holds_falsely) set_free();
    } else if (holder_ == nobody) {
      holder_ = number;
      client.granted = true;
    } else if (shape_.waiting == Waiting::blocking && holder_ != number) {
      waiting_.push_back(number);
      leave(place);
      return;
    } else {
      client.granted = false;
    }
    client.phase = Phase::done;
  }

  void set_free() {
    holder_ = nobody;
    if (waiting_.empty()) return;
    const std::uint32_t place = dice_.below(static_cast<std::uint32_t>(waiting_.size()));
    holder_ = std::exchange(waiting_[place], waiting_.back());
    waiting_.pop_back();
    clients_[holder_].granted = true;
    clients_[holder_].phase = Phase::done;
    runnable_.push_back(holder_);
  }

  void complete(std::uint32_t number) {
    Client& client = clients_[number];
    Operation& operation = history_.operations[client.operation];
    operation.completed = position_++;
    client.phase = Phase::idle;
    const bool releases = client.should_release;
    if (client.fate != Fate::known) {
      operation.outcome = Outcome::info;
      client.process = history_.texts.intern(fmt::format("p{}", process_count_++));
      client.should_release = true;
      return;
    }
    operation.outcome = client.granted ? Outcome::ok : Outcome::fail;
    client.should_release = !releases && client.granted;
    if (releases) client.holds_falsely = false;
  }

  Fate draw_fate(std::uint32_t number) {
    if (shape_.double_hold_percent != 0 && number < surely_known) return Fate::known;
    if (!dice_.percent(shape_.unknown_percent)) return Fate::known;
    if (dice_.one_in(2)) return Fate::in_time;
    return clients_[number].should_release && dice_.one_in(4) ? Fate::late : Fate::never;
  }

  /// A release without a known outcome that was long under way.
  void release_late() {
    const std::uint32_t number = late_releases_.back();
    late_releases_.pop_back();
    if (holder_ == number) set_free();
  }

  [[nodiscard]] bool must_still_break() const {
    return shape_.double_hold_percent != 0 && !is_broken_;
  }

  /// The holder knows that it holds the lock and hasn't called release; another isn't answered yet.
  [[nodiscard]] bool is_time_to_break() const {
    return must_still_break() && holder_ < surely_known &&
           history_.operations.size() >=
               std::uint64_t{shape_.operations} * shape_.double_hold_percent / 100 &&
           clients_[holder_].phase == Phase::idle && clients_[holder_].should_release &&
           !clients_[second()].should_release && clients_[second()].phase != Phase::done;
  }

  [[nodiscard]] std::uint32_t second() const { return (holder_ + 1) % surely_known; }

  void break_mutual_exclusion() {
    const std::uint32_t number = second();
    Client& client = clients_[number];
    if (client.phase == Phase::idle) invoke(client);
    for (std::uint32_t place = 0; place < waiting_.size(); ++place) {
      if (waiting_[place] != number) continue;
      waiting_[place] = waiting_.back();
      waiting_.pop_back();
      runnable_.push_back(number);
      break;
    }
    client.fate = Fate::known;
    client.granted = true;
    client.holds_falsely = true;
    complete(number);
    is_broken_ = true;
  }

  MutexShape shape_;
  Dice dice_;
  std::vector<Client> clients_;
  std::vector<std::uint32_t> runnable_;
  std::vector<std::uint32_t> waiting_;
  std::vector<std::uint32_t> late_releases_;
  History history_;
  std::uint32_t position_ = 0;
  std::uint32_t process_count_ = 0;
  std::uint32_t holder_ = nobody;
  bool is_broken_ = false;
};

}  // namespace

History generate_mutex(const MutexShape& shape) { return MutexClients(shape).generate(); }

}  // namespace lockstep::bench
