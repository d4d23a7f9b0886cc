#include "app/commands/all_commands.h"

namespace lockstep::app {

// Each is defined in the command's own file.
CommandDescription run_command();
CommandDescription fuzz_command();
CommandDescription corpus_command();
CommandDescription merge_command();
CommandDescription shrink_command();
CommandDescription keep_command();
CommandDescription explore_command();
CommandDescription replay_command();
CommandDescription confirm_command();
CommandDescription conform_command();
CommandDescription record_command();
CommandDescription timeline_command();
CommandDescription step_command();
CommandDescription export_command();
CommandDescription list_command();
CommandDescription explain_command();
CommandDescription check_command();
CommandDescription serve_command();
CommandDescription lint_command();
CommandDescription extract_command();
CommandDescription new_command();
CommandDescription schema_command();
CommandDescription completions_command();
CommandDescription man_command();

std::vector<CommandDescription> all_commands() {
  return {run_command(),     fuzz_command(),    corpus_command(),      merge_command(),
          shrink_command(),  keep_command(),    explore_command(),     replay_command(),
          confirm_command(), conform_command(), record_command(),      timeline_command(),
          step_command(),    export_command(),  list_command(),        explain_command(),
          check_command(),   serve_command(),   lint_command(),        extract_command(),
          new_command(),     schema_command(),  completions_command(), man_command()};
}

}  // namespace lockstep::app
