#include "scenario/file/expect_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "checker/property.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/faults/faults.h"
#include "scenario/faults/triggers.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t sometimes_max = 100;

checker::Property read_property(const LocatedText& name) {
  if (const auto property = checker::property_from(name.text)) return *property;
  std::vector<std::string_view> names;
  for (const checker::Property each : checker::all_properties()) {
    names.push_back(checker::to_string(each));
  }
  name.complain(fmt::format("there is no property {}{}", in_quotes(name.text),
                            nearest_or_listing(name.text, names, "properties")));
}

void read_properties(const TableReader& table, std::string_view key,
                     std::vector<checker::Property>& properties,
                     const std::vector<checker::Property>& taken) {
  for (const LocatedText& name : table.text_or_texts(key)) {
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

std::vector<std::string> words_of(const std::vector<checker::Property>& properties) {
  std::vector<std::string> words;
  words.reserve(properties.size());
  for (const checker::Property property : properties) {
    words.emplace_back(checker::to_string(property));
  }
  return words;
}

void write_words(std::string_view key, const std::vector<std::string>& words, TableText& text) {
  if (!words.empty()) text.keys.add(key, toml_text_or_list(words));
}

}  // namespace

void read_violated(const TableReader& table, const Field<Expectation>& self, const ReadContext&,
                   Expectation& expectation) {
  read_properties(table, self.form.key, expectation.violates, {});
}

void read_held(const TableReader& table, const Field<Expectation>& self, const ReadContext&,
               Expectation& expectation) {
  read_properties(table, self.form.key, expectation.holds, expectation.violates);
}

void write_violated(const Field<Expectation>& self, const Expectation& expectation,
                    const WriteContext&, TableText& text) {
  write_words(self.form.key, words_of(expectation.violates), text);
}

void write_held(const Field<Expectation>& self, const Expectation& expectation, const WriteContext&,
                TableText& text) {
  write_words(self.form.key, words_of(expectation.holds), text);
}

void write_sometimes(const Field<Expectation>& self, const Expectation& expectation,
                     const WriteContext&, TableText& text) {
  std::vector<std::string> phrases;
  for (const Sometimes& each : expectation.sometimes) phrases.push_back(each.text);
  write_words(self.form.key, phrases, text);
}

void read_expectation(const TableReader& file, const Field<Scenario>& self,
                      const ReadContext& context, Scenario& scenario) {
  const auto table = file.table(self.form.key);
  if (!table) file.complain_missing(self.form.key, self.example);
  Expectation& expectation = scenario.expect;
  expectation.place = file.key_place(self.form.key);
  read_fields(expect_fields, *table, context, expectation);
  const bool expects_properties = !expectation.violates.empty() || !expectation.holds.empty();
  if (!expects_properties && !expectation.has_bounds() && !table->has(sometimes_key)) {
    throw InputError(
        expectation.place,
        fmt::format(
            "this expects nothing; expected 'violates' or 'holds' with a property, as in {}",
            self.example));
  }
}

void finish_expectation(const TableReader& file, const Field<Scenario>& self,
                        const ReadContext& context, Scenario& scenario) {
  finish_fields(expect_fields, *file.table(self.form.key), context, scenario.expect);
}

void write_expectation(const Field<Scenario>& self, const Scenario& scenario,
                       const WriteContext& context, TableText& text) {
  TableText table = text.below_key(self.form.key);
  write_fields(expect_fields, scenario.expect, context, table);
  // An expectation of nothing has to say so.
  if (table.keys.empty()) table.keys.add(sometimes_key, "[]");
  text.keys.add(self.form.key, table.keys.inline_text());
}

namespace {

bool is_client(const Participant& member) {
  return member.role == ParticipantKind::client || member.role == ParticipantKind::thread;
}

/// "a believes [lock]".
void read_believer(const std::vector<LocatedText>& words, const Participants& participants,
                   const Scenario& scenario, Sometimes& sometimes) {
  const bool is_whole = words.size() == 2 || words.size() == 3;
  if (!is_whole || words[1].text != "believes") {
    words.front().complain("expected who believes to have a lock, as in 'while a believes'");
  }
  const Participant& who = participants.actor(words[0]);
  if (!is_client(who)) {
    words[0].complain(fmt::format("{} believes nothing; expected a client or a thread",
                                  in_quotes(words[0].text)));
  }
  sometimes.believer = who.name;
  if (words.size() == 3) sometimes.believed_lock = words[2].text;
  require_believer(scenario, sometimes, words.back().text == "believes" ? words[0] : words.back());
}

bool concerns(const FaultSpec& fault, std::string_view name) {
  const std::vector<std::string_view> struck = fault.struck();
  return std::find(struck.begin(), struck.end(), name) != struck.end() ||
         std::find(fault.targets.begin(), fault.targets.end(), name) != fault.targets.end() ||
         fault.message_from == name || fault.message_to == name;
}

/// "pause struck", "pause of a struck": a fault's own probe.
bool is_probe(const std::vector<LocatedText>& words) {
  const auto is_struck = [&](std::size_t i) {
    return i < words.size() && words[i].text == "struck";
  };
  return is_struck(1) || (is_struck(3) && words[1].text == "of");
}

FaultKind read_fault_kind(const LocatedText& word) {
  if (const FaultForm* const form = find_form(word.text)) return form->kind;
  const auto names = fault_words();
  word.complain(fmt::format("there is no fault {}{}", in_quotes(word.text),
                            nearest_or_listing(word.text, names, "faults")));
}

/// How often these faults strike at most; none: without end.
std::optional<std::uint64_t> strikes_at_most(const Scenario& scenario,
                                             const std::vector<std::size_t>& faults) {
  std::uint64_t sum = 0;
  for (const std::size_t index : faults) {
    const FaultSpec& fault = scenario.faults[index];
    const bool is_message = form_of(fault.kind).theme == Theme::message;
    const OpenDuration* const open = fault.find_open(OpenDuration::What::times);
    const std::uint32_t times_of_message =
        open == nullptr ? fault.times : static_cast<std::uint32_t>(open->max_ns);
    const std::uint32_t times = is_message ? times_of_message : fault.most_strikes();
    if (times == unlimited_times) return std::nullopt;
    sum += times;
  }
  return sum;
}
static_assert(unlimited_times == Trigger::always);

Occurrence read_probe(std::vector<LocatedText> words, const Scenario& scenario) {
  Occurrence moment{{{}, Milestone::acquired, {}, take_ordinal(words)}, {}};
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
    moment.faults.push_back(i);
  }
  if (moment.faults.empty()) {
    words[0].complain(fmt::format("this never strikes; expected a [[fault]] {}{}", words[0].text,
                                  has_name ? fmt::format(" = \"{}\"", words[2].text) : ""));
  }
  const auto most = strikes_at_most(scenario, moment.faults);
  if (most && moment.when.nth > *most) {
    words[0].complain(
        fmt::format("this strikes {} at most; 'times' lets a [[fault]] strike again",
                    *most == 1 ? std::string("once") : fmt::format("{} times", *most)));
  }
  return moment;
}

Occurrence read_moment(const LocatedText& phrase, const Participants& participants,
                       const Scenario& scenario) {
  if (is_probe(phrase.words())) return read_probe(phrase.words(), scenario);
  Occurrence moment{read_when(phrase, participants), {}};
  if (moment.when.kind != Trigger::When::Kind::milestone) {
    phrase.complain(fmt::format("{} can't be looked for; expected who and what, as in 'a acquired'",
                                in_quotes(phrase.text)));
  }
  require_moment(scenario, no_fault, moment.when, phrase);
  return moment;
}

/// A phrase without blanks at its ends, so that a complaint points at its first word.
LocatedText trimmed(const LocatedText& phrase) {
  const std::size_t begin = std::min(phrase.text.find_first_not_of(" \t"), phrase.text.size());
  const std::size_t end = phrase.text.find_last_not_of(" \t");
  return end == std::string_view::npos ? phrase.part(begin) : phrase.part(begin, end + 1 - begin);
}

/// Where the word stands, from the second on; none: nowhere. What a client model logs may have it
/// too: there it counts only before a name or a fault.
std::optional<std::size_t> find_word(const std::vector<LocatedText>& words, std::string_view word,
                                     const Participants& participants) {
  bool may_be_said = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    may_be_said = may_be_said || words[i].text == to_string(Milestone::logged);
    if (words[i].text != word) continue;
    const bool leads_on =
        i + 1 < words.size() && (participants.find(words[i + 1].text) != nullptr ||
                                 find_form(words[i + 1].text) != nullptr);
    if (!may_be_said || leads_on) return i;
  }
  return std::nullopt;
}

