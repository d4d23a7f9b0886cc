// A table of a scenario file while it is written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "scenario/text/toml_text.h"

namespace lockstep::scenario {

struct TableText {
  std::string name;        ///< "redis.sentinel"; empty: the file
  std::size_t indent = 0;  ///< of each line
  TomlTable keys;
  std::string below;  ///< the tables below it, each behind an empty line

  [[nodiscard]] TableText below_key(std::string_view key) const;
  /// On a line of its own where that is short, else as a table; nothing where it is empty.
  void add(std::string_view key, const TableText& table);
  /// [name] and all its lines, behind an empty line.
  [[nodiscard]] std::string as_table() const;
  /// [[name]] and all its lines, behind an empty line.
  [[nodiscard]] std::string as_item() const;
};

}  // namespace lockstep::scenario
