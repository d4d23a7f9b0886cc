// Making a failing scenario as small as it can be: fewest faults, clients, nodes and steps, and the
// roundest numbers.
//
// Each change is kept as long as the property still breaks. Where it can, the shrunk scenario
// breaks it whatever the messages' delays are (it is tried with several seeds); where only the one
// run breaks it, it goes on with the choices of that run. What is left can't do without any one of
// its faults: `needs` says how sure that is.
//
// Not covered: which of several causes it ends with, if the failing run had more than one; the
// run that nearly was one of these, and passes (passing_scenario.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "scenario/scenario.h"
#include "search/runs/rerun.h"
#include "search/shrink/need.h"
#include "sim/recorded_choices.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::search {

struct ShrinkRequest {
  /// Closed: with the faults of the run (close_faults).
  scenario::Scenario scenario;
  checker::Property property{};
  /// The choices of the failing run, and the seed for those that a changed scenario asks for anew.
  std::vector<sim::Choice> choices;
  std::uint64_t seed = 1;
  /// No change is tried after so many runs; what is left is still checked.
  std::uint64_t runs_max = 250;
  /// Which violations count; that of the failing run does.
  ViolationFilter filter = {};
  /// Which runs break nothing besides: where it can, what is shrunk ends with one of these. Empty:
  /// it does not matter.
  ViolationFilter isolates = {};
  /// Called between runs; true stops shrinking at once: then nobody knows whether the result always
  /// breaks, nor what it needs. Empty: never stops.
  std::function<bool()> interrupted = {};
};

struct Shrunk {
  scenario::Scenario scenario;  ///< expects that the property is violated
  bool breaks_always = false;   ///< with each seed that was tried; else with the run's choices only
  bool is_isolated = false;     ///< its run is one that the request's `isolates` lets through
  bool is_unconfirmed = false;  ///< it breaks with seed 1, but was interrupted before others
  bool is_cut_short = false;    ///< interrupted: it might have become smaller
  std::uint64_t runs = 0;       ///< that it took
  std::vector<Need> needs;      ///< one for each fault
};

/// REQUIRES: with its choices the request's scenario breaks its property.
[[nodiscard]] Shrunk shrink(const ShrinkRequest& request, model::Engine& engine);

}  // namespace lockstep::search
