#include <fmt/format.h>

#include <string>
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

/// Clients that read, write, append to, compare and set the values of a few keys.
class ValueClients {
 public:
  explicit ValueClients(const ValuesShape& shape)
      : shape_(shape), dice_(shape.seed), clients_(shape.clients), values_(shape.keys, "nil") {
    for (std::uint32_t client = 0; client < shape.clients; ++client) {
      clients_[client].process = history_.texts.intern(fmt::format("{}", client));
    }
  }

  History generate() {
    while (history_.operations.size() < shape_.operations || under_way_ > 0) {
      Client& client = clients_[dice_.below(shape_.clients)];
      if (client.naps > 0) {
        --client.naps;
        continue;
      }
      switch (client.phase) {
        case Phase::idle:
          if (history_.operations.size() < shape_.operations) {
            invoke(client);
            nap(client);
          }
          break;
        case Phase::called:
          take_effect(client);
          nap(client);
          break;
        case Phase::done:
          complete(client);
          break;
      }
    }
    if (shape_.wrong_read) spoil_a_read();
    history_.events = position_;
    return std::move(history_);
  }

 private:
  enum class Phase : std::uint8_t { idle, called, done };
  struct Client {
    TextId process{};
    Phase phase = Phase::idle;
    std::uint32_t operation = 0;
    std::uint32_t key = 0;
    bool is_lost = false;
    std::uint32_t naps = 0;  ///< how many of its turns it lets pass
  };

  void invoke(Client& client) {
    Operation operation;
    operation.process = client.process;
    operation.owner = client.process;
    client.key = dice_.below(shape_.keys);
    if (shape_.keys > 1) operation.key = history_.texts.intern(fmt::format("k{}", client.key));
    choose(operation);
    operation.invoked = position_++;
    client.operation = static_cast<std::uint32_t>(history_.operations.size());
    client.is_lost = operation.function != Function::read && dice_.percent(shape_.unknown_percent);
    client.phase = Phase::called;
    history_.operations.push_back(operation);
    ++under_way_;
  }

  /// One operation in eight takes long, so that many others begin and end beside it.
  void nap(Client& client) {
    if (shape_.uneven && dice_.one_in(8)) client.naps = dice_.below(40);
  }

  void choose(Operation& operation) {
    const std::uint32_t draw = dice_.below(100);
    if (draw < shape_.append_percent) {
      operation.function = Function::append;
      operation.argument = history_.texts.intern(fmt::format("<{}>", count_++));
    } else if (draw < shape_.append_percent + shape_.compare_percent) {
      operation.function = Function::compare_and_set;
      operation.argument = new_value();
      operation.second_argument = new_value();
    } else if (shape_.write_percent == by_halves
                   ? dice_.one_in(2)
                   : draw < shape_.append_percent + shape_.compare_percent + shape_.write_percent) {
      operation.function = Function::write;
      operation.argument = new_value();
    } else {
      operation.function = Function::read;
    }
  }

  TextId new_value() {
    const std::uint32_t value = shape_.values == 0 ? count_++ : dice_.below(shape_.values);
    return history_.texts.intern(fmt::format("{}", value));
  }

  void take_effect(Client& client) {
    Operation& operation = history_.operations[client.operation];
    std::string& value = values_[client.key];
    const bool never = client.is_lost && dice_.one_in(2);
    client.phase = Phase::done;
    operation.outcome = client.is_lost ? Outcome::info : Outcome::ok;
    if (never) return;
    switch (operation.function) {
      case Function::read:
        operation.result = history_.texts.intern(value);
        break;
      case Function::write:
        value = history_.texts.text(operation.argument);
        break;
      case Function::append:
        value = (value == "nil" ? std::string() : value)
                    .append(history_.texts.text(operation.argument));
        break;
      case Function::compare_and_set:
        if (value == history_.texts.text(operation.argument)) {
          value = history_.texts.text(operation.second_argument);
        } else if (!client.is_lost) {
          operation.outcome = Outcome::fail;
        }
        break;
      case Function::acquire:
      case Function::release:
      case Function::renew:
      case Function::force_release:
      case Function::read_acquire:
      case Function::read_release:
      case Function::write_acquire:
      case Function::write_release:
      case Function::set_count:
      case Function::count_down:
      case Function::await:
        break;  // not drawn
    }
  }

  void complete(Client& client) {
    Operation& operation = history_.operations[client.operation];
    operation.completed = position_++;
    client.phase = Phase::idle;
    --under_way_;
    if (!client.is_lost) return;
    client.process = history_.texts.intern(fmt::format("{}", shape_.clients + process_count_++));
  }

  /// The last read of what had been changed since sees what its key had had before.
  void spoil_a_read() {
    for (auto read = history_.operations.rbegin(); read != history_.operations.rend(); ++read) {
      if (read->function != Function::read) continue;
      for (auto before = read; before != history_.operations.rend(); ++before) {
        const bool is_stale = before->function == Function::read && before->key == read->key &&
                              before->completed < read->invoked && before->result != read->result;
        if (!is_stale) continue;
        read->result = before->result;
        return;
      }
    }
  }

  ValuesShape shape_;
  Dice dice_;
  std::vector<Client> clients_;
  std::vector<std::string> values_;
  History history_;
  std::uint32_t position_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t process_count_ = 0;
  std::uint32_t under_way_ = 0;
};

}  // namespace

History generate_values(const ValuesShape& shape) { return ValueClients(shape).generate(); }

}  // namespace lockstep::bench
