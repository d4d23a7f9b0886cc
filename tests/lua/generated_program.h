// Random programs of Lua 5.1 that are right, with what Lua 5.4 reads otherwise.
#pragma once

#include <rapidcheck.h>

#include <string>

namespace lockstep::lua::test {

[[nodiscard]] rc::Gen<std::string> generated_program();

}  // namespace lockstep::lua::test
