// Can the library be loaded into a program? Only a dynamic linker does that.
#pragma once

#include <string>

#include "scenario/program_spec.h"

namespace lockstep::live {

/// Throws InputError at the command where it names a 64-bit ELF file without a dynamic linker, or
/// one of another architecture. What is no ELF file (a script), or can't be found, passes: starting
/// it tells more.
void require_dynamic(const scenario::ProgramSpec& program);

}  // namespace lockstep::live
