#include "random_recorded_history.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <vector>

#include "checker/recorded/formats/function_names.h"
#include "reference_object.h"

namespace lockstep::checker::recorded::testing {
namespace {

/// Gives the events the positions 0, 1, …, in their order, and the operations that of invocation.
void number_events(History& history) {
  std::sort(history.operations.begin(), history.operations.end(),
            [](const Operation& one, const Operation& two) { return one.invoked < two.invoked; });
  std::vector<std::uint32_t> events;
  for (const Operation& operation : history.operations) {
    events.push_back(operation.invoked);
    if (operation.completed != never_completed) events.push_back(operation.completed);
  }
  std::sort(events.begin(), events.end());
  const auto position = [&events](std::uint32_t tick) {
    return static_cast<std::uint32_t>(std::lower_bound(events.begin(), events.end(), tick) -
                                      events.begin());
  };
  for (Operation& operation : history.operations) {
    operation.invoked = position(operation.invoked);
    operation.invoked_line = operation.invoked + 1;
    if (operation.completed != never_completed) operation.completed = position(operation.completed);
    if (operation.enqueued_by != never_completed) {
      operation.enqueued_by = position(operation.enqueued_by);
    }
  }
  history.events = static_cast<std::uint32_t>(events.size());
}

/// Runs the clients against the object.
class Clients {
 public:
  Clients(const RecordedShape& shape, Draw& draw) : shape_(shape), draw_(draw) {
    // Before the object looks at texts: all that is ever said.
    for (std::int64_t owner = 0; owner < shape.owners; ++owner) {
      owners_.push_back(text("o" + std::to_string(owner)));
    }
    for (std::int64_t key = 0; key < shape.keys; ++key) {
      keys_.push_back(text("k" + std::to_string(key)));
    }
    clients_.resize(static_cast<std::size_t>(shape.clients));
  }

  History run() {
    ReferenceObject object(history_.texts, shape_.model, shape_.settings);
    const std::int64_t moves = 12 * shape_.operations + 20;
    for (std::int64_t move = 0; move < moves; ++move) {
      ++tick_;
      const auto chosen = static_cast<std::size_t>(draw_.below(shape_.clients));
      Client& client = clients_[chosen];
      if (!client.call) {
        if (calls_ < shape_.operations) invoke(client, chosen, object);
      } else {
        go_on(client, object);
      }
      if (!left_alone_.empty() && draw_.one_in(4)) execute_late(object);
    }
    number_events(history_);
    return std::move(history_);
  }

 private:
  struct Call {
    std::uint32_t operation = 0;
    bool is_queued = false;
    bool is_done = false;
    bool is_refused = false;
  };
  struct Client {
    std::optional<Call> call;
    int generation = 0;
  };

  TextId text(const std::string& text) { return history_.texts.intern(text); }
  [[nodiscard]] Operation& of(const Call& call) { return history_.operations[call.operation]; }

  TextId some_value() {
    if (shape_.unique_values) return text("v" + std::to_string(++values_));
    static const std::array<const char*, 4> few{"a", "b", "ab", "nil"};
    return text(few[static_cast<std::size_t>(draw_.below(draw_.one_in(8) ? 4 : 3))]);
  }

  void invoke(Client& client, std::size_t number, const ReferenceObject& object) {
    ++calls_;
    Operation operation;
    operation.process =
        text("p" + std::to_string(number) + "." + std::to_string(client.generation));
    operation.owner = owners_[number % owners_.size()];
    operation.key = keys_[static_cast<std::size_t>(draw_.below(shape_.keys))];
    operation.invoked = tick_;
    choose(operation, object);
    client.call = Call{static_cast<std::uint32_t>(history_.operations.size())};
    history_.operations.push_back(operation);
  }

  void choose(Operation& operation, const ReferenceObject& object) {
    switch (shape_.model) {
      case Model::read_write_lock:
        operation.function =
            std::array{Function::read_acquire, Function::read_release, Function::write_acquire,
                       Function::write_release}[static_cast<std::size_t>(draw_.below(4))];
        return;
      case Model::latch:
        operation.function = draw_.one_in(4)   ? Function::set_count
                             : draw_.one_in(2) ? Function::count_down
                                               : Function::await;
        if (operation.function == Function::set_count) operation.number = draw_.below(4);
        return;
      case Model::semaphore:
        operation.function = draw_.one_in(8)                               ? Function::set_count
                             : object.permits_out() > 0 && draw_.one_in(2) ? Function::release
                                                                           : Function::acquire;
        operation.number = operation.function == Function::set_count ? draw_.below(5)
                           : draw_.one_in(2)                         ? 1 + draw_.below(3)
                                                                     : no_number;
        return;
      case Model::reg:
      case Model::cas_register:
      case Model::key_value:
        return choose_for_values(operation);
      default:
        break;
    }
    const bool releases = object.holds(operation.owner) ? !draw_.one_in(4) : draw_.one_in(6);
    const bool forces = shape_.model != Model::fifo_mutex && draw_.one_in(16);
    operation.function = forces     ? Function::force_release
                         : releases ? Function::release
                                    : Function::acquire;
  }

