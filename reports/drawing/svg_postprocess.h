// Makes Graphviz's SVG fit for a page: smaller, and with words for those who can't see it.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::reports {

/// Adds a title and a description for screen readers, takes out comments (but who generated it) and
/// titles that say what the text beside them says, says the font once, and joins lines of one kind.
/// REQUIRES: an SVG as Graphviz writes it; sanitized text.
[[nodiscard]] std::string postprocessed_svg(std::string_view svg, std::string_view title,
                                            std::string_view description);

}  // namespace lockstep::reports
