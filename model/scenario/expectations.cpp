#include "model/scenario/expectations.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/scenario/fault_forms.h"
#include "model/scenario/keys.h"
#include "model/scenario/suggest.h"
#include "model/scenario/triggers.h"

namespace lockstep::model {
namespace {

constexpr std::string_view expect_example = R"(expect = { holds = ["mutual-exclusion"] })";
constexpr std::size_t sometimes_max = 100;

checker::Property read_property(const PlacedText& name) {
  if (const auto property = checker::property_from(name.text)) return *property;
  std::vector<std::string_view> names;
  for (const checker::Property each : checker::all_properties()) {
    names.push_back(checker::to_string(each));
  }
  name.complain(fmt::format("there is no property {}{} (there are {})", in_quotes(name.text),
                            did_you_mean(name.text, names), listed(names)));
}

void read_properties(const TableReader& table, std::string_view key,
                     std::vector<checker::Property>& properties,
                     const std::vector<checker::Property>& taken) {
  for (const PlacedText& name : table.text_or_texts(key)) {
    const checker::Property property = read_property(name);
    if (std::find(properties.begin(), properties.end(), property) != properties.end()) {
      name.complain(fmt::format("{} is listed twice", in_quotes(name.text)));
    }
    if (std::find(taken.begin(), taken.end(), property) != taken.end()) {
      name.complain(fmt::format("{} can't both hold and be violated; expected it in one list",
                                in_quotes(name.text)));
    }
    properties.push_back(property);
  }
}

}  // namespace

Expectation read_expectation(const TableReader& file) {
  const auto table = file.table("expect");
  if (!table) file.complain_missing("expect", expect_example);
  table->allow_only(key_words_of(TableName::expect));
  Expectation expectation;
  expectation.place = file.key_place("expect");
  read_properties(*table, "violates", expectation.violates, {});
  read_properties(*table, "holds", expectation.holds, expectation.violates);
  expectation.overlap_at_most_ns = table->duration("overlap_at_most", DurationSign::not_negative);
  expectation.wait_at_most_ns = table->duration("wait_at_most", DurationSign::not_negative);
  const bool expects_properties = !expectation.violates.empty() || !expectation.holds.empty();
  if (!expects_properties && !expectation.has_bounds() && !table->has("sometimes")) {
    throw InputError(
        expectation.place,
        fmt::format(
            "this expects nothing; expected 'violates' or 'holds' with a property, as in {}",
            expect_example));
  }
  return expectation;
}

namespace {

bool is_client(const CastMember& member) {
  return member.role == Role::client || member.role == Role::thread;
}

/// "a believes [lock]".
void read_believer(const std::vector<PlacedText>& words, const Cast& cast, Sometimes& sometimes) {
  const bool is_whole = words.size() == 2 || words.size() == 3;
  if (!is_whole || words[1].text != "believes") {
    words.front().complain("expected who believes to have a lock, as in 'while a believes'");
  }
  const CastMember& who = cast.actor(words[0]);
  if (!is_client(who)) {
    words[0].complain(fmt::format("{} believes nothing; expected a client or a thread",
                                  in_quotes(words[0].text)));
  }
  sometimes.believer = who.name;
  if (words.size() == 3) sometimes.believed_lock = words[2].text;
}

bool concerns(const FaultSpec& fault, std::string_view name) {
  const std::vector<std::string_view> struck = fault.struck();
  return std::find(struck.begin(), struck.end(), name) != struck.end() ||
         std::find(fault.targets.begin(), fault.targets.end(), name) != fault.targets.end() ||
         fault.message_from == name || fault.message_to == name;
}

/// "pause struck", "pause of a struck": a fault's own probe.
bool is_probe(const std::vector<PlacedText>& words) {
  const auto is_struck = [&](std::size_t i) {
    return i < words.size() && words[i].text == "struck";
  };
  return is_struck(1) || (is_struck(3) && words[1].text == "of");
}

FaultKind read_fault_kind(const PlacedText& word) {
  std::vector<std::string_view> names;
  for (const FaultForm& form : fault_forms()) {
    if (form.word == word.text) return form.kind;
    names.push_back(form.word);
  }
  word.complain(fmt::format("there is no fault {}{} (a fault is {})", in_quotes(word.text),
                            did_you_mean(word.text, names), listed(names, "or")));
}

void read_probe(std::vector<PlacedText> words, const Scenario& scenario, Sometimes& sometimes) {
  sometimes.when = {{}, Milestone::acquired, {}, take_ordinal(words)};
  const FaultKind kind = read_fault_kind(words[0]);
  const bool has_name = words.size() > 2 && words[1].text == "of";
  const std::size_t words_max = has_name ? 4 : 2;
  if (words.size() > words_max) {
    words[words_max].complain(fmt::format(
        "unexpected {} after 'struck'; expected nothing more, or as in 'for the 2nd time'",
        in_quotes(words[words_max].text)));
  }
  for (std::size_t i = 0; i < scenario.faults.size(); ++i) {
    const FaultSpec& fault = scenario.faults[i];
    if (fault.kind != kind || (has_name && !concerns(fault, words[2].text))) continue;
    sometimes.faults.push_back(i);
  }
  if (!sometimes.faults.empty()) return;
  words[0].complain(fmt::format("this never strikes; expected a [[fault]] {}{}", words[0].text,
                                has_name ? fmt::format(" = \"{}\"", words[2].text) : ""));
}

Sometimes read_sometime(const PlacedText& phrase, const Cast& cast, const Scenario& scenario) {
  Sometimes sometimes;
  sometimes.text = phrase.text;
  const std::vector<PlacedText> words = phrase.words();
  const auto while_word = std::find_if(words.begin(), words.end(),
                                       [](const PlacedText& word) { return word.text == "while"; });
  PlacedText moment = phrase;
  if (while_word != words.end()) {
    const auto at = static_cast<std::size_t>(while_word->text.data() - phrase.text.data());
    moment = phrase.part(0, at);
    const std::vector<PlacedText> rest(while_word + 1, words.end());
    if (rest.empty()) {
      while_word->complain("expected who believes to have a lock, as in 'while a believes'");
    }
    read_believer(rest, cast, sometimes);
  }
  if (is_probe(moment.words())) {
    read_probe(moment.words(), scenario, sometimes);
    return sometimes;
  }
  sometimes.when = read_when(moment, cast);
  if (sometimes.when.kind != Trigger::When::Kind::milestone) {
    moment.complain(fmt::format("{} can't be looked for; expected who and what, as in 'a acquired'",
                                in_quotes(moment.text)));
  }
  return sometimes;
}

}  // namespace

void read_sometimes(const TableReader& file, const Cast& cast, Scenario& scenario) {
  std::vector<Sometimes>& sometimes = scenario.expect.sometimes;
  for (const PlacedText& phrase : file.table("expect")->text_or_texts("sometimes")) {
    if (sometimes.size() == sometimes_max) {
      phrase.complain(fmt::format("there are more than {} of these", sometimes_max));
    }
    sometimes.push_back(read_sometime(phrase, cast, scenario));
  }
}

}  // namespace lockstep::model