  void choose_for_values(Operation& operation) {
    const std::int64_t kind = draw_.below(shape_.model == Model::reg            ? 2
                                          : shape_.model == Model::cas_register ? 3
                                                                                : 4);
    operation.function = std::array{Function::read, Function::write, Function::compare_and_set,
                                    Function::append}[static_cast<std::size_t>(kind)];
    if (operation.function == Function::read) return;
    operation.argument = some_value();
    if (operation.function == Function::append && text("nil") == operation.argument) {
      operation.argument = text("b");  // "nil" is how a read tells of nothing
    }
    if (operation.function == Function::compare_and_set) operation.second_argument = some_value();
  }

  void go_on(Client& client, ReferenceObject& object) {
    Call& call = *client.call;
    if (shape_.unknown_one_in > 0 && draw_.one_in(3 * shape_.unknown_one_in)) {
      if (draw_.one_in(2)) of(call).completed = tick_;
      if (!call.is_done) left_alone_.push_back(call);
      if (draw_.one_in(8)) return client.call.reset();  // goes on as the same process
      ++client.generation;
      return client.call.reset();
    }
    if (!call.is_done && draw_.one_in(12) && may_fail_unseen(of(call))) {
      object.leave(call.operation);
      of(call).outcome = Outcome::fail;
      of(call).completed = tick_;
      return client.call.reset();
    }
    if (!call.is_done) {
      execute(call, object, true);
    } else if (draw_.one_in(2)) {
      of(call).outcome = call.is_refused ? Outcome::fail : Outcome::ok;
      of(call).completed = tick_;
      client.call.reset();
    }
  }

  [[nodiscard]] bool may_fail_unseen(const Operation& operation) const {
    switch (operation.function) {
      case Function::read:
      case Function::write:
      case Function::append:
      case Function::count_down:
        return true;
      case Function::compare_and_set:
        return shape_.settings.failed_compare_and_sets == Failures::ignored;
      case Function::set_count:
        if (shape_.model == Model::semaphore) return true;
        break;
      case Function::acquire:
        if (shape_.model == Model::fifo_mutex) return true;
        break;
      default:
        break;
    }
    return shape_.settings.failed_lock_operations == Failures::ignored;
  }

  void execute(Call& call, ReferenceObject& object, bool may_be_refused) {
    Operation& operation = of(call);
    const bool waits = shape_.model == Model::fifo_mutex && operation.function == Function::acquire;
    if (waits && !call.is_queued) {
      object.enter(call.operation);
      call.is_queued = true;
      if (draw_.one_in(2)) operation.enqueued_by = tick_;
      return;
    }
    if (object.refuses(operation)) {
      if (!may_be_refused || waits || draw_.one_in(2)) return;
      call.is_done = call.is_refused = true;
      return;
    }
    if (waits && !object.is_first(call.operation)) return;
    object.leave(call.operation);
    const std::int64_t token = object.lowest_token() + (draw_.one_in(4) ? 1 : 0);
    if (operation.function == Function::acquire && shape_.model == Model::fenced_lock &&
        !draw_.one_in(6)) {
      operation.token = token;
    }
    if (operation.function == Function::read) {
      const std::string seen = object.value(operation.key);
      operation.result = seen.empty() && draw_.one_in(2) ? text("nil") : text(seen);
    }
    object.execute(operation, token);
    call.is_done = true;
  }

  void execute_late(ReferenceObject& object) {
    const auto chosen =
        static_cast<std::size_t>(draw_.below(static_cast<std::int64_t>(left_alone_.size())));
    Call& call = left_alone_[chosen];
    if (draw_.one_in(3)) {
      object.leave(call.operation);
      call.is_done = true;  // never
    } else {
      execute(call, object, false);
    }
    if (call.is_done) left_alone_.erase(left_alone_.begin() + static_cast<std::ptrdiff_t>(chosen));
  }

