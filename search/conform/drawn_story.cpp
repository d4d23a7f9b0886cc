#include "search/conform/drawn_story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "scenario/file/scenario_file.h"
#include "scenario/step_kind.h"
#include "scenario/text/toml_text.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

constexpr sim::Stream workload{sim::Purpose::workload, 0};
constexpr sim::Stream fault_stream{sim::Purpose::fault, 0};

class StoryMaker {
 public:
  StoryMaker(const StoryLimits& limits, std::span<const scenario::StepKind> offered,
             std::uint64_t seed)
      : limits_(limits), offered_(offered), choices_(seed) {}

  std::string client(std::string_view name, std::int64_t start_ms) {
    std::string steps;
    const std::int64_t rounds = choices_.between(workload, 1, 3);
    for (std::int64_t i = 0; i < rounds; ++i) add_round(steps);
    return fmt::format("[[client]]\nname = \"{}\"\nstart = \"{}ms\"\nrun = [{}]\n", name, start_ms,
                       steps);
  }

  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return choices_.between(workload, low, high);
  }

  /// What every second story suffers; the moments are the clock's, so that they are the same for
  /// both.
  std::pair<std::string, std::string> fault() {
    const auto at_ms = choices_.between(fault_stream, 1, 6'000);
    const auto for_ms = choices_.between(fault_stream, 500, 8'000);
    const std::string when = fmt::format("at = \"{}ms\"\n", at_ms);
    const std::string lasting = when + fmt::format("for = \"{}ms\"\n", for_ms);
    switch (choices_.choose(fault_stream, 5)) {
      case 0:
        return {"pause", "[[fault]]\npause = \"a\"\n" + lasting};
      case 1:
        return {"crash of the other", "[[fault]]\ncrash = \"b\"\n" + when};
      case 2:
        return {"cut", "[[fault]]\ncut = [\"a\", \"n1\"]\n" + lasting};
      case 3:
        return {"deleted key", fmt::format("[[fault]]\ndelete = {}\non = \"n1\"\n",
                                           scenario::toml_string(limits_.lock_name)) +
                                   when};
      default:
        return {"scripts flushed", "[[fault]]\nscript_flush = \"n1\"\n" + when};
    }
  }

 private:
  [[nodiscard]] bool offers(scenario::StepKind kind) const {
    return !limits_.without.contains(kind) &&
           std::find(offered_.begin(), offered_.end(), kind) != offered_.end();
  }
  void add(std::string& steps, const std::string& step) {
    steps += fmt::format("{}\"{}\"", steps.empty() ? "" : ", ", step);
  }
  void add_sleep(std::string& steps, std::int64_t low_ms, std::int64_t high_ms) {
    add(steps, fmt::format("sleep {}ms", draw(low_ms, high_ms)));
  }

  void add_round(std::string& steps) {
    const std::int64_t lease_ms = draw(2, 8) * 500;
    const bool tries = offers(scenario::StepKind::try_lock) && choices_.choose(workload, 2) == 0;
    const bool overstays = choices_.choose(workload, 4) == 0;
    add(steps, tries ? fmt::format("try_lock wait={}ms lease={}ms", draw(1, 4) * 500, lease_ms)
                     : fmt::format("lock lease={}ms", lease_ms));
    add_sleep(steps, 50, overstays ? 2 * lease_ms : lease_ms / 2);
    if (offers(scenario::StepKind::extend) && choices_.choose(workload, 2) == 0) {
      add(steps, fmt::format("extend lease={}ms", lease_ms));
      add_sleep(steps, 50, lease_ms / 2);
    }
    add(steps, "unlock");
    add_sleep(steps, 20, 1'000);
  }

  const StoryLimits& limits_;
  std::span<const scenario::StepKind> offered_;
  sim::SeededChoices choices_;
};

}  // namespace

std::size_t operations_of(const scenario::ClientSpec& client) {
  std::size_t operations = 0;
  for (const scenario::ThreadSpec& thread : client.threads) {
    for (const scenario::Step& step : thread.steps) {
      operations += step.kind == scenario::StepKind::sleep ? 0 : client.rounds;
    }
  }
  return operations;
}

DrawnStory draw_story(const std::string& lock, const StoryLimits& limits,
                      std::span<const scenario::StepKind> offered, std::uint32_t masters,
                      std::uint64_t seed) {
  StoryMaker maker(limits, offered, seed);
  std::string text = fmt::format(
      "title = \"Drawn to compare a client model with a real client, seed {}\"\n"
      "lock = {}\nlock_name = {}\nexpect = {{ holds = \"no-leak\" }}\n",
      seed, scenario::toml_string(lock), scenario::toml_string(limits.lock_name));
  if (masters > 1) text += fmt::format("[redis]\nmasters = {}\n", masters);
  text += maker.client("a", 0);
  text += maker.client("b", maker.draw(0, 2'000));
  DrawnStory story;
  if (seed % 2 == 0) {
    auto [words, table] = maker.fault();
    story.fault = std::move(words);
    text += table;
  }
  story.scenario = scenario::parse_scenario(fmt::format("conform-{}.toml", seed), std::move(text));
  for (const scenario::ClientSpec& client : story.scenario.clients) {
    story.operations += operations_of(client);
  }
  return story;
}

}  // namespace lockstep::search
