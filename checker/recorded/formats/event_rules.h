// What the parts of the history's builder have in common: how an event is refused.
#pragma once

#include <string>
#include <string_view>

#include "checker/recorded/formats/event.h"

namespace lockstep::checker::recorded {

/// Keywords and strings are the same here.
[[nodiscard]] std::string_view without_colon(std::string_view word);

/// Throws ReadError at the field, or at the event if it hasn't got that.
[[noreturn]] void refuse_event(const Event& event, Field field, const std::string& message);

/// A value as a message shows it: short.
[[nodiscard]] std::string shown(std::string_view text);

/// Throws where the value isn't a whole number.
void require_whole(const Event& event, Field field, const Value& value);

}  // namespace lockstep::checker::recorded
