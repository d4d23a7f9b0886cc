#include "scenario/faults/triggers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "scenario/milestones.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/suggest.h"
#include "sim/ascii.h"

namespace lockstep::scenario {
namespace {

enum class DetailKind : std::uint8_t { none, lock, host, label };

DetailKind detail_of(Milestone milestone) {
  switch (milestone) {
    case Milestone::acquired:
    case Milestone::refused:
    case Milestone::releasing:
    case Milestone::released:
      return DetailKind::lock;
    case Milestone::subjectively_down:
    case Milestone::objectively_down:
    case Milestone::switched:
      return DetailKind::host;
    case Milestone::executed:
    case Milestone::sent:
    case Milestone::logged:
      return DetailKind::label;
    case Milestone::read:
    case Milestone::wrote:
    case Milestone::finished:
    case Milestone::paused:
    case Milestone::resumed:
    case Milestone::crashed:
    case Milestone::restarted:
    case Milestone::promoted:
    case Milestone::stopped:
    case Milestone::elected:
      return DetailKind::none;
  }
  return DetailKind::none;
}

bool is_node(ParticipantKind role) {
  return role == ParticipantKind::master || role == ParticipantKind::replica;
}

bool can_reach(ParticipantKind role, Milestone milestone) {
  switch (milestone) {
    case Milestone::acquired:
    case Milestone::refused:
    case Milestone::releasing:
    case Milestone::released:
    case Milestone::read:
    case Milestone::wrote:
    case Milestone::finished:
    case Milestone::logged:
      return role == ParticipantKind::client || role == ParticipantKind::thread;
    case Milestone::executed:
      return is_node(role);
    case Milestone::sent:
      return role != ParticipantKind::thread;  // messages come from processes
    case Milestone::paused:
    case Milestone::resumed:
    case Milestone::crashed:
      return role == ParticipantKind::client || role == ParticipantKind::sentinel || is_node(role);
    case Milestone::restarted:
      return role == ParticipantKind::sentinel || is_node(role);
    case Milestone::stopped:
      return is_node(role);
    case Milestone::promoted:
      return role == ParticipantKind::replica;
    case Milestone::subjectively_down:
    case Milestone::objectively_down:
    case Milestone::elected:
    case Milestone::switched:
      return role == ParticipantKind::sentinel;
  }
  return false;
}

std::vector<std::string_view> milestones_of(ParticipantKind role) {
  std::vector<std::string_view> words;
  for (const Milestone milestone : all_milestones()) {
    if (can_reach(role, milestone)) words.push_back(to_string(milestone));
  }
  return words;
}

Milestone read_milestone(const LocatedText& word, const Participant& actor) {
  const std::vector<std::string_view> possible = milestones_of(actor.role);
  const std::optional<Milestone> milestone = milestone_from(word.text);
  if (milestone && can_reach(actor.role, *milestone)) return *milestone;
  const std::string what =
      milestone ? fmt::format(" never happens to '{}'", actor.name) : " is no milestone";
  word.complain(fmt::format("{}{}{} ('{}' has {})", in_quotes(word.text), what,
                            did_you_mean(word.text, possible), actor.name, listed(possible)));
}

constexpr std::string_view lease_example = "'the lease of a ends'";

Trigger::When read_lease_end(std::vector<LocatedText> words, const Participants& participants) {
  const std::uint32_t nth = take_ordinal(words);
  const bool has_lock = words.size() == 7 && words[4].text == "on";
  const bool is_whole = (words.size() == 5 || has_lock) && words[1].text == "lease" &&
                        words[2].text == "of" && words.back().text == "ends";
  if (!is_whole) {
    words[0].complain(fmt::format("this is no moment; expected one as in {}", lease_example));
  }
  const Participant& actor = participants.actor(words[3]);
  if (actor.role != ParticipantKind::client && actor.role != ParticipantKind::thread) {
    words[3].complain(fmt::format("{} has no lease; expected a client or one of its threads",
                                  in_quotes(actor.name)));
  }
  return {actor.name, Milestone::acquired, has_lock ? std::string(words[5].text) : std::string(),
          nth, Trigger::When::Kind::lease_end};
}

/// "3rd message from a to n2", "2nd acquire from a".
Trigger::When read_message(const std::vector<LocatedText>& words,
                           const Participants& participants) {
  const auto from = std::find_if(words.begin() + 1, words.end(),
                                 [](const LocatedText& word) { return word.text == "from"; });
  const auto left = words.end() - from;
  const bool is_whole =
      from - words.begin() >= 2 && (left == 2 || (left == 4 && (from + 2)->text == "to"));
  if (!is_whole) {
    words[0].complain("this is no moment; expected one as in '3rd message from a to n2'");
  }
  Trigger::When when{participants.actor(*(from + 1)).name,
                     Milestone::sent,
                     {},
                     parse_ordinal(words[0].text),
                     Trigger::When::Kind::message};
  for (auto word = words.begin() + 1; word != from; ++word) {
    if (!when.detail.empty()) when.detail += ' ';
    when.detail += word->text;
  }
  if (when.detail == "message") when.detail.clear();
  if (left == 2) return when;
  const Participant& to = participants.actor(*(from + 3));
  if (!can_communicate(participants.actor(*(from + 1)), to)) {
    (from + 3)->complain(fmt::format("{} and {} never talk to each other", in_quotes(when.actor),
                                     in_quotes(to.name)));
  }
  when.to = to.name;
  return when;
}

/// "renew of b": takes the last two words off.
void take_asker(std::vector<LocatedText>& words, const Participants& participants,
                Trigger::When& when) {
  const std::size_t count = words.size();
  if (count < 5 || words[count - 2].text != "of") return;
  const Participant& asker = participants.actor(words[count - 1]);
  if (asker.role != ParticipantKind::client && asker.role != ParticipantKind::thread) {
    words[count - 1].complain(fmt::format(
        "{} asks for nothing; expected a client or one of its threads", in_quotes(asker.name)));
  }
  when.requested_by = asker.name;
  words.resize(count - 2);
}

/// "3s after a acquired", "3s": how reports say it, with a key of its own in a file.
void require_no_time(const LocatedText& phrase, const std::vector<LocatedText>& words) {
  if (words.empty() || !sim::is_digit(words[0].text.front())) return;
  if (words.size() == 1) {
    phrase.complain(
        fmt::format("{} is no moment; expected who and what, as in 'a acquired', or at = {}",
                    in_quotes(phrase.text), in_quotes(words[0].text)));
  }
  const std::string_view relation = words[1].text;
  if (words.size() < 4 || (relation != "after" && relation != "before")) return;
  const auto at = static_cast<std::size_t>(words[2].text.data() - phrase.text.data());
  phrase.complain(fmt::format("this says two things; expected when = {} and {} = {}",
                              in_quotes(phrase.text.substr(at)), relation,
                              in_quotes(words[0].text)));
}

}  // namespace

std::uint32_t take_ordinal(std::vector<LocatedText>& words) {
  const std::size_t count = words.size();
  const bool is_there = count >= 6 && words[count - 4].text == "for" &&
                        words[count - 3].text == "the" && words[count - 1].text == "time";
  if (!is_there) return 1;
  const LocatedText& word = words[count - 2];
  const std::uint32_t nth = parse_ordinal(word.text);
  if (nth == 0) {
    word.complain(fmt::format("{} is no ordinal; expected one as in '2nd'", in_quotes(word.text)));
  }
  words.resize(count - 4);
  return nth;
}

Trigger::When read_when(const LocatedText& phrase, const Participants& participants) {
  std::vector<LocatedText> words = phrase.words();
  if (words.size() == 1 && words[0].text == "any") {
    return {{}, Milestone::acquired, {}, 1, Trigger::When::Kind::any};
  }
  if (words.size() > 1 && words[0].text == "the" && words[1].text == "lease") {
    return read_lease_end(std::move(words), participants);
  }
  if (words.size() > 1 && parse_ordinal(words[0].text) != 0)
    return read_message(words, participants);
  require_no_time(phrase, words);
  if (words.size() < 2) {
    phrase.complain(fmt::format("{} is no moment; expected who and what, as in 'a acquired'",
                                in_quotes(phrase.text)));
  }
  const Participant& actor = participants.actor(words[0]);
  const Milestone milestone = read_milestone(words[1], actor);
  Trigger::When when{actor.name, milestone, {}, take_ordinal(words)};
  if (milestone == Milestone::executed) take_asker(words, participants, when);
  const DetailKind detail = detail_of(milestone);
  const std::size_t detail_words_max = detail == DetailKind::none    ? 0
                                       : detail == DetailKind::label ? words.size()
                                                                     : 1;
  if (words.size() - 2 > detail_words_max) {
    words[2 + detail_words_max].complain(
        fmt::format("unexpected {} after '{}'; expected nothing more, or as in 'for the 2nd time'",
                    in_quotes(words[2 + detail_words_max].text), words[1 + detail_words_max].text));
  }
  if (detail == DetailKind::host && words.size() > 2)
    static_cast<void>(participants.server(words[2]));
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (i > 2) when.detail += ' ';
    when.detail += words[i].text;
  }
  return when;
}

std::string write_when(const Trigger::When& when) {
  switch (when.kind) {
    case Trigger::When::Kind::any:
      return "any";
    case Trigger::When::Kind::message: {
      const std::string_view what = when.detail.empty() ? "message" : std::string_view(when.detail);
      std::string text = fmt::format("{} {} from {}", format_ordinal(when.nth), what, when.actor);
      if (!when.to.empty()) text += fmt::format(" to {}", when.to);
      return text;
    }
    case Trigger::When::Kind::lease_end: {
      std::string text = fmt::format("the lease of {}", when.actor);
      if (!when.detail.empty()) text += fmt::format(" on {}", when.detail);
      text += " ends";
      if (when.nth != 1) text += fmt::format(" for the {} time", format_ordinal(when.nth));
      return text;
    }
    case Trigger::When::Kind::milestone:
      break;
  }
  std::string text = fmt::format("{} {}", when.actor, to_string(when.milestone));
  if (!when.detail.empty()) text += fmt::format(" {}", when.detail);
  if (!when.requested_by.empty()) text += fmt::format(" of {}", when.requested_by);
  if (when.nth != 1) text += fmt::format(" for the {} time", format_ordinal(when.nth));
  return text;
}

}  // namespace lockstep::scenario
