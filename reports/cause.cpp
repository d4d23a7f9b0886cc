#include "reports/cause.h"

namespace lockstep::reports {
std::vector<std::string> explain(const search::Example&) { return {}; }
}  // namespace lockstep::reports
