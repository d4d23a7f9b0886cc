#include "search/fuzz/notable_run.h"

#include "scenario/faults/fault_spec.h"

namespace lockstep::search {

NotableRun::NotableRun() = default;
NotableRun::NotableRun(const NotableRun&) = default;
NotableRun::NotableRun(NotableRun&&) noexcept = default;
NotableRun& NotableRun::operator=(const NotableRun&) = default;
NotableRun& NotableRun::operator=(NotableRun&&) noexcept = default;
NotableRun::~NotableRun() = default;

std::string_view found_by(const NotableRun& found) {
  return found.is_of_corpus ? "corpus" : to_string(found.strategy);
}

}  // namespace lockstep::search
