// Graphviz, in this process: DOT text with positions in, a picture's bytes out.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::reports {

/// Draws a graph whose nodes and edges all have positions ("neato -n2"). `format`: "svg", "png",
/// "pdf". SVG is drawn without looking at the machine's fonts, so that it is the same everywhere.
/// Throws std::runtime_error with Graphviz's words where it can't.
[[nodiscard]] std::string draw_with_graphviz(const std::string& dot, std::string_view format);

}  // namespace lockstep::reports
