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

class Rounds {
 public:
  explicit Rounds(const RoundsShape& shape) : shape_(shape), dice_(shape.seed) {
    for (std::uint32_t client = 0; client < shape.clients; ++client) {
      owners_.push_back(history_.texts.intern(fmt::format("c{}", client)));
      processes_.push_back(owners_.back());
    }
    history_.operations.reserve(shape.operations + shape.clients);
  }

  History generate() {
    const std::uint64_t broken_at =
        std::uint64_t{shape_.operations} * shape_.too_many_percent / 100;
    bool is_broken = shape_.too_many_percent == 0;
    while (history_.operations.size() < shape_.operations) {
      if (!is_broken && history_.operations.size() >= broken_at) {
        grant_too_many();
        is_broken = true;
      }
      play_round();
    }
    history_.events = position_;
    return std::move(history_);
  }

 private:
  /// Some ask at once. As many as there are permits are served and give them back, then the next.
  void play_round() {
    const std::uint32_t permits = shape_.permits;
    const std::uint32_t count = (1 + dice_.below(shape_.clients / permits)) * permits;
    const Function lost = dice_.one_in(2) ? Function::acquire : Function::release;
    const std::uint32_t first = dice_.below(shape_.clients);
    const auto client = [&](std::uint32_t place) { return (first + place) % shape_.clients; };
    std::vector<std::uint32_t> asked;
    for (std::uint32_t place = 0; place < count; ++place) {
      asked.push_back(invoke(client(place), Function::acquire));
    }
    for (std::uint32_t group = 0; group < count; group += permits) {
      for (std::uint32_t place = group; place < group + permits; ++place) {
        complete(asked[place], lost == Function::acquire && group > 0 && is_lost());
      }
      for (std::uint32_t place = group; place < group + permits; ++place) {
        complete(invoke(client(place), Function::release), lost == Function::release && is_lost());
      }
    }
  }

  /// One operation in two is of the kind that may be lost.
  bool is_lost() { return dice_.percent(2 * shape_.unknown_percent); }

  void grant_too_many() {
    for (std::uint32_t count = 0; count < 2 * shape_.permits + 1; ++count) {
      complete(invoke(count % shape_.clients, Function::acquire), false);
    }
  }

  std::uint32_t invoke(std::uint32_t client, Function function) {
    Operation operation;
    operation.function = function;
    operation.process = processes_[client];
    operation.owner = owners_[client];
    operation.invoked_ns = std::int64_t{position_} * 1'000'000;
    operation.invoked = position_++;
    operation.invoked_line = position_;
    history_.operations.push_back(operation);
    client_of_.push_back(client);
    return static_cast<std::uint32_t>(history_.operations.size() - 1);
  }

  void complete(std::uint32_t index, bool is_lost) {
    Operation& operation = history_.operations[index];
    operation.outcome = is_lost ? Outcome::info : Outcome::ok;
    operation.completed_ns = std::int64_t{position_} * 1'000'000;
    operation.completed = position_++;
    operation.completed_line = position_;
    if (is_lost) {
      processes_[client_of_[index]] = history_.texts.intern(fmt::format("p{}", process_count_++));
    }
  }

  RoundsShape shape_;
  Dice dice_;
  History history_;
  std::vector<TextId> owners_;
  std::vector<TextId> processes_;
  std::vector<std::uint32_t> client_of_;
  std::uint32_t position_ = 0;
  std::uint32_t process_count_ = 0;
};

}  // namespace

History generate_rounds(const RoundsShape& shape) { return Rounds(shape).generate(); }

}  // namespace lockstep::bench
