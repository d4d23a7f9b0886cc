// The files of reports/page/ as they are put into an HTML report; made into text by the build.
#pragma once

#include <string_view>

namespace lockstep::reports {

extern const std::string_view page_body;
extern const std::string_view page_style;
/// All .js files, in the order of their names.
extern const std::string_view page_script;

}  // namespace lockstep::reports
