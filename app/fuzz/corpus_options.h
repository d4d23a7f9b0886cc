// The options of lockstep corpus on the command line.
#pragma once

#include <CLI/CLI.hpp>

#include "app/fuzz/corpus_command.h"

namespace lockstep::app {

/// The arguments are filled while parsing, and must outlive it.
void add_corpus_options(CLI::App& command, CorpusArguments& arguments);

}  // namespace lockstep::app
