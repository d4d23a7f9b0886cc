// What every kind of fault has to have, walked over the table of kinds. That each row is whole, and
// that no kind lacks one, is checked where the table is compiled.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/file/file_keys.h"
#include "tests/support/source_folder.h"

namespace lockstep::scenario {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream stream(source_folder() + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(FaultTable, SaysOfEachKindWhenItMattered) {
  std::set<std::string_view> words;
  for (const FaultForm& form : fault_forms()) {
    EXPECT_TRUE(words.insert(form.word).second) << form.word;
    EXPECT_GT(form.mattered.size(), 20U) << form.word;
    EXPECT_NE(form.mattered.back(), '.') << form.word << ": a clause, for a sentence to end";
  }
  EXPECT_EQ(words.size(), fault_kind_count);
}

TEST(FaultTable, DescribesEachKindBeforeAnythingIsNamed) {
  for (const FaultForm& form : fault_forms()) {
    FaultSpec fault = fault_of(form.kind);
    EXPECT_EQ(fault.kind, form.kind);
    const std::string text = fault.describe();
    EXPECT_GT(text.size(), 8U) << form.word;
    EXPECT_EQ(text.find('{'), std::string::npos) << text;
  }
}

TEST(FaultTable, HasATypeForEachKeyAndAnExampleOfItsWord) {
  for (const FaultForm& form : fault_forms()) {
    for (const std::string_view key : form.keys) {
      EXPECT_NO_THROW(static_cast<void>(type_of_fault_key(key))) << form.word << ": " << key;
    }
    EXPECT_TRUE(form.example.starts_with(form.word)) << form.example;
  }
}

TEST(FaultTable, IsWhatTheDocumentTellsOf) {
  const std::string document = text_of("docs/faults.md");
  ASSERT_FALSE(document.empty());
  for (const FaultForm& form : fault_forms()) {
    EXPECT_NE(document.find("`" + std::string(form.word) + " = "), std::string::npos) << form.word;
  }
}

}  // namespace
}  // namespace lockstep::scenario
