// The frame of an HTML report: what is the same in every one.
#pragma once

#include <string>
#include <string_view>
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

// The files of reports/html/page/, which the build makes into text.
extern const std::string_view page_body;
extern const std::string_view page_style;
/// All .js files, in the order of their names.
extern const std::string_view page_script;

}  // namespace lockstep::reports
