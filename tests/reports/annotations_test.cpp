#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reports/formats/annotations/annotation.h"

namespace lockstep::reports {
namespace {

using Document = nlohmann::json;

const std::vector<Annotation> two = {{AnnotationLevel::error, "mutual-exclusion",
                                      "locks/my lock/ä.toml", 0, 0, "a pause", "both\nheld"},
                                     {AnnotationLevel::warning, "pexpire-without-check",
                                      "release.lua", 3, 7, "", "no owner is compared"}};

TEST(GithubCommands, SayPlaceTitleAndMessageOnALineEach) {
  EXPECT_EQ(github_commands(two),
            "::error file=locks/my lock/ä.toml,title=a pause::both%0Aheld\n"
            "::warning file=release.lua,line=3,col=7::no owner is compared\n");
  EXPECT_EQ(github_commands({}), "");
}

TEST(GithubCommands, SayWhatIsAboutNoFileWithoutOne) {
  const Annotation none = {AnnotationLevel::notice, "unknown", "", 0, 0, "", "100 %"};
  EXPECT_EQ(github_commands(std::vector{none}), "::notice::100 %25\n");
}

TEST(Sarif, IsOneRunWithItsRulesAndResults) {
  const Document document = Document::parse(sarif(two, "1.2.3"));
  EXPECT_EQ(document["version"], "2.1.0");
  ASSERT_EQ(document["runs"].size(), 1U);
  const Document& run = document["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["version"], "1.2.3");
  EXPECT_EQ(run["tool"]["driver"]["rules"],
            Document::parse(R"([{"id": "mutual-exclusion"}, {"id": "pexpire-without-check"}])"));
  ASSERT_EQ(run["results"].size(), 2U);
  const Document& first = run["results"][0];
  EXPECT_EQ(first["ruleId"], "mutual-exclusion");
  EXPECT_EQ(first["level"], "error");
  EXPECT_EQ(first["message"]["text"], "a pause\nboth\nheld");
  const Document& place = first["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "locks/my%20lock/%C3%A4.toml");
  EXPECT_FALSE(place.contains("region"));
  EXPECT_EQ(run["results"][1]["locations"][0]["physicalLocation"]["region"],
            Document::parse(R"({"startLine": 3, "startColumn": 7})"));
}

TEST(Sarif, HasARunWithoutResultsWhereAllIsAsExpected) {
  EXPECT_EQ(Document::parse(sarif({}, "1"))["runs"][0]["results"], Document::array());
}

TEST(CodeQuality, HasAnIssueForEachFileWithAFingerprintOfItsText) {
  std::vector<Annotation> three = two;
  three.push_back({AnnotationLevel::error, "not-as-expected", "", 0, 0, "", "about no file"});
  const Document issues = Document::parse(code_quality(three));
  ASSERT_EQ(issues.size(), 2U);
  EXPECT_EQ(issues[0]["location"], Document::parse(R"({"path": "locks/my lock/ä.toml",
                                                   "lines": {"begin": 1}})"));
  EXPECT_EQ(issues[0]["description"], "a pause: both\nheld");
  EXPECT_EQ(issues[0]["severity"], "major");
  EXPECT_EQ(issues[1]["location"]["lines"]["begin"], 3);
  EXPECT_NE(issues[0]["fingerprint"], issues[1]["fingerprint"]);
  three[0].line = 9;  // text that moves keeps its fingerprint
  EXPECT_EQ(Document::parse(code_quality(three))[0]["fingerprint"], issues[0]["fingerprint"]);
}

RC_GTEST_PROP(Annotations, AreValidInEachFormatWhateverTheTextsHold,
              (const std::string& rule, const std::string& file, const std::string& text)) {
  const std::vector<Annotation> hostile = {{AnnotationLevel::error, rule, file, 1, 1, text, text}};
  const Document document = Document::parse(sarif(hostile, "1"));
  RC_ASSERT(document["runs"][0]["results"].size() == 1U);
  RC_ASSERT(Document::parse(code_quality(hostile)).size() == (file.empty() ? 0U : 1U));
  const std::string commands = github_commands(hostile);
  RC_ASSERT(commands.find('\n') == commands.size() - 1);
}

}  // namespace
}  // namespace lockstep::reports
