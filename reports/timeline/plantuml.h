// The timeline as a PlantUML sequence diagram, for documents that are written with it.
//
// Every text is sanitized; whatever PlantUML could take for its own is written as <U+XXXX>.
// sequence.h says what has room.
#pragma once

#include <string>
#include <string_view>

#include "reports/timeline/timeline.h"

namespace lockstep::reports {

/// From @startuml to @enduml; ends in a line feed. The same subject gives the same text.
[[nodiscard]] std::string plantuml_of(const TimelineSubject& subject,
                                      const TimelineOptions& options = {});

/// Text that stands for itself wherever PlantUML allows text. REQUIRES: sanitized text.
[[nodiscard]] std::string plantuml_escaped(std::string_view sanitized_text);

}  // namespace lockstep::reports
