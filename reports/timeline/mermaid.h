// The timeline as a Mermaid sequence diagram, to paste into a pull request.
//
// Mermaid draws each message level, where it arrives, and has no room for much: at most 60 messages
// and notes, those nearest to what went wrong. What is left out is counted where it is missing and
// in the end. Every text is sanitized and escaped: what Mermaid, Markdown or HTML could take for
// their own are character references.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/timeline/timeline.h"

namespace lockstep::reports {

inline constexpr std::size_t mermaid_items_max = 60;

/// Ends in a line feed. The same subject gives the same text.
[[nodiscard]] std::string mermaid_of(const TimelineSubject& subject,
                                     const TimelineOptions& options = {});

/// Text that stands for itself wherever Mermaid allows text. REQUIRES: sanitized text.
[[nodiscard]] std::string mermaid_escaped(std::string_view sanitized_text);

}  // namespace lockstep::reports
