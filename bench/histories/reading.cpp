#include "bench/histories/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "bench/histories/history_generator.h"
#include "bench/histories/processor_time.h"
#include "checker/recorded/formats/function_names.h"
#include "checker/recorded/formats/read_history.h"

namespace lockstep::bench {
namespace {

using checker::recorded::Function;
using checker::recorded::History;
using checker::recorded::InputFormat;
using checker::recorded::Operation;

/// An invocation or a completion of an operation.
struct WrittenEvent {
  const Operation* operation;
  std::string_view type;
};

std::vector<WrittenEvent> events_of(const History& history) {
  constexpr std::string_view types[] = {"ok", "fail", "info"};
  std::vector<WrittenEvent> events(history.events, {nullptr, {}});
  for (const Operation& each : history.operations) {
    events[each.invoked] = {&each, "invoke"};
    if (each.completed < events.size()) {
      events[each.completed] = {&each, types[static_cast<std::size_t>(each.outcome)]};
    }
  }
  return events;
}

std::string value_of(const History& history, const WrittenEvent& event, std::string_view nothing) {
  const Operation& operation = *event.operation;
  const auto text = [&](checker::recorded::TextId id) { return history.texts.text(id); };
  switch (operation.function) {
    case Function::read:
      return std::string(event.type == "ok" ? text(operation.result) : nothing);
    case Function::compare_and_set:
      return fmt::format("[{}{}{}]", text(operation.argument), nothing == "nil" ? " " : ",",
                         text(operation.second_argument));
    case Function::write:
    case Function::append:
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
      break;
  }
  return std::string(text(operation.argument));
}

std::string written(const History& history, InputFormat format) {
  std::string out;
  std::uint64_t time_ns = 0;
  for (const WrittenEvent& event : events_of(history)) {
    if (event.operation == nullptr) continue;
    const std::string_view process = history.texts.text(event.operation->process);
    const std::string_view function = to_string(event.operation->function);
    const std::string value =
        value_of(history, event, format == InputFormat::json_lines ? "null" : "nil");
    time_ns += 1'234'567;
    if (format == InputFormat::json_lines) {
      out += fmt::format(R"({{"process":"{}","type":"{}","f":"{}","value":{},"time":{}}})", process,
                         event.type, function, value == "nil" ? "null" : value, time_ns);
    } else if (format == InputFormat::edn) {
      out += fmt::format(R"({{:process "{}", :type :{}, :f :{}, :value {}, :time {}}})", process,
                         event.type, function, value, time_ns);
    } else {
      out += fmt::format("INFO  jepsen.util - {}\t:{}\t:{}\t{}",
                         static_cast<std::uint32_t>(event.operation->process), event.type, function,
                         value);
    }
    out += '\n';
  }
  return out;
}

}  // namespace

std::string reading_figures(std::uint64_t seed) {
  const History history =
      generate_values({.clients = 10, .operations = 300'000, .compare_percent = 33, .seed = seed});
  std::string lines;
  for (const InputFormat format :
       {InputFormat::json_lines, InputFormat::edn, InputFormat::jepsen_log}) {
    const std::string text = written(history, format);
    double best = 1e9;
    for (int round = 0; round < 3; ++round) {
      std::istringstream stream(text);
      const double start = seconds_of_processor();
      const auto result = checker::recorded::read_history(stream);
      best = std::min(best, seconds_of_processor() - start);
      if (result.history.operations.size() != history.operations.size()) {
        throw std::runtime_error("fewer operations were read than written");
      }
    }
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    lines += fmt::format("reading {:10} {:6.1f} MB {:6.0f} MB/s\n",
                         checker::recorded::name_of(format), megabytes, megabytes / best);
  }
  return lines;
}

}  // namespace lockstep::bench
