#include "tests/checker/recorded/mutex_histories.h"

#include <algorithm>

namespace lockstep::checker::recorded::testing {
namespace {

using checker::testing::Draw;

class Simulation {
 public:
  Simulation(const MutexHistoryShape& shape, Draw& draw)
      : shape_(shape), draw_(draw), clients_(static_cast<std::size_t>(shape.owner_count)) {}

  std::vector<Operation> run() {
    // All may wait for a lock that nobody gives back.
    for (std::int64_t round = 0; round < 50 * shape_.event_count; ++round) {
      if (position_ >= shape_.event_count) break;
      const auto client = static_cast<std::size_t>(draw_.below(shape_.owner_count));
      switch (draw_.below(4)) {
        case 0:
          if (!late_.empty()) take_effect_late();
          break;
        default:
          step(client);
      }
    }
    for (std::int64_t change = 0; change < shape_.changes; ++change) change_one();
    return std::move(history_);
  }

 private:
  struct Client {
    bool is_calling = false;
    std::size_t operation = 0;
    bool took_effect = false;
    bool granted = false;
    bool waits = false;
  };

  void step(std::size_t number) {
    Client& client = clients_[number];
    if (!client.is_calling) {
      invoke(number);
    } else if (!client.took_effect && (client.waits || draw_.one_in(2))) {
      take_effect(client);
    } else {
      complete(client);
    }
  }

  void invoke(std::size_t number) {
    const bool believes = beliefs_.size() > number && beliefs_[number] > 0;
    bool acquires = !believes;
    if (draw_.one_in(shape_.stray_one_in)) acquires = !acquires;
    Operation operation;
    operation.function = acquires ? Function::acquire : Function::release;
    operation.process = static_cast<TextId>(number);
    operation.owner = static_cast<TextId>(number);
    operation.invoked = next_position();
    const bool waits = acquires && shape_.waits_one_in > 0 && draw_.one_in(shape_.waits_one_in);
    clients_[number] = {true, history_.size(), false, false, waits};
    history_.push_back(operation);
  }

  /// Whether it was granted; a refusal leaves the lock as it is.
  bool call_lock(const Operation& operation) {
    if (operation.function == Function::acquire) {
      const bool reenters = shape_.kind == MutexKind::reentrant && holder_ == operation.owner;
      if (level_ > 0 && !reenters) return false;
      holder_ = operation.owner;
      ++level_;
      return true;
    }
    if (level_ == 0 || holder_ != operation.owner) return false;
    --level_;
    return true;
  }

  void take_effect(Client& client) {
    client.granted = call_lock(history_[client.operation]);
    client.took_effect = client.granted || !client.waits;
  }

  void complete(Client& client) {
    Operation& operation = history_[client.operation];
    const bool unknown = shape_.unknown_one_in > 0 && draw_.one_in(shape_.unknown_one_in);
    if (!client.took_effect && !unknown) {
      take_effect(client);
      if (!client.took_effect) return;
    }
    client.is_calling = false;
    const auto number = static_cast<std::size_t>(operation.owner);
    if (beliefs_.size() <= number) beliefs_.resize(number + 1);
    if (unknown) {
      if (!client.took_effect && draw_.one_in(2)) late_.push_back(client.operation);
      if (draw_.one_in(2)) operation.completed = next_position();
      if (draw_.one_in(2)) beliefs_[number] = operation.function == Function::acquire ? 1 : 0;
      return;
    }
    operation.outcome = client.granted ? Outcome::ok : Outcome::fail;
    operation.completed = next_position();
    if (client.granted) beliefs_[number] += operation.function == Function::acquire ? 1 : -1;
    if (beliefs_[number] < 0 || !client.granted) beliefs_[number] = 0;
  }

  void take_effect_late() {
    const auto place =
        static_cast<std::size_t>(draw_.below(static_cast<std::int64_t>(late_.size())));
    static_cast<void>(call_lock(history_[late_[place]]));
    late_.erase(late_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  void change_one() {
    if (history_.empty()) return;
    Operation& operation =
        history_[static_cast<std::size_t>(draw_.below(static_cast<std::int64_t>(history_.size())))];
    if (operation.completed == never_completed || operation.outcome == Outcome::info) return;
    operation.outcome = operation.outcome == Outcome::ok ? Outcome::fail : Outcome::ok;
    if (draw_.one_in(3)) {
      operation.function =
          operation.function == Function::acquire ? Function::release : Function::acquire;
    }
  }

  std::uint32_t next_position() { return static_cast<std::uint32_t>(position_++); }

  MutexHistoryShape shape_;
  Draw& draw_;
  std::vector<Client> clients_;
  std::vector<int> beliefs_;
  std::vector<std::size_t> late_;  ///< unknown outcomes that will still take effect
  std::vector<Operation> history_;
  std::int64_t position_ = 0;
  TextId holder_ = no_text;
  int level_ = 0;
};

}  // namespace

std::vector<Operation> random_mutex_history(const MutexHistoryShape& shape, Draw& draw) {
  return Simulation(shape, draw).run();
}

std::string to_text(const std::vector<Operation>& operations) {
  std::string text;
  for (const Operation& operation : operations) {
    text.append(std::to_string(static_cast<std::uint32_t>(operation.owner)));
    text.append(operation.function == Function::acquire ? " acquire [" : " release [");
    text.append(std::to_string(operation.invoked)).append(", ");
    text.append(operation.completed == never_completed ? "never"
                                                       : std::to_string(operation.completed));
    static constexpr const char* outcomes[] = {"] ok\n", "] fail\n", "] info\n"};
    text.append(outcomes[static_cast<std::size_t>(operation.outcome)]);
  }
  return text;
}

}  // namespace lockstep::checker::recorded::testing
