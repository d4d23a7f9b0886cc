// Classes of ASCII letters, the same in every locale.
//
// <cctype> depends on the locale and must not be given a negative char; these have neither problem.
#pragma once

namespace lockstep::sim {

[[nodiscard]] constexpr bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

}  // namespace lockstep::sim
