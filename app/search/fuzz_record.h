// The record of a part of a search, for lockstep merge.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "reports/formats/search_record_file.h"
#include "search/fuzz/search_record.h"

namespace lockstep::search {
struct BatchResult;
struct FuzzPlan;
}  // namespace lockstep::search

namespace lockstep::app {

struct Context;
struct FuzzTarget;

/// Ends the names of records.
inline constexpr std::string_view record_suffix = ".search.jsonl";

class FuzzRecord {
 public:
  /// Throws scenario::InputError if the target's lock is missing or wrong.
  FuzzRecord(const FuzzTarget& target, const search::FuzzPlan& plan,
             reports::SearchIdentity::Ends ends, const Context& context);

  void add(const search::BatchResult& batch);
  /// Writes FOLDER/NAME.2-of-5.search.jsonl. Throws scenario::InputError if it can't.
  void write(const std::filesystem::path& folder, const std::string& name,
             std::uint64_t elapsed_ms);

 private:
  std::string part_;  // "2-of-5"
  search::SearchRecord record_;
};

}  // namespace lockstep::app
