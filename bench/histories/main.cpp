// lockstep_history_bench [FILTER [SEED]]: how long histories of locks and of values take to decide,
// and the most memory that this takes. "why not": how much longer it takes to say why a history has
// no order than that the part before it has one.
//
// Each case runs in a process of its own, so that one's memory isn't another's: "peak" is all that
// the process ever had in RAM, with the history itself; of "why not" until it was said. Making the
// history isn't counted in the time, which is the processor's: others may use the machine. The best
// of three runs counts.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "bench/histories/explanations.h"
#include "bench/histories/history_generator.h"
#include "bench/histories/processor_time.h"
#include "bench/histories/reading.h"
#include "checker/recorded/decide.h"

namespace lockstep::bench {
namespace {

using checker::Limits;
using checker::recorded::Answer;
using checker::recorded::History;

struct Figure {
  double seconds = 1e9;
  std::uint64_t operations = 0;
  Answer answer = Answer::unknown;
  double explained_seconds = 0;  ///< 0: not measured
  std::size_t lines = 0;         ///< of the explanation
  double explained_peak_mib = 0;
  bool is_rest_known = true;  ///< whether the part that comes before has an order
};

struct Case {
  std::string name;
  std::function<Figure(std::uint64_t seed)> measure;
  Answer expected = Answer::linearizable;
};

template <typename Decide>
Figure best_of_three(const History& history, Decide decide) {
  Figure figure;
  figure.operations = history.operations.size();
  for (int round = 0; round < 3; ++round) {
    const double start = seconds_of_processor();
    figure.answer = decide(history);
    const double took = seconds_of_processor() - start;
    figure.seconds = std::min(figure.seconds, took);
    if (took > 10) break;
  }
  return figure;
}

const Limits wide{.steps_max = 100'000'000, .memory_bytes_max = 1U << 30U};

void add_mutexes(std::vector<Case>& cases) {
  using checker::recorded::Failures;
  using checker::recorded::Model;
  for (const Waiting waiting : {Waiting::blocking, Waiting::trying}) {
    for (const std::uint32_t clients : {8U, 32U, 128U}) {
      for (const std::uint32_t unknown : {0U, 5U}) {
        for (const std::uint32_t twice : {0U, 98U}) {
          cases.push_back(
              {fmt::format("mutex {:8} {:3} clients {}% unknown, {}",
                           waiting == Waiting::blocking ? "blocking" : "trying", clients, unknown,
                           twice == 0 ? "valid" : "held twice at 98%"),
               [=](std::uint64_t seed) {
                 const History history = generate_mutex({.clients = clients,
                                                         .unknown_percent = unknown,
                                                         .waiting = waiting,
                                                         .double_hold_percent = twice,
                                                         .seed = seed});
                 return best_of_three(history, [](const History& it) {
                   return decide(it, Model::owned_mutex, wide,
                                 {.failed_lock_operations = Failures::observed})
                       .answer;
                 });
               },
               twice == 0 ? Answer::linearizable : Answer::not_linearizable});
        }
      }
    }
  }
}

void add_values(std::vector<Case>& cases) {
  const auto add = [&cases](std::string name, checker::recorded::Model model, ValuesShape shape,
                            std::uint32_t logs, bool all_keys_at_once) {
    const auto measure = [=](std::uint64_t seed) {
      Figure sum{.seconds = 0, .operations = 0, .answer = Answer::linearizable};
      for (std::uint32_t log = 0; log < logs; ++log) {
        ValuesShape one = shape;
        one.seed = seed * 1000 + log;
        const Figure figure = best_of_three(generate_values(one), [&](const History& history) {
          return decide(history, model, wide, {.all_keys_at_once = all_keys_at_once}).answer;
        });
        sum.seconds += figure.seconds;
        sum.operations += figure.operations;
        if (figure.answer != Answer::linearizable) sum.answer = figure.answer;
      }
      return sum;
    };
    cases.push_back({std::move(name), measure,
                     shape.wrong_read ? Answer::not_linearizable : Answer::linearizable});
  };
  using checker::recorded::Model;
  // As those that Porcupine is measured with: each value once, and much appended.
  ValuesShape shape{.clients = 50,
                    .operations = 1712,
                    .keys = 10,
                    .values = 0,
                    .append_percent = 50,
                    .write_percent = 5,
                    .uneven = true};
  for (const bool wrong : {false, true}) {
    const std::string_view kind = wrong ? "a stale read" : "valid";
    shape.wrong_read = wrong;
    shape.clients = 50;
    shape.operations = 1712;
    add(fmt::format("key-value, 50 clients, 10 keys, {}", kind), Model::key_value, shape, 1, false);
    shape.clients = 10;
    shape.operations = 337;
    add(fmt::format("key-value, 10 clients, 10 keys at once, {}", kind), Model::key_value, shape, 1,
        true);
  }
  for (const bool wrong : {false, true}) {
    add(fmt::format("102 logs of a cas-register, 5 clients, {}", wrong ? "a stale read" : "valid"),
        Model::cas_register,
        {.clients = 5,
         .operations = 170,
         .compare_percent = 33,
         .unknown_percent = 5,
         .uneven = true,
         .wrong_read = wrong},
        102, false);
  }
  add("register, 10 clients, each value once", Model::reg,
      {.clients = 10, .operations = 100'000, .values = 0}, 1, false);
}

void add_explanations(std::vector<Case>& cases) {
  using checker::recorded::Model;
  const auto add = [&cases](Model model, const RoundsShape& shape) {
    const auto measure = [=](std::uint64_t seed) {
      RoundsShape seeded = shape;
      seeded.seed = seed;
      const ExplanationFigure figure = measure_explanation(model, seeded);
      return Figure{.seconds = figure.verdict_seconds,
                    .operations = figure.operations,
                    .answer = figure.refuted ? Answer::not_linearizable : Answer::unknown,
                    .explained_seconds = figure.explained_seconds,
                    .lines = figure.lines,
                    .explained_peak_mib = figure.peak_mib,
                    .is_rest_known = figure.is_rest_known};
    };
    // Where leases end, this many unknown outcomes are beyond the limits: docs/checker.md.
    const bool is_beyond =
        shape.unknown_percent > 0 && model == Model::leased_mutex && shape.clients > 8;
    cases.push_back(
        {fmt::format("why not: {} {} clients {}% unknown{}", to_string(model), shape.clients,
                     shape.unknown_percent, shape.operations > 200'000 ? ", 1M" : ""),
         measure, is_beyond ? Answer::unknown : Answer::not_linearizable});
  };
  for (const Model model :
       {Model::mutex, Model::semaphore, Model::owned_mutex, Model::reentrant_mutex,
        Model::fifo_mutex, Model::fenced_lock, Model::leased_mutex}) {
    const std::uint32_t permits = model == Model::semaphore ? 3 : 1;
    for (const std::uint32_t clients : {8U, 32U, 128U}) {
      for (const std::uint32_t unknown : {0U, 5U}) {
        add(model, {.clients = clients, .unknown_percent = unknown, .permits = permits});
      }
    }
    add(model, {.clients = 128, .operations = 1'000'000, .unknown_percent = 5, .permits = permits});
  }
}

struct Measured {
  Figure figure;
  double peak_mib = 0;
  bool ended = false;
};

Measured in_own_process(const Case& one, std::uint64_t seed) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  const pid_t child = fork();
  if (child == 0) {
    const Figure figure = one.measure(seed);
    const bool written = write(ends[1], &figure, sizeof figure) == sizeof figure;
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  Measured measured;
  measured.ended = read(ends[0], &measured.figure, sizeof(Figure)) == sizeof(Figure);
  close(ends[0]);
  rusage usage{};
  int status = 0;
  wait4(child, &status, 0, &usage);
  measured.peak_mib = measured.figure.explained_peak_mib != 0
                          ? measured.figure.explained_peak_mib
                          : static_cast<double>(usage.ru_maxrss) / 1024;
  return measured;
}

std::string machine() {
  std::ifstream file("/proc/cpuinfo");
  std::string processor = "an unknown processor";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) {
      processor = line.substr(line.find(": ") + 2);
      break;
    }
  }
  utsname name{};
  uname(&name);
  return fmt::format("{}, {}, {} {}", name.nodename, processor, name.sysname, name.release);
}

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) {
  using namespace lockstep::bench;
  const std::string filter = argc > 1 ? argv[1] : "";
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::vector<Case> cases;
  add_mutexes(cases);
  add_values(cases);
  add_explanations(cases);
  fmt::print("{}\n{:56} {:>10} {:>10} {:>12} {:>9}  answer\n", machine(), "history", "operations",
             "ms", "ns/operation", "peak MiB");
  int unexpected = 0;
  for (const Case& one : cases) {
    if (one.name.find(filter) == std::string::npos) continue;
    const Measured measured = in_own_process(one, seed);
    if (!measured.ended) {
      fmt::print("{:56} crashed\n", one.name);
      ++unexpected;
      continue;
    }
    const Figure& figure = measured.figure;
    const bool expected = figure.answer == one.expected;
    unexpected += expected ? 0 : 1;
    const std::string explained =
        figure.explained_seconds == 0 ? std::string()
        : figure.answer != Answer::not_linearizable
            ? fmt::format(" after {:.1f} ms", figure.explained_seconds * 1e3)
            : fmt::format(", why in {:.1f} ms ({:.2f} x) and {} lines{}",
                          figure.explained_seconds * 1e3, figure.explained_seconds / figure.seconds,
                          figure.lines, figure.is_rest_known ? "" : "; the part before: unknown");
    fmt::print("{:56} {:>10} {:>10.1f} {:>12.0f} {:>9.0f}  {}{}{}\n", one.name, figure.operations,
               figure.seconds * 1e3, figure.seconds * 1e9 / static_cast<double>(figure.operations),
               measured.peak_mib, to_string(figure.answer), explained,
               expected ? "" : " (unexpected)");
    std::fflush(stdout);
  }
  // Last: what this process has ever had in RAM, the processes that it makes are said to have had.
  if (std::string("reading").find(filter) != std::string::npos) {
    fmt::print("{}", reading_figures(seed));
  }
  return unexpected == 0 ? 0 : 1;
}
