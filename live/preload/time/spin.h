// Programs that spin: they read the clock, yield, or ask what is not there yet, again and again,
// and wait for nothing else.
//
// Virtual time stands still while a program runs, so such a loop would never end. After thousands
// of such calls without a real wait, time goes on by a little at each, then by more and more.
// Loops without any call (on a variable that another thread sets) can't be seen here.
#pragma once

namespace lockstep::live::preload {

/// Of the calling thread, which may block here.
void count_clock_read();
void count_yield();
/// The number of the call, if a thread waits here; 0: none does.
int repeated_call();

/// No thread can run. If none of them waits here, the program does not spin.
void note_idle();

}  // namespace lockstep::live::preload
