// The rolling hash of a trace, computed again from the events that were read.
//
// Written from the documentation in sim/trace.h, not with its code, so that a test can compare the
// two.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/recorded_trace.h"

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

/// The hash after this event (its own `hash` is not looked at), where `previous` is the one before
/// it; 0 before the first.
[[nodiscard]] std::uint64_t hash_after(std::uint64_t previous, const model::RecordedEvent& event);

/// A checksum of lines: the value after this line, where `previous` is the one before it; 0 before
/// the first.
[[nodiscard]] std::uint64_t checksum_after(std::uint64_t previous, std::string_view line);

/// The checksum of the whole file, from that of its lines and of what the last line says.
[[nodiscard]] std::uint64_t file_checksum(std::uint64_t of_lines, const search::RunRecord& example);

}  // namespace lockstep::reports
