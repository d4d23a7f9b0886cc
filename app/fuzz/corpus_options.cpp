#include "app/fuzz/corpus_options.h"

namespace lockstep::app {

void add_corpus_options(CLI::App& command, CorpusArguments& arguments) {
  command
      .add_option("TARGET", arguments.targets,
                  "What was searched: scenario files or folders, or locks, as fuzz is told them")
      ->required()
      ->type_name("");
  command.add_option("--corpus", arguments.folder, "The folder that fuzz is told")
      ->required()
      ->type_name("DIR");
  command
      .add_option("--from", arguments.from, "Take over what is in this folder, of another search")
      ->allow_extra_args(false)
      ->type_name("DIR");
  command.add_flag_callback(
      "--few", [&arguments] { arguments.entries = CorpusArguments::Entries::few; },
      "Delete entries without which the others reach the same abstract states");
}

}  // namespace lockstep::app
