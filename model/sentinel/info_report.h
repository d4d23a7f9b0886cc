// What a sentinel reads in a node's INFO.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::model {

struct InfoReport {
  bool is_master = false;
  std::string_view run_id;
  std::string_view master;  ///< a replica's
  bool master_link_is_up = false;
  std::int64_t master_link_down_ms = 0;  ///< 0 where it is up
  std::int64_t priority = 100;
  std::int64_t offset = 0;
  std::vector<std::string_view> replicas;  ///< a master's, by host
};

/// Views into the text.
[[nodiscard]] InfoReport read_info(std::string_view text);

}  // namespace lockstep::model
