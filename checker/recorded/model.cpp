#include "checker/recorded/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/recorded/formats/function_names.h"

namespace lockstep::checker::recorded {
namespace {

/// What an operation must carry.
enum class Need : std::uint8_t {
  nothing,
  value,  ///< an argument
  two_values,
  number,  ///< ≥ 0
};

struct KnownFunction {
  Function function;
  Need need = Need::nothing;
};

struct ModelRow {
  Model model;
  std::string_view name;
  std::string_view summary;
  std::span<const KnownFunction> functions;
};

constexpr std::array mutex_functions{KnownFunction{Function::acquire},
                                     KnownFunction{Function::release},
                                     KnownFunction{Function::force_release}};
constexpr std::array leased_functions{
    KnownFunction{Function::acquire}, KnownFunction{Function::renew},
    KnownFunction{Function::release}, KnownFunction{Function::force_release}};
constexpr std::array fifo_functions{KnownFunction{Function::acquire},
                                    KnownFunction{Function::release}};
constexpr std::array read_write_functions{
    KnownFunction{Function::read_acquire}, KnownFunction{Function::read_release},
    KnownFunction{Function::write_acquire}, KnownFunction{Function::write_release}};
constexpr std::array semaphore_functions{KnownFunction{Function::acquire},
                                         KnownFunction{Function::release},
                                         KnownFunction{Function::set_count, Need::number}};
constexpr std::array latch_functions{KnownFunction{Function::set_count, Need::number},
                                     KnownFunction{Function::count_down},
                                     KnownFunction{Function::await}};
constexpr std::array register_functions{KnownFunction{Function::read},
                                        KnownFunction{Function::write, Need::value}};
constexpr std::array cas_functions{KnownFunction{Function::read},
                                   KnownFunction{Function::write, Need::value},
                                   KnownFunction{Function::compare_and_set, Need::two_values}};
constexpr std::array key_value_functions{KnownFunction{Function::read},
                                         KnownFunction{Function::write, Need::value},
                                         KnownFunction{Function::compare_and_set, Need::two_values},
                                         KnownFunction{Function::append, Need::value}};

constexpr std::array rows{
    ModelRow{Model::mutex, "mutex", "a lock without owners: whoever asks releases it",
             mutex_functions},
    ModelRow{Model::owned_mutex, "owned-mutex", "a lock that only its owner releases",
             mutex_functions},
    ModelRow{Model::reentrant_mutex, "reentrant-mutex",
             "a lock that its owner acquires several times, and releases as often",
             mutex_functions},
    ModelRow{Model::leased_mutex, "leased-mutex",
             "reentrant-mutex whose holds may end when their lease is over; needs times",
             leased_functions},
    ModelRow{Model::fifo_mutex, "fifo-mutex", "owned-mutex that is granted in the queue's order",
             fifo_functions},
    ModelRow{Model::read_write_lock, "read-write-lock",
             "many readers or one writer, who may read too; re-entrant", read_write_functions},
    ModelRow{Model::semaphore, "semaphore", "permits that anybody acquires and releases",
             semaphore_functions},
    ModelRow{Model::latch, "latch", "a count-down latch", latch_functions},
    ModelRow{Model::fenced_lock, "fenced-lock", "reentrant-mutex whose grants carry growing tokens",
             mutex_functions},
    ModelRow{Model::reg, "register", "a value that is read and written", register_functions},
    ModelRow{Model::cas_register, "cas-register", "a register with compare-and-set", cas_functions},
    ModelRow{Model::key_value, "key-value",
             "for each key a value that is read, written, appended to, compared and set",
             key_value_functions},
};

constexpr std::array models{Model::mutex,        Model::owned_mutex,  Model::reentrant_mutex,
                            Model::leased_mutex, Model::fifo_mutex,   Model::read_write_lock,
                            Model::semaphore,    Model::latch,        Model::fenced_lock,
                            Model::reg,          Model::cas_register, Model::key_value};

const ModelRow& row_of(Model model) {
  return *std::find_if(rows.begin(), rows.end(),
                       [model](const ModelRow& row) { return row.model == model; });
}

bool lacks(const Operation& operation, Need need) {
  switch (need) {
    case Need::nothing:
      return false;
    case Need::value:
      return operation.argument == no_text;
    case Need::two_values:
      return operation.argument == no_text || operation.second_argument == no_text;
    case Need::number:
      return operation.number < 0;
  }
  return false;
}

std::string_view needed(Need need) {
  switch (need) {
    case Need::nothing:
      return "nothing";
    case Need::value:
      return "a value";
    case Need::two_values:
      return "two values, the expected and the new one";
    case Need::number:
      return "a number that isn't negative";
  }
  return "nothing";
}

std::optional<std::string> complaint_of(const Operation& operation, const ModelRow& row) {
  const auto known = std::find_if(
      row.functions.begin(), row.functions.end(),
      [&](const KnownFunction& candidate) { return candidate.function == operation.function; });
  if (known == row.functions.end()) {
    return fmt::format("the model {} knows no {}", row.name, to_string(operation.function));
  }
  if (lacks(operation, known->need)) {
    return fmt::format("a {} needs {}", to_string(operation.function), needed(known->need));
  }
  if (operation.token != no_number && operation.token < 0) {
    return std::string("a token isn't negative");
  }
  const bool counts =
      operation.function == Function::acquire || operation.function == Function::release;
  if (row.model == Model::semaphore && counts && operation.number != no_number &&
      operation.number < 1) {
    return fmt::format("a semaphore's {} needs at least 1 permit", to_string(operation.function));
  }
  return std::nullopt;
}

/// Times that go backwards would make leases end too early.
std::optional<Misfit> complaint_of_times(const History& history) {
  struct Stamp {
    std::uint32_t position;
    std::uint32_t operation;
    std::int64_t at_ns;
  };
  std::vector<Stamp> stamps;
  for (std::uint32_t index = 0; index < history.operations.size(); ++index) {
    const Operation& operation = history.operations[index];
    const bool completes = operation.completed != never_completed;
    if (operation.invoked_ns == no_number || (completes && operation.completed_ns == no_number)) {
      return Misfit{index, "the model leased-mutex needs the times of all events"};
    }
    stamps.push_back({operation.invoked, index, operation.invoked_ns});
    if (completes) stamps.push_back({operation.completed, index, operation.completed_ns});
  }
  std::sort(stamps.begin(), stamps.end(),
            [](const Stamp& one, const Stamp& two) { return one.position < two.position; });
  for (std::size_t index = 1; index < stamps.size(); ++index) {
    if (stamps[index].at_ns >= stamps[index - 1].at_ns) continue;
    return Misfit{stamps[index].operation,
                  "its time lies before that of an earlier event; the model leased-mutex needs "
                  "times that don't go back"};
  }
  return std::nullopt;
}

}  // namespace

std::span<const Model> all_models() { return models; }

std::string_view to_string(Model model) { return row_of(model).name; }

std::string_view summary_of(Model model) { return row_of(model).summary; }

std::optional<Model> model_from(std::string_view name) {
  for (const ModelRow& row : rows) {
    if (row.name == name) return row.model;
  }
  return std::nullopt;
}

std::optional<Misfit> find_misfit(const History& history, Model model) {
  const ModelRow& row = row_of(model);
  for (std::uint32_t index = 0; index < history.operations.size(); ++index) {
    if (auto what = complaint_of(history.operations[index], row)) {
      return Misfit{index, std::move(*what)};
    }
  }
  return model == Model::leased_mutex ? complaint_of_times(history) : std::nullopt;
}

}  // namespace lockstep::checker::recorded
