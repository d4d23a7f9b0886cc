#include "reports/formats/needed_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/lock/assumption.h"
#include "reports/text.h"
#include "scenario/text/suggest.h"
#include "search/runs/needed_faults.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::reports {
namespace {

using scenario::listed;
using search::MovedFault;
using search::NeededFaults;

std::vector<search::FaultName> faults_of(const search::ScenarioOutcome& outcome) {
  return search::fault_names(outcome.example);
}

/// "crash n1 …; promote n1-replica-1 …".
std::string faults_in_words(const search::ScenarioOutcome& outcome,
                            const std::vector<std::size_t>& faults) {
  std::string words;
  for (const std::size_t fault : faults) {
    words += (words.empty() ? "" : "; ") + sanitized(faults_of(outcome)[fault].words);
  }
  return words;
}

/// "the fault", "crash n1 …", "any one of 2 of the 3 faults, crash n1 …; promote n1-replica-1 …".
std::string needed_in_words(const search::ScenarioOutcome& outcome,
                            const std::vector<std::size_t>& faults) {
  const std::size_t all = faults_of(outcome).size();
  if (faults.size() == 1 && all > 1) return faults_in_words(outcome, faults);
  const std::string which = all == 1 ? std::string("the fault")
                            : faults.size() == all
                                ? fmt::format("any one of the {} faults", all)
                                : fmt::format("any one of {} of the {} faults", faults.size(), all);
  // What a run drew stands nowhere else.
  const bool names_them = !outcome.drawn_kinds.empty() || faults.size() < all;
  return names_them ? which + ", " + faults_in_words(outcome, faults) : which;
}

/// "n1's wrong clock", "any one of the wrong clocks of n1 and n3".
std::string clocks_in_words(const search::ScenarioOutcome& outcome,
                            const std::vector<std::size_t>& clocks) {
  std::vector<std::string> hosts;
  for (const std::size_t clock : clocks) {
    hosts.push_back(sanitized(outcome.example.wrong_clocks[clock].host));
  }
  if (hosts.size() == 1) return hosts.front() + "'s wrong clock";
  return "any one of the wrong clocks of " +
         listed(std::vector<std::string_view>(hosts.begin(), hosts.end()));
}

std::string needed_in_words(const search::ScenarioOutcome& outcome,
                            const search::NeededFaults& needed) {
  if (needed.faults.empty() && needed.clocks.empty()) {
    return outcome.example.wrong_clocks.empty() ? "any fault"
           : faults_of(outcome).empty()         ? "any wrong clock"
                                                : "any fault or wrong clock";
  }
  if (needed.clocks.empty()) return needed_in_words(outcome, needed.faults);
  const std::string clocks = clocks_in_words(outcome, needed.clocks);
  return needed.faults.empty() ? clocks
                               : needed_in_words(outcome, needed.faults) + ", or " + clocks;
}

/// "1 s later", "10 ms earlier", "on the next such message".
std::string move_in_words(const search::ScenarioOutcome& outcome, const MovedFault& move) {
  if (faults_of(outcome)[move.fault].strikes_messages) {
    return move.by > 0 ? "on the next such message" : "on the one before";
  }
  const std::int64_t distance_ns = std::abs(move.by);
  const std::string distance = distance_ns < sim::second_ns
                                   ? fmt::format("{} ms", distance_ns / sim::millisecond_ns)
                                   : fmt::format("{} s", distance_ns / sim::second_ns);
  return distance + (move.by > 0 ? " later" : " earlier");
}

/// "the fault 1 s later: mutual-exclusion breaks all the same; 10 s later or 1 ms earlier: holds".
std::string moves_in_words(const search::ScenarioOutcome& outcome,
                           const std::vector<MovedFault>& moves,
                           const std::vector<std::string_view>& properties) {
  std::string breaks;
  std::string holds;
  for (const MovedFault& move : moves) {
    std::string& words = move.breaks ? breaks : holds;
    words += (words.empty() ? "" : " or ") + move_in_words(outcome, move);
  }
  const bool is_one = properties.size() == 1;
  const std::string hold = is_one ? "holds" : "hold";
  std::string words = faults_of(outcome).size() == 1
                          ? std::string("the fault")
                          : sanitized(faults_of(outcome)[moves.front().fault].words) + ",";
  words += fmt::format(" {}: {} ", breaks.empty() ? holds : breaks, listed(properties));
  if (breaks.empty()) return words + hold;
  words += is_one ? "breaks all the same" : "break all the same";
  return holds.empty() ? words : words + "; " + holds + ": " + hold;
}

/// Those of one fault.
std::vector<MovedFault> moves_of(const NeededFaults& needed, std::size_t fault) {
  std::vector<MovedFault> moves;
  std::copy_if(needed.moved.begin(), needed.moved.end(), std::back_inserter(moves),
               [fault](const MovedFault& move) { return move.fault == fault; });
  return moves;
}

/// Of properties that need the same faults: those of which the same was found of a fault together.
void add_moves(std::vector<NeededLine>& lines, const search::ScenarioOutcome& outcome,
               const std::vector<NeededFaults>& alike, std::size_t fault) {
  std::vector<std::pair<std::vector<MovedFault>, std::vector<std::string_view>>> groups;
  for (const NeededFaults& each : alike) {
    std::vector<MovedFault> moves = moves_of(each, fault);
    if (moves.empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& known) { return known.first == moves; });
    if (group == groups.end()) {
      groups.emplace_back(std::move(moves), std::vector<std::string_view>{});
      group = std::prev(groups.end());
    }
    group->second.push_back(checker::to_string(each.property));
  }
  for (const auto& [moves, properties] : groups) {
    lines.push_back({"moved  ", moves_in_words(outcome, moves, properties)});
  }
}

}  // namespace

