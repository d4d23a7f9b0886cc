// The ways to use a lock that a contract may ask for: what each is needed for, and their words.
#include "model/lock/usage.h"

#include <gtest/gtest.h>

#include <optional>

#include "checker/property.h"

namespace lockstep::model {
namespace {

// Who was freed by force goes on believing; but who waits, or asks, has to be told all the same.
TEST(Usages, ToForceNobodyIsNoMatterOfProgressOrAnswers) {
  EXPECT_FALSE(is_needed_for(Usage::nobody_forces, checker::Property::no_lost_wakeup));
  EXPECT_FALSE(is_needed_for(Usage::nobody_forces, checker::Property::truthful_answers));
  EXPECT_TRUE(is_needed_for(Usage::nobody_forces, checker::Property::hold_count));
}

TEST(Usages, AreFoundByTheirWords) {
  for (const UsageForm& form : usage_forms()) {
    EXPECT_EQ(find_usage(form.word), form.usage);
    EXPECT_FALSE(form.sentence.empty());
  }
  EXPECT_EQ(find_usage("nobody-sleeps"), std::nullopt);
}

}  // namespace
}  // namespace lockstep::model
