#include "scenario/faults/healing.h"

#include <fmt/format.h>

#include "scenario/file/file_keys.h"
#include "scenario/text/durations.h"

namespace lockstep::scenario {

void read_healing(const TableReader& file, Scenario& scenario) {
  const auto table = file.table("heal");
  if (!table) return;
  table->allow_only(key_names_of(TableName::heal));
  scenario.heal_at_ns = table->duration("at", DurationSign::positive);
  if (!scenario.heal_at_ns) table->complain_missing("at", "at = \"60s\"");
  if (*scenario.heal_at_ns >= scenario.horizon_ns) {
    table->text("at")->complain(
        fmt::format("the run ends at {}, before this; expected less, or a larger [limits] horizon",
                    format_duration(scenario.horizon_ns)));
  }
}

}  // namespace lockstep::scenario
