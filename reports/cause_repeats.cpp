// A request and what was sent again for it are one chain: between two messages of a thread with the
// same label, the thread told of a retry.
#include "reports/cause_repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

constexpr std::size_t repeats_told_max = 3;
constexpr std::size_t times_listed_max = 4;

/// All that a thread sent, retried and had executed under one label, in order.
struct Requests {
  std::vector<const Letter*> letters;
  std::vector<const Letter*> replies;
  std::vector<EventIndex> retries;
  std::vector<EventIndex> executions;  // those that wrote
};
using Key = std::pair<std::string, std::string>;  // thread, label

std::map<Key, Requests> requests_of(const CauseFacts& facts) {
  std::map<Key, Requests> found;
  for (EventIndex index = 0; index < facts.events().size(); ++index) {
    const Event& event = facts.events()[index];
    const std::string label(event.text("label"));
    if (event.kind == model_kind::call_retried) {
      found[{facts.actor_of(event), label}].retries.push_back(index);
    } else if (event.kind == model_kind::command_executed && event.number("writes") > 0) {
      found[{brief(event.text("on_behalf_of")), label}].executions.push_back(index);
    }
  }
  for (const Letter& letter : facts.letters().all()) {
    const std::string_view replied = replied_label(letter.label);
    const auto its = found.find(
        {brief(letter.on_behalf_of), std::string(replied.empty() ? letter.label : replied)});
    if (its == found.end()) continue;
    (replied.empty() ? its->second.letters : its->second.replies).push_back(&letter);
  }
  return found;
}

/// The time in which one request was under way again and again: events of the trace.
struct Chain {
  EventIndex begins;
  EventIndex ends;  // of the next request
  EventIndex retried;
};

std::vector<Chain> chains_of(const Requests& requests, EventIndex end) {
  std::vector<Chain> chains;
  std::optional<Chain> chain;
  auto retry = requests.retries.begin();
  for (const Letter* const letter : requests.letters) {
    bool is_again = false;
    EventIndex retried = 0;
    for (; retry != requests.retries.end() && *retry <= letter->sent; ++retry) {
      if (!is_again) retried = *retry;
      is_again = true;
    }
    if (is_again && chain) {
      if (chain->retried == 0) chain->retried = retried;
      continue;
    }
    if (chain && chain->retried > 0)
      chains.push_back({chain->begins, letter->sent, chain->retried});
    chain = Chain{letter->sent, end, 0};
  }
  if (chain && chain->retried > 0) chains.push_back(*chain);
  return chains;
}

class RepeatTeller {
 public:
  RepeatTeller(const CauseFacts& facts, Key key, const Requests& requests)
      : facts_(facts), key_(std::move(key)), requests_(requests) {}

  /// The first such request; empty: none ran more than once.
  std::string tell() const {
    for (const Chain& chain : chains_of(requests_, facts_.events().size())) {
      std::vector<EventIndex> executions;
      for (const EventIndex execution : requests_.executions) {
        if (execution > chain.begins && execution < chain.ends) executions.push_back(execution);
      }
      if (executions.size() < 2) continue;
      return fmt::format("{}, and {}.", why_again(chain), how_often(executions));
    }
    return {};
  }

 private:
  [[nodiscard]] std::string why_again(const Chain& chain) const;
  [[nodiscard]] std::string how_often(const std::vector<EventIndex>& executions) const;

  const CauseFacts& facts_;
  const Key key_;
  const Requests& requests_;
};