/// The phrase before that word and behind it.
std::pair<LocatedText, LocatedText> split_at(const LocatedText& phrase, const LocatedText& word) {
  const auto at = static_cast<std::size_t>(word.text.data() - phrase.text.data());
  return {trimmed(phrase.part(0, at)), trimmed(phrase.part(at + word.text.size()))};
}

Sometimes read_sometime(const LocatedText& phrase, const Participants& participants,
                        const Scenario& scenario) {
  Sometimes sometimes;
  sometimes.text = phrase.text;
  LocatedText moment = phrase;
  const std::vector<LocatedText> words = phrase.words();
  if (const auto at = find_word(words, "while", participants)) {
    const auto [before, believer] = split_at(phrase, words[*at]);
    if (believer.text.empty()) {
      words[*at].complain("expected who believes to have a lock, as in 'while a believes'");
    }
    read_believer(believer.words(), participants, scenario, sometimes);
    moment = before;
  }
  const std::vector<LocatedText> rest = moment.words();
  if (const auto at = find_word(rest, "after", participants)) {
    const auto [what, after] = split_at(moment, rest[*at]);
    if (after.words().size() < 2) {
      rest[*at].complain("expected what has happened before, as in 'b acquired after a crashed'");
    }
    sometimes.after = read_moment(after, participants, scenario);
    moment = what;
  }
  sometimes.moment = read_moment(moment, participants, scenario);
  return sometimes;
}

}  // namespace

void read_sometimes(const TableReader& table, const Field<Expectation>& self,
                    const ReadContext& context, Expectation& expectation) {
  std::vector<Sometimes>& sometimes = expectation.sometimes;
  ErrorCollector mistakes;
  for (const LocatedText& phrase : table.text_or_texts(self.form.key)) {
    if (sometimes.size() == sometimes_max) {
      phrase.complain(fmt::format("there are more than {} of these", sometimes_max));
    }
    mistakes.note([&] {
      sometimes.push_back(read_sometime(phrase, *context.participants, context.scenario));
    });
  }
  mistakes.raise();
}

}  // namespace lockstep::scenario
