// The tables of a scenario file and their keys, as an editor sees them.
//
// The rows themselves are in *_fields.cpp, and field.h says how a row reads, writes and compares;
// the JSON Schema is made from what is listed here. The keys of faults are in fault_table.h, the
// settings of Redis in redis_fields.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep::scenario {

/// What a value looks like.
enum class KeyType : std::uint8_t {
  text,
  text_or_texts,           ///< a string, or a list of strings
  property_or_properties,  ///< a property's name, or a list of them
  steps,                   ///< a list of sentences: "lock lease=10s"
  whole_number,
  boolean,
  duration,        ///< "250ms"
  duration_range,  ///< "250ms" or "250ms..1s"
  ppm,             ///< "200ppm"
  ppm_range,       ///< or "-50ppm..200ppm"
  latency,         ///< "200us..400us"
  number_range,    ///< 3, or "1..3"
  setting,         ///< a string, a whole number, true or false
  table,           ///< with the keys of KeyForm::keys
  tables,          ///< [[key]], each with the keys of KeyForm::keys
  cases,           ///< [[case]]: as `tables`, and parameters
  faults,          ///< [[fault]]: see fault_table.h
  tables_by_name,  ///< a table of tables with the keys of KeyForm::keys
  settings_by_name,
  texts_by_name,
  weights_by_name,            ///< whole numbers from 1 on
  settings_or_lists_by_name,  ///< each a setting, or a list of settings
};

struct KeyForm {
  std::string_view key;
  KeyType type;
  std::string_view summary;  ///< for an editor's tooltip
  bool is_required = false;
  std::vector<KeyForm> (*keys)() = nullptr;  ///< of a table below this key
};

/// The keys of a scenario file, in the order in which they are explained.
[[nodiscard]] std::vector<KeyForm> scenario_keys();

/// The type of a key that faults have besides the one that names what strikes.
/// Throws std::out_of_range for any other.
[[nodiscard]] KeyType type_of_fault_key(std::string_view key);

}  // namespace lockstep::scenario
