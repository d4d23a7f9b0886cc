// lockstep new: a lock of one's own, from a template or as a copy of another.
#pragma once

#include <string>

#include "app/context.h"
#include "app/exit_code.h"

namespace lockstep::app {

struct NewArguments {
  std::string name;  ///< of the lock, and of its folder, below the current one
  std::string from;  ///< a lock of scripts/, perhaps with a variant; empty: the template
};

/// Makes the folder whole or not at all. Throws model::InputError where the name can't be one, or
/// is taken.
[[nodiscard]] ExitCode create_lock(const NewArguments& arguments, const Context& context);

}  // namespace lockstep::app
