// lockstep confirm --client: does a real client do what a finding of its model says?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/exit_code.h"
#include "scenario/program_spec.h"

namespace lockstep::app {

struct Context;

struct ClientConfirmation {
  std::vector<std::string> traces;
  std::string client;  ///< as a shell would have it: "python3 adapter.py"
  scenario::ProgramSpec::Reuse reuse = scenario::ProgramSpec::Reuse::process;
  std::uint64_t seeds = 5;
  std::string output_folder = "lockstep-out";
  OutputFormat format = OutputFormat::text;
};

/// As expected where the real client breaks what the traces' runs broke; not as expected where it
/// keeps it in every seed. Complains of a trace that is wrong and goes on.
[[nodiscard]] ExitCode confirm_with_client(const ClientConfirmation& asked, const Context& context);

/// The program that a command line names, run in the working directory: words are parted by blanks,
/// quotes and backslashes are a shell's. Throws InputError where it has none or a quote stays open.
[[nodiscard]] scenario::ProgramSpec program_of(const std::string& command_line,
                                               scenario::ProgramSpec::Reuse reuse);

}  // namespace lockstep::app
