// The end of a fork that is a Python interpreter.
//
// Py_FinalizeEx takes the interpreter apart, object by object, and each of them is in a page that
// the fork shares with its server and must copy first: more than half of what a run costs. Here it
// joins threads, runs atexit's functions, lets go of the program's own objects, and flushes. The
// rest the kernel takes back. The exit status stays Python's.
//
// Not covered: finalizers of objects that only libraries' modules hold, and what C libraries do at
// exit. A libpython that is loaded with dlopen, and from 3.13 the end of a script, which does not
// call Py_FinalizeEx, end as ever.
#pragma once

namespace lockstep::live::preload {

/// Does nothing where the program is not Python.
void shorten_end_of_python();

}  // namespace lockstep::live::preload
