// The frame of an HTML report: what is the same in every one.
#pragma once

#include <string>
#include <vector>

namespace lockstep::reports {

struct HtmlPage {
  std::string title;                  ///< sanitized text
  std::string data;                   ///< a JSON document
  std::vector<std::string> pictures;  ///< SVG documents, the first being "picture-0"
};

/// The whole file. Its policy allows this page's own script and styles, by their hashes, and
/// nothing from anywhere.
[[nodiscard]] std::string html_of(const HtmlPage& page);

}  // namespace lockstep::reports
