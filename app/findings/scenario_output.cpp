#include "app/findings/scenario_output.h"

#include <fmt/format.h>

#include <ostream>

#include "app/output/output_file.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"

namespace lockstep::app {

scenario::Scenario save_scenario_file(const scenario::Scenario& scenario, const std::string& path,
                                      const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) {
    if (!comment.empty()) text += fmt::format("# {}\n", reports::sanitized(comment));
  }
  text += scenario::write_scenario(scenario, path);
  write_file(path, [&text](std::ostream& stream) { stream << text; });
  return scenario::load_scenario(path);
}

}  // namespace lockstep::app
