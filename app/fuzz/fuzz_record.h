// The record of a part of a search while it is made, and where it is written.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"
#include "app/fuzz/fuzz_command.h"
#include "app/fuzz/fuzz_targets.h"
#include "search/fuzz/search_record.h"

namespace lockstep::app {

/// What ends the names of records.
inline constexpr std::string_view record_suffix = ".search.jsonl";

class FuzzRecord {
 public:
  /// The arguments outlive it. Throws model::InputError where the target's lock is missing or
  /// wrong.
  FuzzRecord(const FuzzArguments& arguments, const FuzzTarget& target, const search::FuzzPlan& plan,
             const Context& context);

  void add(const search::BatchResult& batch);
  /// As FOLDER/NAME.2-of-5.search.jsonl. Throws model::InputError where it can't be written.
  void write(const std::string& name, std::uint64_t elapsed_ms);

 private:
  const FuzzArguments& arguments_;
  search::SearchRecord record_;
};

}  // namespace lockstep::app