/// "The reply to a/1's acquire was lost (dropped), so a/1 sent it again".
std::string RepeatTeller::why_again(const Chain& chain) const {
  const auto& [who, label] = key_;
  const auto& events = facts_.events();
  for (const Letter* const reply : requests_.replies) {
    const bool is_its = reply->sent > chain.begins && reply->sent < chain.ends;
    if (!is_its || reply->fate != Fate::lost) continue;
    return fmt::format("The reply to {}'s {} was lost ({}), so {} sent it again", who, brief(label),
                       brief(reply->why_lost), who);
  }
  const std::string node = brief(events[chain.begins].text("to"));
  const std::string pause = facts_.pause_at(node, events[chain.retried].at);
  if (!pause.empty()) {
    return fmt::format("{} was paused {}, so {} sent its {} again", node, pause, who, brief(label));
  }
  for (const auto* const letters : {&requests_.letters, &requests_.replies}) {
    for (const Letter* const letter : *letters) {
      const bool is_late = letter->sent >= chain.begins && letter->sent < chain.retried &&
                           letter->ended > chain.retried;
      if (!is_late) continue;
      return fmt::format("{}'s {} was under way until {}, so {} sent it again", who,
                         letters == &requests_.letters
                             ? brief(label)
                             : fmt::format("reply to its {}", brief(label)),
                         milliseconds(events[letter->ended].at), who);
    }
  }
  return fmt::format("{} had no reply to its {} in time and sent it again at {}", who, brief(label),
                     milliseconds(events[chain.retried].at));
}

/// "n1 executed it twice: at 1 ms and at 2 ms".
std::string RepeatTeller::how_often(const std::vector<EventIndex>& executions) const {
  const auto& events = facts_.events();
  const std::string node = facts_.actor_of(events[executions.front()]);
  const bool is_one_node = std::all_of(executions.begin(), executions.end(), [&](EventIndex each) {
    return facts_.actor_of(events[each]) == node;
  });
  const std::size_t count = executions.size();
  std::string times;
  for (std::size_t i = 0; i < std::min(count, times_listed_max); ++i) {
    const Event& event = events[executions[i]];
    times += i == 0 ? "" : i + 1 == count ? " and " : ", ";
    if (!is_one_node) times += fmt::format("on {} ", facts_.actor_of(event));
    times += fmt::format("at {}", milliseconds(event.at));
  }
  if (count > times_listed_max) times += " …";
  const std::string often = count == 2 ? std::string("twice") : fmt::format("{} times", count);
  return is_one_node ? fmt::format("{} executed it {}: {}", node, often, times)
                     : fmt::format("it was executed {}: {}", often, times);
}

}  // namespace

std::vector<std::string> explain_repeats(const CauseFacts& facts) {
  std::vector<std::string> sentences;
  for (const auto& [key, requests] : requests_of(facts)) {
    if (requests.retries.empty() || requests.executions.size() < 2) continue;
    const std::string sentence = RepeatTeller(facts, key, requests).tell();
    if (!sentence.empty()) sentences.push_back(sentence);
    if (sentences.size() == repeats_told_max) break;
  }
  return sentences;
}

std::vector<std::string> explain_old_masters(const CauseFacts& facts) {
  std::map<std::string, const Event*> deposed;  // node → the promotion of another
  std::vector<std::string> threads;             // told
  std::vector<std::string> sentences;
  for (const Event& event : facts.events()) {
    if (event.kind == model_kind::node_promoted) {
      deposed[brief(event.text("in_place_of"))] = &event;
      deposed.erase(facts.actor_of(event));
    }
    if (event.kind != model_kind::command_executed || event.number("writes") == 0) continue;
    const std::string who = brief(event.text("on_behalf_of"));
    const auto old = deposed.find(facts.actor_of(event));
    const bool is_told = std::find(threads.begin(), threads.end(), who) != threads.end();
    if (old == deposed.end() || who.empty() || is_told) continue;
    threads.push_back(who);
    sentences.push_back(fmt::format(
        "{} was no longer the master from {} on ({} was), but it still executed {}'s {} at {}.",
        old->first, milliseconds(old->second->at), facts.actor_of(*old->second), who,
        brief(event.text("label")), milliseconds(event.at)));
    if (sentences.size() == repeats_told_max) break;
  }
  return sentences;
}

}  // namespace lockstep::reports
