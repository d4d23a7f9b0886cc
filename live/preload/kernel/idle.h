// When no thread can run: the process tells the simulator how long nothing can happen in it, and
// goes on when it is resumed.
#pragma once

#include <cstdint>

namespace lockstep::live::preload {

/// `deadline` on the monotonic clock: the program's next one. On return the page is new, the
/// results of connects are applied, timers have fired.
void be_idle(std::int64_t deadline);

/// In the template of a fork server there is no simulator yet that lets time pass.
void let_time_pass_alone(bool alone);

}  // namespace lockstep::live::preload
