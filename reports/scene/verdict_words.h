// The mark at the row where a property broke, in a few words: "✗ fifo: c/1 before b/1".
#pragma once

#include <string>
#include <string_view>

#include "checker/history.h"
#include "checker/verdict.h"

namespace lockstep::reports {

/// The property alone where there is no shorter way to say it than the verdict's own sentence.
/// REQUIRES: a verdict that is violated. Sanitized text.
/// `truth`: of an answer, where more is known than the verdict says.
[[nodiscard]] std::string mark_in_words(const checker::Verdict& verdict,
                                        const checker::Names& names, std::string_view truth = {});

}  // namespace lockstep::reports
