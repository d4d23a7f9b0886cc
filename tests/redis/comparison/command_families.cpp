#include "tests/redis/comparison/command_families.h"

#include <array>

namespace lockstep::redis::test {

std::span<const CommandFamily> command_families() {
  static const std::array families{
      CommandFamily{"strings", string_templates(), 1, Mixing::in_calls},
      CommandFamily{"keys", key_templates(), 1, Mixing::in_calls},
      CommandFamily{"hashes", hash_templates(), 1, Mixing::in_calls},
      CommandFamily{"lists", list_templates(), 1, Mixing::in_calls},
      CommandFamily{"blocking", blocking_templates(), 4, Mixing::mixed},
      CommandFamily{"sets", set_templates(), 1, Mixing::in_calls},
      CommandFamily{"random_sets", random_set_templates(), 1, Mixing::alone},
      CommandFamily{"sorted_sets", sorted_set_templates(), 1, Mixing::in_calls},
      CommandFamily{"lexical_ranges", lexical_templates(), 1, Mixing::alone},
      CommandFamily{"blocking_sorted_sets", blocking_sorted_set_templates(), 4, Mixing::mixed},
      CommandFamily{"memory", memory_templates(), 2, Mixing::alone},
      CommandFamily{"server", server_templates(), 2, Mixing::mixed},
      CommandFamily{"connections", connection_templates(), 3, Mixing::mixed},
      CommandFamily{"silence", silence_templates(), 2, Mixing::alone},
      CommandFamily{"transactions", transaction_templates(), 2, Mixing::mixed},
      CommandFamily{"pubsub", pubsub_templates(), 3, Mixing::mixed},
      CommandFamily{"scripts", script_templates(), 2, Mixing::mixed},
      CommandFamily{"functions", function_templates(), 2, Mixing::alone},
      CommandFamily{"notifications", notification_templates(), 3, Mixing::alone},
  };
  return families;
}

}  // namespace lockstep::redis::test
