// Random recorded histories of every model but leased-mutex (random_history.h has that):
// linearizable by construction, or changed afterwards.
//
// A few clients call one object (reference_object.h), one operation at a time each. A client may
// stop waiting and go on under a new process; what it asked may still be executed, later or never.
#pragma once

#include <cstdint>
#include <string>

#include "checker/recorded/history.h"
#include "checker/recorded/model.h"
#include "tests/checker/random_history.h"

namespace lockstep::checker::recorded::testing {

using lockstep::checker::testing::Draw;

struct RecordedShape {
  Model model = Model::mutex;
  Settings settings;
  std::int64_t clients = 3;
  std::int64_t owners = 3;  ///< ≤ clients
  std::int64_t operations = 8;
  std::int64_t unknown_one_in = 6;  ///< 0: none
  std::int64_t keys = 1;
  bool unique_values = false;  ///< of writes, in registers
};

/// Of any model but leased_mutex.
[[nodiscard]] RecordedShape random_shape(Model model, Draw& draw);

/// Linearizable by construction.
[[nodiscard]] History random_recorded_history(const RecordedShape& shape, Draw& draw);

/// Changes one thing: an outcome, an owner, a value, a token, or the order of two events.
void mutate(History& history, const RecordedShape& shape, Draw& draw);

/// A line for each operation.
[[nodiscard]] std::string to_text(const History& history);

}  // namespace lockstep::checker::recorded::testing
