// Every table of a scenario file, the keys that it has, and what type each is of.
//
// One list, by which the parser refuses other keys, and from which the JSON Schema for editors is
// made. The keys of faults are in fault_forms.h, the settings of Redis in redis_config.h; options,
// scripts and parameters have names of the lock's or the file's own.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lockstep::scenario {

/// As TableReader's getters read them.
enum class KeyType : std::uint8_t {
  text,
  text_or_texts,  ///< a string, or a list of strings
  texts,          ///< a list of strings
  whole_number,
  boolean,
  duration,        ///< "250ms"
  duration_range,  ///< "250ms" or "250ms..1s"
  ppm,             ///< "200ppm"
  latency,         ///< "200us..400us"
  number_range,    ///< 3, or "1..3"
  setting,         ///< a string, a whole number, true or false
  table,           ///< with keys of a TableName of its own
  tables,          ///< [[key]]
  named,           ///< a table whose keys are names, and whose values are as `inner` says
};

enum class TableName : std::uint8_t {
  file,
  expect,
  redis,
  sentinel,
  cluster,
  node,
  resource,
  clocks,
  limits,
  liveness,
  heal,
  client,
  thread,
  generate,
  link,
  fault,          ///< see fault_forms.h
  parameter_case  ///< its other keys are parameters
};

struct KeyForm {
  std::string_view key;
  KeyType type;
  std::string_view summary;           ///< what it says, for an editor's tooltip
  TableName table = TableName::file;  ///< table, tables, named: of what
  bool is_required = false;
};

[[nodiscard]] std::span<const KeyForm> keys_of(TableName table);
/// The keys alone, in the same order.
[[nodiscard]] std::vector<std::string_view> key_names_of(TableName table);

/// The type of a key that faults have besides the one that names what strikes, or `at` and the
/// like. Throws std::out_of_range where nobody has said what type it is.
[[nodiscard]] KeyType type_of_fault_key(std::string_view key);

}  // namespace lockstep::scenario
