// All traps: every table, and the SIGSYS handler that finds the handler of a call.
#pragma once

namespace lockstep::live::preload {

/// Takes over signals and system calls. False if the kernel does not allow it.
bool take_over();

}  // namespace lockstep::live::preload
