#include "reports/scene/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "checker/evidence.h"
#include "checker/property.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

using checker::Property;

/// What stands between two parts of a sentence, up to its end where `after` is empty; empty where
/// they are not there.
std::string_view told_between(std::string_view sentence, std::string_view before,
                              std::string_view after) {
  const std::size_t found = sentence.find(before);
  if (found == std::string_view::npos) return {};
  const std::string_view rest = sentence.substr(found + before.size());
  return after.empty() ? rest : rest.substr(0, rest.find(after));
}

std::string name_at(const checker::Verdict& verdict, std::size_t evidence,
                    const checker::Names& names) {
  if (evidence >= verdict.evidence.size()) return {};
  const checker::NameId who = verdict.evidence[evidence].who;
  return who == checker::no_name ? std::string() : brief(names.text(who));
}

std::string hold_count_in_words(std::string_view what) {
  const std::string_view counted = told_between(what, " counted ", " for ");
  const std::string_view acquired = told_between(what, " had acquired it ", " more often");
  if (!counted.empty() && !acquired.empty()) {
    return "counts " + brief(counted) + ", acquired " + brief(acquired);
  }
  const std::string_view lowered = told_between(what, "'s release lowered ", "'s hold count");
  return lowered.empty() ? std::string() : "lowers " + brief(lowered) + "'s count";
}

std::string leak_in_words(std::string_view what) {
  if (what.starts_with("key")) {
    return what.find("no TTL") == std::string_view::npos ? "a key is left" : "a key without a TTL";
  }
  if (what.starts_with("the subscription")) return "a subscription is left";
  return what.starts_with("the background task") ? "a task still runs" : "";
}

std::string valid_grant_in_words(std::string_view what) {
  const std::string_view truth = told_between(what, " in truth ", "");
  if (!truth.empty()) return "in truth " + brief(truth);
  return what.find(" too long") == std::string_view::npos ? "" : "valid for too long";
}

std::string fifo_in_words(const checker::Verdict& verdict, const checker::Names& names) {
  const std::string overtaken = name_at(verdict, 0, names);
  const std::string granted = name_at(verdict, 1, names);
  return overtaken.empty() || granted.empty() ? "" : granted + " before " + overtaken;
}

std::string linearizability_in_words(const checker::Verdict& verdict, const checker::Names& names) {
  const std::string holder = name_at(verdict, 1, names);
  if (holder.empty()) return {};
  const bool is_own = holder == name_at(verdict, 0, names);
  return is_own ? "its lease still ran" : holder + "'s lease still ran";
}

/// What was true instead, without what is so of every answer: for how long it was.
std::string truth_in_words(std::string_view what) {
  const std::string_view truth = told_between(what, ", but ", "");
  const std::string_view ended = told_between(truth, ": it ended at ", " at the latest");
  if (!ended.empty()) return "the lease ends at " + brief(ended);
  std::string words(truth.substr(0, truth.find(", ")));
  words.resize(std::min(words.find(": "), words.size()));
  if (words == "it held the lock at no instant meanwhile") return "it did not hold it";
  for (const std::string_view span :
       {" at any instant meanwhile", " all the while", " meanwhile", " at the latest"}) {
    if (words.ends_with(span)) words.resize(words.size() - span.size());
  }
  return brief(words);
}

/// "says yes to extend; the lease ends at 10,001 ms".
std::string answer_in_words(std::string_view what, std::string_view known_truth) {
  const std::string_view call = told_between(what, "'s ", " of \"");
  const std::string_view answer = told_between(what, ", answered ", " at ");
  const std::string truth = known_truth.empty() ? truth_in_words(what) : brief(known_truth);
  if (call.empty() || answer.empty() || truth.empty()) return "says what is not so";
  return fmt::format("says {} to {}; {}", brief(answer), brief(call), truth);
}

std::string what_broke(const checker::Verdict& verdict, const checker::Names& names,
                       std::string_view truth) {
  const std::string_view what =
      verdict.evidence.empty() ? std::string_view() : verdict.evidence.front().what;
  switch (verdict.property) {
    case Property::hold_count:
      return hold_count_in_words(what);
    case Property::no_leak:
      return leak_in_words(what);
    case Property::valid_grant:
      return valid_grant_in_words(what);
    case Property::fifo:
      return fifo_in_words(verdict, names);
    case Property::lease_linearizability:
      return linearizability_in_words(verdict, names);
    case Property::latch:
      return "passes too early";
    case Property::mutual_exclusion:
    case Property::harm:
    case Property::fencing:
    case Property::permits:
    case Property::no_deadlock:
    case Property::no_lost_wakeup:
    case Property::no_starvation:
      break;
    case Property::truthful_answers:
      return answer_in_words(what, truth);
  }
  return {};
}

}  // namespace

std::string mark_in_words(const checker::Verdict& verdict, const checker::Names& names,
                          std::string_view truth) {
  const std::string mark = "\u2717 " + std::string(checker::to_string(verdict.property));
  const std::string words = what_broke(verdict, names, truth);
  return words.empty() ? mark : mark + ": " + words;
}

}  // namespace lockstep::reports