std::vector<NeededLine> needed_in_words(const search::ScenarioOutcome& outcome) {
  std::vector<NeededLine> lines;
  std::vector<NeededFaults> left = outcome.needed;
  while (!left.empty()) {
    const NeededFaults needed = left.front();
    const auto others =
        std::stable_partition(left.begin(), left.end(), [&](const NeededFaults& each) {
          return each.faults == needed.faults && each.clocks == needed.clocks;
        });
    const std::vector<NeededFaults> alike(left.begin(), others);
    left.erase(left.begin(), others);
    std::vector<std::string_view> properties;
    for (const NeededFaults& each : alike) properties.push_back(checker::to_string(each.property));
    const bool is_one = properties.size() == 1;
    const bool needs_none = needed.faults.empty() && needed.clocks.empty();
    const std::string_view then = needs_none ? is_one ? "breaks all the same" : "break all the same"
                                  : is_one   ? "holds"
                                             : "hold";
    lines.push_back({"without", fmt::format("{}: {} {}", needed_in_words(outcome, needed),
                                            listed(properties), then)});
    for (const std::size_t fault : needed.faults) add_moves(lines, outcome, alike, fault);
  }
  return lines;
}

namespace {

/// "team-lock", "team-lock/fast" of the path to it.
std::string_view without_way_to(std::string_view lock) {
  const bool is_absolute = lock.starts_with('/');
  while (lock.ends_with('/')) lock.remove_suffix(1);
  if (is_absolute) return lock.substr(lock.rfind('/') + 1);
  for (const std::string_view step : {"../", "./"}) {
    while (lock.starts_with(step)) lock.remove_prefix(step.size());
  }
  return lock;
}

}  // namespace

std::vector<NeededLine> limits_in_words(const search::RunRecord& example,
                                        std::string_view path_of_lock) {
  const std::string lock = sanitized(without_way_to(path_of_lock));
  std::vector<std::string_view> never_promised;
  std::vector<std::pair<std::vector<std::string_view>, std::vector<std::string_view>>> alike;
  for (const checker::Verdict& verdict : example.verdicts) {
    if (!is_promised(example, verdict.property)) {
      never_promised.push_back(checker::to_string(verdict.property));
    }
    const auto where = not_promised_where(example, verdict.property);
    if (where.empty()) continue;
    auto group = std::find_if(alike.begin(), alike.end(),
                              [&](const auto& known) { return known.first == where; });
    if (group == alike.end()) group = alike.insert(group, {where, {}});
    group->second.push_back(checker::to_string(verdict.property));
  }
  std::vector<NeededLine> lines;
  if (!never_promised.empty()) {
    lines.push_back(
        {"limit  ", fmt::format("{} does not promise {}", lock, listed(never_promised))});
  }
  for (const auto& [where, properties] : alike) {
    lines.push_back({"limit  ", fmt::format("{} does not promise {} where {}, as here", lock,
                                            listed(properties), listed(where))});
  }
  return lines;
}

bool is_promised(const search::RunRecord& example, checker::Property property) {
  return std::none_of(example.excused.begin(), example.excused.end(), [property](const auto& each) {
    return each.property == property && each.not_kept.empty();
  });
}

std::vector<std::string_view> not_promised_where(const search::RunRecord& example,
                                                 checker::Property property) {
  const search::RunRecord* told = &example;
  if (example.with_fewer_faults) {
    for (const search::RunWithFewerFaults& each : *example.with_fewer_faults) {
      if (each.property == property && each.run) told = each.run.get();
    }
  }
  std::vector<std::string_view> where;
  for (const search::ExcusedPromise& each : told->excused) {
    if (each.property != property) continue;
    each.not_kept.visit(
        [&where](model::Assumption broken) { where.push_back(model::where_broken(broken)); });
  }
  return where;
}

}  // namespace lockstep::reports
