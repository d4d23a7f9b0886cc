// The timeline as a Mermaid sequence diagram, to paste into a pull request.
//
// Every text is sanitized and escaped: what Mermaid, Markdown or HTML could take for their own are
// character references. sequence.h says what has room.
#pragma once

#include <string>
#include <string_view>

#include "reports/timeline/timeline.h"

namespace lockstep::reports {

/// Ends in a line feed. The same subject gives the same text.
[[nodiscard]] std::string mermaid_of(const TimelineSubject& subject,
                                     const TimelineOptions& options = {});

/// Text that stands for itself wherever Mermaid allows text. REQUIRES: sanitized text.
[[nodiscard]] std::string mermaid_escaped(std::string_view sanitized_text);

}  // namespace lockstep::reports
