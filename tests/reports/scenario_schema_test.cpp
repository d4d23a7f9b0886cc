// The JSON Schema takes what the parser takes, and refuses most of what it refuses for its form.
//
// Validated here by hand: the few words of JSON Schema that scenario_schema() uses.
#include "reports/formats/scenario_schema.h"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "scenario/text/source_file.h"
#include "scenario/text/text_file.h"
#include "tests/support/source_folder.h"

namespace lockstep::reports {
namespace {

std::string type_of(const toml::node& node) {
  if (node.is_table()) return "object";
  if (node.is_array()) return "array";
  if (node.is_string()) return "string";
  if (node.is_integer()) return "integer";
  if (node.is_boolean()) return "boolean";
  return "other";
}

class Validator {
 public:
  bool fits(const nlohmann::json& schema, const toml::node& node) {
    for (const auto& [word, value] : schema.items()) {
      if (!fits_word(word, value, schema, node)) return false;
    }
    return true;
  }

 private:
  bool fits_word(const std::string& word, const nlohmann::json& value, const nlohmann::json& schema,
                 const toml::node& node) {
    if (word == "type") return has_type(value, node);
    if (word == "enum") return has_text(node) && std::count(value.begin(), value.end(), text(node));
    if (word == "pattern") return !has_text(node) || std::regex_match(text(node), regex(value));
    if (word == "minimum") return !node.is_integer() || node.as_integer()->get() >= value;
    if (word == "required") return has_all(value, node);
    if (word == "items") return items_fit(value, node);
    if (word == "anyOf" || word == "oneOf") {
      const auto count = std::count_if(
          value.begin(), value.end(), [&](const nlohmann::json& each) { return fits(each, node); });
      return word == "anyOf" ? count > 0 : count == 1;
    }
    if (word == "properties" || word == "additionalProperties") return members_fit(schema, node);
    EXPECT_TRUE(word == "description" || word == "title" || word == "$schema") << word;
    return true;
  }

  static bool has_text(const toml::node& node) { return node.is_string(); }
  static const std::string& text(const toml::node& node) { return node.as_string()->get(); }

  const std::regex& regex(const std::string& pattern) {
    const auto found = regexes_.find(pattern);
    if (found != regexes_.end()) return found->second;
    return regexes_.emplace(pattern, std::regex(pattern, std::regex::ECMAScript)).first->second;
  }

  static bool has_type(const nlohmann::json& types, const toml::node& node) {
    if (types.is_string()) return types == type_of(node);
    return std::count(types.begin(), types.end(), type_of(node)) > 0;
  }

  static bool has_all(const nlohmann::json& required, const toml::node& node) {
    return !node.is_table() ||
           std::all_of(required.begin(), required.end(), [&](const nlohmann::json& key) {
             return node.as_table()->contains(key.get<std::string>());
           });
  }

  bool items_fit(const nlohmann::json& schema, const toml::node& node) {
    if (!node.is_array()) return true;
    return std::all_of(node.as_array()->begin(), node.as_array()->end(),
                       [&](const toml::node& each) { return fits(schema, each); });
  }

  bool members_fit(const nlohmann::json& schema, const toml::node& node) {
    if (!node.is_table()) return true;
    const nlohmann::json properties = schema.value("properties", nlohmann::json::object());
    const nlohmann::json& others = schema.at("additionalProperties");
    for (const auto& [key, value] : *node.as_table()) {
      const auto known = properties.find(std::string(key.str()));
      if (known == properties.end() && others.is_boolean()) return others.get<bool>();
      if (!fits(known == properties.end() ? others : *known, value)) return false;
    }
    return true;
  }

  std::map<std::string, std::regex> regexes_;
};

bool is_valid(const std::string& text) {
  static const nlohmann::json schema = nlohmann::json::parse(scenario_schema());
  static Validator validator;
  return validator.fits(schema, toml::parse(text));
}

TEST(ScenarioSchema, TakesEveryScenario) {
  const std::filesystem::path folder = std::filesystem::path(source_folder()) / "scenarios";
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!scenario::is_scenario_file(entry.path())) continue;
    ++files;
    EXPECT_TRUE(is_valid(scenario::read_text_file(entry.path()))) << entry.path();
  }
  EXPECT_GT(files, 100);
}

const std::string good = R"(
title  = "t"
lock   = "plain"
expect = { holds = ["harm", "$property"], overlap_at_most = "$bound" }
[parameters]
property = ["fencing"]
[[case]]
property = "harm"
expect   = { violates = "harm" }
[redis]
masters = "$masters"
latency = "200us..1.5ms"
config  = { appendonly = "yes", maxmemory = 1000, activedefrag = true }
[redis.nodes.n1]
drift = "-50ppm"
[options]
timeout = "3s"
[[client]]
name     = "a"
count    = 3
start    = "0s..1s"
run      = ["lock lease=1s..5s", "unlock"]
generate = { mix = { lock = 5 }, permits = "1..3", think = "1ms" }
[[link]]
from    = "a1"
to      = "n1"
latency = "1ms"
[[fault]]
pause = "a1"
when  = "a1 acquired"
for   = "$long"
[[fault]]
cut = ["a1", "n1"]
)";

TEST(ScenarioSchema, TakesWhatTheFormatOffers) {
  EXPECT_TRUE(is_valid(good));
  EXPECT_TRUE(is_valid("base = \"family.toml\"\n"));
}

TEST(ScenarioSchema, RefusesWhatTheParserRefusesForItsForm) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"title  =", "titel  ="},
      {"lock   = \"plain\"", "lock = 3"},
      {"lock   = \"plain\"", ""},
      {"\"harm\", \"$p", "\"hram\", \"$p"},
      {"[redis]", "[rediss]"},
      {"masters = \"$masters\"", "masters = \"three\""},
      {"masters = \"$masters\"", "masters = 1.5"},
      {"200us..1.5ms", "200us..1.5"},
      {"-50ppm", "-50"},
      {"drift =", "drfit ="},
      {"name     = \"a\"", ""},
      {"count    = 3", "count = true"},
      {"start    = \"0s..1s\"", "start = 5"},
      {"\"lock lease=1s..5s\"", "\"lokc lease=1s..5s\""},
      {"\"lock lease=1s..5s\", \"unlock\"", "5"},
      {"{ lock = 5 }", "{ lock = 0 }"},
      {"{ lock = 5 }", "5"},
      {"\"1..3\"", "\"1-3\""},
      {"think = \"1ms\"", "think = \"1\""},
      {"to      = \"n1\"", ""},
      {"for   =", "fro   ="},
      {"pause = \"a1\"", "puase = \"a1\""},
      {"pause = \"a1\"", "pause = \"a1\"\ncrash = \"a1\""},
      {"when  = \"a1 acquired\"", "when = 3"},
      {"[\"a1\", \"n1\"]", "3"},
  };
  for (const auto& [from, to] : changes) {
    const std::size_t at = good.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    std::string changed = good;
    changed.replace(at, from.size(), to);
    EXPECT_FALSE(is_valid(changed)) << from << " -> " << to;
  }
}

}  // namespace
}  // namespace lockstep::reports
