// What the properties judge, kept beyond the run: for reports.
#pragma once

#include "checker/history.h"
#include "checker/observations.h"

namespace lockstep::checker {

/// The same as Run (check.h), owned.
struct KeptRun {
  Names names;
  History history;
  Observations observations;
};

}  // namespace lockstep::checker
