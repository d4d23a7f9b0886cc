// A mutex that its owner may acquire again and again, and must release as often: owned_mutex.h,
// with re-entry.
#pragma once

#include "checker/recorded/specifications/owned_mutex.h"

namespace lockstep::checker::recorded {

class ReentrantMutex : public OwnedMutex {
 public:
  ReentrantMutex(const Texts& texts, const Settings& settings)
      : OwnedMutex(texts, settings, true) {}
};

}  // namespace lockstep::checker::recorded
