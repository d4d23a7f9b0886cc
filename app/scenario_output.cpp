#include "app/scenario_output.h"

#include <fmt/format.h>

#include <ostream>

#include "app/output_file.h"
#include "model/scenario/scenario_file.h"
#include "model/scenario/write_scenario.h"
#include "reports/text.h"

namespace lockstep::app {

model::Scenario save_scenario_file(const model::Scenario& scenario, const std::string& path,
                                   const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) {
    if (!comment.empty()) text += fmt::format("# {}\n", reports::harmless(comment));
  }
  text += model::write_scenario(scenario, path);
  write_file(path, [&text](std::ostream& stream) { stream << text; });
  return model::load_scenario(path);
}

}  // namespace lockstep::app
