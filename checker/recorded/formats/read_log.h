// Reads the operations from a log that Jepsen wrote: lines with a process, :invoke, :ok, :fail or
// :info, a function and a value, with blanks or tabs between, after whatever the logger put in
// front. All other lines are passed over.
//
//   INFO  jepsen.util - 3 :invoke :write 4
#pragma once

#include <string_view>

#include "checker/recorded/formats/byte_source.h"
#include "checker/recorded/formats/event.h"

namespace lockstep::checker::recorded {

class LogEvents {
 public:
  /// The source must outlive it.
  explicit LogEvents(ByteSource& source) : source_(source) {}

  /// Fills the event with the next line that is one; false at the end. Throws ReadError.
  bool next(Event& event);

 private:
  ByteSource& source_;
};

}  // namespace lockstep::checker::recorded
