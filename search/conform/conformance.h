// Is a client model faithful? The same drawn stories, played by the model and by the real client,
// and their requests compared.
//
// How often a waiter asks may differ by half, for the libraries' polls and jitters are their own.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scenario/program_spec.h"
#include "scenario/scenario.h"
#include "search/conform/requests.h"

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model

namespace lockstep::search {

struct ConformPlan {
  std::string lock;
  scenario::ProgramSpec program;
  std::uint64_t first_seed = 1;
  std::uint64_t runs = 20;
  bool (*interrupted)() = nullptr;  ///< asked between runs; null: never stops
};

/// The first request in which a story differs.
struct ConformDifference {
  std::uint64_t seed = 0;
  scenario::Scenario scenario;  ///< with the client model
  std::string fault;            ///< empty: none
  std::string client;
  std::size_t number = 0;  ///< of the request, counted from 1
  std::optional<SentRequest> model;
  std::optional<SentRequest> real;
};

struct Conformance {
  std::uint64_t runs = 0;
  std::uint64_t operations = 0;
  std::uint64_t requests = 0;                  ///< equal ones, polls counted once
  std::set<std::string> faults;                ///< that struck in some story
  sim::DurationNs grant_differs_ns_max = 0;    ///< of grants in stories without a fault
  std::vector<ConformDifference> differences;  ///< the first of each story that has one
};

/// Throws InputError where the lock or the program is wrong.
[[nodiscard]] Conformance conform(const ConformPlan& plan, model::Engine& engine);

}  // namespace lockstep::search
