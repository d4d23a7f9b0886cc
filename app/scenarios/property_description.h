// Describes each property on one line, for people.
#pragma once

#include <string_view>

#include "checker/verdict.h"

namespace lockstep::app {

[[nodiscard]] std::string_view describe_property(checker::Property property);

}  // namespace lockstep::app