  const RecordedShape& shape_;
  Draw& draw_;
  History history_;
  std::vector<TextId> owners_;
  std::vector<TextId> keys_;
  std::vector<Client> clients_;
  std::vector<Call> left_alone_;
  std::uint32_t tick_ = 0;
  std::int64_t calls_ = 0;
  int values_ = 0;
};

/// Exchanges the event at the position with the one after it, if they aren't of one operation.
void exchange(History& history, std::uint32_t position) {
  for (const Operation& operation : history.operations) {
    if (operation.invoked == position && operation.completed == position + 1) return;
  }
  const auto exchanged = [position](std::uint32_t at) {
    return at == position ? position + 1 : at == position + 1 ? position : at;
  };
  for (Operation& operation : history.operations) {
    operation.invoked = exchanged(operation.invoked);
    operation.completed = exchanged(operation.completed);
  }
  for (Operation& operation : history.operations) {
    if (operation.enqueued_by == never_completed) continue;
    operation.enqueued_by =
        std::min(operation.completed, std::max(operation.enqueued_by, operation.invoked + 1));
  }
  number_events(history);
}

}  // namespace

RecordedShape random_shape(Model model, Draw& draw) {
  RecordedShape shape;
  shape.model = model;
  const auto some = [&draw] { return draw.one_in(2) ? Failures::ignored : Failures::observed; };
  shape.settings.failed_lock_operations = some();
  shape.settings.failed_compare_and_sets = some();
  shape.settings.initial_number = 1 + draw.below(3);
  if (draw.one_in(4)) shape.settings.initial_value = draw.one_in(2) ? "a" : "z";
  shape.clients = 2 + draw.below(3);
  shape.owners = shape.clients - (draw.one_in(3) ? 1 : 0);
  shape.operations = draw.one_in(12) ? 8 * shape.clients : 2 + draw.below(9);
  if (model == Model::fifo_mutex) shape.operations = std::min<std::int64_t>(shape.operations, 16);
  shape.unknown_one_in = draw.one_in(4) ? 0 : shape.operations > 12 ? 6 : 2 + draw.below(6);
  const bool has_values =
      model == Model::reg || model == Model::cas_register || model == Model::key_value;
  shape.keys = has_values && draw.one_in(3) ? 2 : 1;
  shape.unique_values = has_values && draw.one_in(2);
  shape.settings.all_keys_at_once = model == Model::key_value && draw.one_in(4);
  return shape;
}

History random_recorded_history(const RecordedShape& shape, Draw& draw) {
  return Clients(shape, draw).run();
}

void mutate(History& history, const RecordedShape& shape, Draw& draw) {
  if (history.operations.empty()) return;
  const auto any = [&]() -> Operation& {
    return history.operations[static_cast<std::size_t>(
        draw.below(static_cast<std::int64_t>(history.operations.size())))];
  };
  Operation& one = any();
  switch (draw.below(7)) {
    case 0:
    case 1:
      exchange(history, static_cast<std::uint32_t>(draw.below(history.events)));
      break;
    case 2:
      if (one.outcome != Outcome::info) {
        one.outcome = one.outcome == Outcome::ok ? Outcome::fail : Outcome::ok;
      }
      break;
    case 3:
      one.owner = any().owner;
      break;
    case 4:
      if (one.token != no_number)
        one.token = std::max<std::int64_t>(0, one.token + draw.below(3) - 1);
      if (one.number != no_number) one.number = 1 + draw.below(3);
      if (one.enqueued_by != never_completed) one.enqueued_by = one.invoked + 1;
      break;
    case 5: {
      const Operation& other = any();
      if (one.result != no_text && other.argument != no_text) one.result = other.argument;
      if (one.result != no_text && other.result != no_text) one.result = other.result;
      break;
    }
    default:
      one.key = any().key;
      if (draw.one_in(2)) history.operations.erase(history.operations.begin());
      number_events(history);
  }
  static_cast<void>(shape);
}

std::string to_text(const History& history) {
  std::ostringstream out;
  const auto text = [&](TextId id) { return id == no_text ? "-" : history.texts.text(id); };
  for (const Operation& each : history.operations) {
    out << text(each.process) << ' ' << text(each.owner) << ' ' << text(each.key) << ' '
        << to_string(each.function) << " [" << each.invoked << ", ";
    if (each.completed != never_completed) out << each.completed;
    out << "] " << std::array{"ok", "fail", "info"}[static_cast<std::size_t>(each.outcome)] << ' '
        << text(each.argument) << ' ' << text(each.second_argument) << " -> " << text(each.result);
    if (each.number != no_number) out << " number " << each.number;
    if (each.token != no_number) out << " token " << each.token;
    if (each.enqueued_by != never_completed) out << " enqueued by " << each.enqueued_by;
    out << '\n';
  }
  return out.str();
}

}  // namespace lockstep::checker::recorded::testing
