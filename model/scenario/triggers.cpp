#include "model/scenario/triggers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "model/scenario/durations.h"
#include "model/scenario/suggest.h"

namespace lockstep::model {
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
      return DetailKind::label;
    default:
      return DetailKind::none;
  }
}

bool is_node(Role role) { return role == Role::master || role == Role::replica; }

bool can_reach(Role role, Milestone milestone) {
  switch (milestone) {
    case Milestone::acquired:
    case Milestone::refused:
    case Milestone::releasing:
    case Milestone::released:
    case Milestone::read:
    case Milestone::wrote:
    case Milestone::finished:
      return role == Role::client || role == Role::thread;
    case Milestone::executed:
      return is_node(role);
    case Milestone::sent:
      return role != Role::thread;  // messages come from processes
    case Milestone::paused:
    case Milestone::resumed:
    case Milestone::crashed:
      return role == Role::client || role == Role::sentinel || is_node(role);
    case Milestone::restarted:
      return role == Role::sentinel || is_node(role);
    case Milestone::stopped:
      return is_node(role);
    case Milestone::promoted:
      return role == Role::replica;
    case Milestone::subjectively_down:
    case Milestone::objectively_down:
    case Milestone::elected:
    case Milestone::switched:
      return role == Role::sentinel;
  }
  return false;
}

std::vector<std::string_view> milestones_of(Role role) {
  std::vector<std::string_view> words;
  for (const Milestone milestone : all_milestones()) {
    if (can_reach(role, milestone)) words.push_back(to_string(milestone));
  }
  return words;
}

Milestone read_milestone(const PlacedText& word, const CastMember& actor) {
  const std::vector<std::string_view> possible = milestones_of(actor.role);
  const std::optional<Milestone> milestone = milestone_from(word.text);
  if (milestone && can_reach(actor.role, *milestone)) return *milestone;
  const std::string what =
      milestone ? fmt::format(" never happens to '{}'", actor.name) : " is no milestone";
  word.complain(fmt::format("{}{}{} ('{}' has {})", in_quotes(word.text), what,
                            did_you_mean(word.text, possible), actor.name, listed(possible)));
}

/// Takes "for the 2nd time" off the end; 1 where it is not there.
std::uint32_t take_ordinal(std::vector<PlacedText>& words) {
  const std::size_t count = words.size();
  const bool is_there = count >= 6 && words[count - 4].text == "for" &&
                        words[count - 3].text == "the" && words[count - 1].text == "time";
  if (!is_there) return 1;
  const PlacedText& word = words[count - 2];
  const std::uint32_t nth = read_ordinal(word.text);
  if (nth == 0) {
    word.complain(fmt::format("{} is no ordinal; expected one as in '2nd'", in_quotes(word.text)));
  }
  words.resize(count - 4);
  return nth;
}

}  // namespace

Trigger::When read_when(const PlacedText& phrase, const Cast& cast) {
  std::vector<PlacedText> words = phrase.words();
  if (words.size() < 2) {
    phrase.complain(fmt::format("{} is no moment; expected who and what, as in 'a acquired'",
                                in_quotes(phrase.text)));
  }
  const CastMember& actor = cast.actor(words[0]);
  const Milestone milestone = read_milestone(words[1], actor);
  Trigger::When when{actor.name, milestone, {}, take_ordinal(words)};
  const DetailKind detail = detail_of(milestone);
  const std::size_t detail_words_max = detail == DetailKind::none    ? 0
                                       : detail == DetailKind::label ? words.size()
                                                                     : 1;
  if (words.size() - 2 > detail_words_max) {
    words[2 + detail_words_max].complain(
        fmt::format("unexpected {} after '{}'; expected nothing more, or as in 'for the 2nd time'",
                    in_quotes(words[2 + detail_words_max].text), words[1 + detail_words_max].text));
  }
  if (detail == DetailKind::host && words.size() > 2) static_cast<void>(cast.server(words[2]));
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (i > 2) when.detail += ' ';
    when.detail += words[i].text;
  }
  return when;
}

std::string write_when(const Trigger::When& when) {
  std::string text = fmt::format("{} {}", when.actor, to_string(when.milestone));
  if (!when.detail.empty()) text += fmt::format(" {}", when.detail);
  if (when.nth != 1) text += fmt::format(" for the {} time", write_ordinal(when.nth));
  return text;
}

}  // namespace lockstep::model
