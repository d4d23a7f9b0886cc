// How long one waits for a program that does not come to wait for anything itself.
//
// Real time alone says nothing about a program: the machine may be busy with others, or have been
// suspended meanwhile. What counts is the processor time that the program has used, and how often
// it was found asleep in the kernel while we could look ourselves.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace lockstep::live {

class Patience {
 public:
  /// One waits so long, in real time, before each look.
  static constexpr int look_ms = 100;
  struct Limits {
    std::int64_t processor_ns;
    int looks_asleep;  ///< in a row
  };
  /// Between two waits of the program.
  static constexpr Limits usual{20'000'000'000, 200};
  /// Until it is ready to fork: it loads what all its runs share.
  static constexpr Limits at_start{60'000'000'000, 600};

  enum class Verdict : std::uint8_t {
    runs,    ///< or is kept from it
    spins,   ///< it has used up its processor time
    sleeps,  ///< in a call that only another process could end
  };

  explicit Patience(Limits limits = usual) : limits_(limits) {}

  /// After each wait. `has_spoken`: something came from the program meanwhile.
  Verdict look(pid_t process, bool has_spoken);
  /// Why it is stuck, and what helps. `process` sleeps or spins.
  [[nodiscard]] std::string describe(Verdict verdict, pid_t process) const;

 private:
  Limits limits_;
  std::int64_t first_ns_ = -1;  // of the processor; none yet
  std::int64_t last_ns_ = 0;
  int looks_asleep_ = 0;
};

}  // namespace lockstep::live
