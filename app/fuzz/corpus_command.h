// lockstep corpus: tells what is in a corpus, takes entries over from others, and leaves out what
// adds nothing.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct CorpusArguments {
  std::vector<std::string> targets;  ///< as lockstep fuzz is told them
  std::string folder;                ///< as its --corpus
  std::vector<std::string> from;     ///< others, of which all entries are taken over
  enum class Entries : std::uint8_t { all, few };
  /// few: those that others make superfluous are deleted.
  Entries entries = Entries::all;
  OutputFormat format = OutputFormat::text;
};

/// Throws model::InputError where a target is neither file nor lock, or a folder can't be read.
[[nodiscard]] ExitCode corpus(const CorpusArguments& arguments, const Context& context);

}  // namespace lockstep::app
