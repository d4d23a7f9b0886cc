// The history of a simulated run, from its trace: what lockstep check makes of a file that run
// wrote.
//
// The operations are the ones that the client model declared on the lock service, each by its
// thread. Where readers share the lock, the others are writers. Lines are those of the trace's
// file.
#pragma once

#include <istream>

#include "checker/recorded/formats/read_history.h"
#include "reports/trace/trace_file.h"

namespace lockstep::reports {

/// Whether the stream begins as a trace does. The stream stays where it was.
[[nodiscard]] bool begins_as_trace(std::istream& stream);

/// The operations on the lock service; may be none.
[[nodiscard]] checker::recorded::History history_of(const model::RecordedTrace& trace);

/// Throws scenario::InputError where the run has no operation on a lock.
[[nodiscard]] checker::recorded::ReadResult history_of(const TraceFile& file);

}  // namespace lockstep::reports
