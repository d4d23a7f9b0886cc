// A request and what was sent again for it are one chain: messages of a thread with the same label
// to the same shard, each but the first of which the thread told of as a retry. A shard is a master
// and its replicas: one of them may get the request and another, promoted since, what was sent
// again.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "checker/text.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause_parts.h"
#include "reports/text.h"
#include "sim/trace_kinds.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using checker::milliseconds;
using Event = CauseFacts::Event;

constexpr std::size_t times_listed_max = 4;
constexpr std::size_t old_masters_told_max = 3;

struct Request {
  const TraceMessage* message;
  std::optional<EventIndex> retried;  // where the thread told that it would send it again
  bool goes_on = false;               // sent at once with the script that the server did not know
};

/// All that a thread sent to a shard, and had executed there, under one label, in order.
struct Requests {
  std::vector<Request> sent;
  std::vector<const TraceMessage*> replies;
  std::vector<EventIndex> executions;  // those that wrote
  bool lacks_script = false;           // so it was told last

  [[nodiscard]] const TraceMessage* reply_to(EventIndex execution) const {
    const auto reply = std::find_if(replies.begin(), replies.end(), [&](const TraceMessage* each) {
      return each->sent > execution;
    });
    return reply == replies.end() ? nullptr : *reply;
  }
};
using Key = std::tuple<std::string, std::string, std::string>;  // thread, label, shard

/// Sorts the messages and executions of a trace by whose they are.
class RequestReader {
 public:
  explicit RequestReader(const CauseFacts& facts) : facts_(facts) {}

  std::map<Key, Requests> read() {
    for (EventIndex index = 0; index < facts_.events().size(); ++index) {
      const Event& event = facts_.events()[index];
      if (event.kind == model_kind::call_retried || event.kind == model_kind::call_resent) {
        add_retry(index);
      } else if (event.kind == sim_kind::message_sent) {
        add_message(index);
      } else if (event.kind == model_kind::command_executed) {
        add_execution(index);
      }
    }
    return std::move(found_);
  }

 private:
  /// A retry for which nothing was sent yet.
  struct Announced {
    std::int64_t attempt;
    EventIndex event;
  };

  Requests& requests_of(std::string_view thread, std::string_view label, const std::string& node) {
    return found_[{brief(thread), std::string(label), facts_.group_of(node)}];
  }

  /// In place of the retry before, where that one found no connection.
  void add_retry(EventIndex index) {
    const Event& event = facts_.events()[index];
    std::vector<Announced>& waiting =
        announced_[{facts_.actor_of(event), std::string(event.text("label"))}];
    const std::int64_t attempt = event.number("attempt");
    const auto before = std::find_if(waiting.begin(), waiting.end(), [&](const Announced& each) {
      return each.attempt == attempt - 1;
    });
    if (before != waiting.end()) waiting.erase(before);
    waiting.push_back({attempt, index});
  }

  void add_execution(EventIndex index) {
    const Event& event = facts_.events()[index];
    Requests& its =
        requests_of(event.text("on_behalf_of"), event.text("label"), facts_.actor_of(event));
    its.lacks_script = lacked_script(event);
    if (event.number("writes") > 0) its.executions.push_back(index);
  }

  void add_message(EventIndex index) {
    const TraceMessage* const message = facts_.messages().sent_at(index);
    if (message == nullptr || message->on_behalf_of.empty()) return;
    const Event& event = facts_.events()[index];
    const std::string_view replied = replied_label(message->label);
    if (!replied.empty()) {
      requests_of(message->on_behalf_of, replied, facts_.actor_of(event))
          .replies.push_back(message);
      return;
    }
    Request request{message, std::nullopt};
    const auto waiting = announced_.find({brief(message->on_behalf_of), message->label});
    if (waiting != announced_.end() && !waiting->second.empty()) {
      request.retried = waiting->second.front().event;
      waiting->second.erase(waiting->second.begin());
    }
    Requests& its = requests_of(message->on_behalf_of, message->label, brief(event.text("to")));
    request.goes_on = !request.retried && std::exchange(its.lacks_script, false);
    its.sent.push_back(request);
  }

  const CauseFacts& facts_;
  std::map<Key, Requests> found_;
  std::map<std::pair<std::string, std::string>, std::vector<Announced>> announced_;
};

/// The time in which one request was under way again and again: events of the trace.
struct Chain {
  EventIndex begins;
  EventIndex ends;  // of the next request
  EventIndex retried;
  EventIndex last_retried;
};

std::vector<Chain> chains_of(const Requests& requests, EventIndex end) {
  std::vector<Chain> chains;
  for (const Request& request : requests.sent) {
    if (request.goes_on && !chains.empty()) continue;
    if (request.retried && !chains.empty()) {
      Chain& chain = chains.back();
      if (chain.retried == 0) chain.retried = *request.retried;
      chain.last_retried = *request.retried;
      continue;
    }
    if (!chains.empty()) chains.back().ends = request.message->sent;
    chains.push_back({request.message->sent, end, 0, 0});
  }
  std::erase_if(chains, [](const Chain& chain) { return chain.retried == 0; });
  return chains;
}

class DuplicateExplainer {
 public:
  DuplicateExplainer(const CauseFacts& facts, const Key& key, const Requests& requests)
      : facts_(facts), who_(std::get<0>(key)), label_(std::get<1>(key)), requests_(requests) {}

  /// The first such request; none: none ran more than once.
  std::optional<DuplicateExecution> tell() const {
    for (const Chain& chain : chains_of(requests_, facts_.events().size())) {
      const std::vector<EventIndex> executions = repeated_in(chain);
      if (executions.empty()) continue;
      const Event& again = facts_.events()[executions[1]];
      const Reason reason = why_again(chain, executions);
      Cause cause{.kind = CauseKind::executed_twice,
                  .victim = who_,
                  .culprit = who_,
                  .operation = brief(label_),
                  .server = facts_.actor_of(again),
                  .at_ns = again.at,
                  .before = {},
                  .after = {},
                  .says = {fmt::format("{}, and {}.", reason.words, how_often(executions))}};
      return DuplicateExecution{who_, executions[1], reason.message, std::move(cause)};
    }
    return std::nullopt;
  }

 private:
  struct Reason {
    std::string words;
    std::optional<EventIndex> message = std::nullopt;  // its sending
  };

  [[nodiscard]] bool is_of(const Chain& chain, EventIndex execution) const;
  [[nodiscard]] std::vector<EventIndex> repeated_in(const Chain& chain) const;
  [[nodiscard]] Reason why_again(const Chain& chain,
                                 const std::vector<EventIndex>& executions) const;
  [[nodiscard]] std::string how_often(const std::vector<EventIndex>& executions) const;

  const CauseFacts& facts_;
  const std::string& who_;
  const std::string& label_;
  const Requests& requests_;
};

/// Whether it was executed in the chain's time, or what was sent in that time came later.
bool DuplicateExplainer::is_of(const Chain& chain, EventIndex execution) const {
  if (execution < chain.ends) return true;
  const Event& executed = facts_.events()[execution];
  return std::any_of(requests_.sent.begin(), requests_.sent.end(), [&](const Request& request) {
    const TraceMessage& message = *request.message;
    return message.sent >= chain.begins && message.sent < chain.ends && message.ended < execution &&
           facts_.events()[message.ended].at == executed.at;
  });
}

/// The executions of one and the same request, at least two; empty: there is no such.
std::vector<EventIndex> DuplicateExplainer::repeated_in(const Chain& chain) const {
  std::map<std::string_view, std::vector<EventIndex>> by_arguments;
  for (const EventIndex execution : requests_.executions) {
    if (execution <= chain.begins || !is_of(chain, execution)) continue;
    // Nobody sends again what was answered: what came then is another request.
    const TraceMessage* const reply = requests_.reply_to(execution);
    const bool was_answered =
        reply != nullptr && reply->fate == Fate::arrived && reply->ended < chain.last_retried;
    if (was_answered) continue;
    by_arguments[facts_.events()[execution].text("arguments")].push_back(execution);
  }
  std::vector<EventIndex> first;
  for (auto& [arguments, executions] : by_arguments) {
    if (executions.size() < 2 || (!first.empty() && first[1] < executions[1])) continue;
    first = std::move(executions);
  }
  return first;
}

/// "The reply to a/1's acquire was lost (dropped), so a/1 sent it again".
DuplicateExplainer::Reason DuplicateExplainer::why_again(
    const Chain& chain, const std::vector<EventIndex>& executions) const {
  const auto& events = facts_.events();
  for (std::size_t i = 0; i + 1 < executions.size(); ++i) {
    const TraceMessage* const reply = requests_.reply_to(executions[i]);
    // That a connection was closed is what came of the waiting, not why.
    const bool was_lost =
        reply != nullptr && reply->fate == Fate::lost && reply->why_lost != "connection-closed";
    if (!was_lost) continue;
    return {fmt::format("The reply to {}'s {} was lost ({}), so {} sent it again", who_,
                        brief(label_), brief(reply->why_lost), who_),
            reply->sent};
  }
  const sim::TimeNs retried_ns = events[chain.retried].at;
  const std::string node = brief(events[chain.begins].text("to"));
  const std::string process = brief(facts_.group_of(who_));
  const std::pair<std::string, std::string> pauses[] = {
      {node, facts_.pause_at(node, retried_ns)},
      {process, facts_.pause_within(process, events[chain.begins].at, retried_ns)}};
  for (const auto& [paused, pause] : pauses) {
    if (pause.empty()) continue;
    return {fmt::format("{} was paused {}, so {} sent its {} again", paused, pause, who_,
                        brief(label_))};
  }
  const auto is_late = [&](const TraceMessage& message) {
    return message.sent >= chain.begins && message.sent < chain.retried &&
           message.ended > chain.retried;
  };
  const auto explain_late = [&](const std::string& what, const TraceMessage& message) {
    return Reason{fmt::format("{}'s {} was under way until {}, so {} sent it again", who_, what,
                              milliseconds(events[message.ended].at), who_),
                  message.sent};
  };
  for (const Request& request : requests_.sent) {
    if (is_late(*request.message)) return explain_late(brief(label_), *request.message);
  }
  for (const TraceMessage* const reply : requests_.replies) {
    if (is_late(*reply)) return explain_late(fmt::format("reply to its {}", brief(label_)), *reply);
  }
  return {fmt::format("{} had no reply to its {} in time and sent it again at {}", who_,
                      brief(label_), milliseconds(events[chain.retried].at))};
}

/// "n1 executed it twice: at 1 ms and at 2 ms".
std::string DuplicateExplainer::how_often(const std::vector<EventIndex>& executions) const {
  const auto& events = facts_.events();
  const std::string node = facts_.actor_of(events[executions.front()]);
  const bool is_one_node = std::all_of(executions.begin(), executions.end(), [&](EventIndex each) {
    return facts_.actor_of(events[each]) == node;
  });
  const std::size_t count = executions.size();
  const std::string often = count == 2 ? std::string("twice") : fmt::format("{} times", count);
  const sim::TimeNs first_ns = events[executions.front()].at;
  if (is_one_node && events[executions.back()].at == first_ns) {
    return fmt::format("{} executed it {}, at {}", node, often, milliseconds(first_ns));
  }
  std::string times;
  for (std::size_t i = 0; i < std::min(count, times_listed_max); ++i) {
    const Event& event = events[executions[i]];
    times += i == 0 ? "" : i + 1 == count ? " and " : ", ";
    if (!is_one_node) times += fmt::format("on {} ", facts_.actor_of(event));
    times += fmt::format("at {}", milliseconds(event.at));
  }
  if (count > times_listed_max) times += " …";
  return is_one_node ? fmt::format("{} executed it {}: {}", node, often, times)
                     : fmt::format("it was executed {}: {}", often, times);
}

}  // namespace

std::vector<DuplicateExecution> find_duplicates(const CauseFacts& facts) {
  std::vector<DuplicateExecution> repeats;
  for (const auto& [key, requests] : RequestReader(facts).read()) {
    if (requests.executions.size() < 2) continue;
    const std::optional<DuplicateExecution> repeat =
        DuplicateExplainer(facts, key, requests).tell();
    if (repeat) repeats.push_back(*repeat);
  }
  std::stable_sort(
      repeats.begin(), repeats.end(),
      [](const DuplicateExecution& a, const DuplicateExecution& b) { return a.again < b.again; });
  return repeats;
}

bool was_deposed(const CauseFacts& facts, const Event& executed) {
  const std::string node = facts.actor_of(executed);
  bool is_deposed = false;
  for (const Event& event : facts.events()) {
    if (&event == &executed) break;
    if (event.kind != model_kind::node_promoted) continue;
    if (brief(event.text("in_place_of")) == node) is_deposed = true;
    if (facts.actor_of(event) == node) is_deposed = false;
  }
  return is_deposed;
}

bool is_renewal(std::string_view label) {
  return label.find("renew") != std::string_view::npos ||
         label.find("extend") != std::string_view::npos;
}

bool lacked_script(const Event& executed) {
  return executed.text("reply").starts_with("error: NOSCRIPT");
}

std::vector<Cause> explain_old_masters(const CauseFacts& facts,
                                       const std::vector<checker::Verdict>& verdicts) {
  const std::map<std::string, const Event*> answers = answers_of_old_masters(facts, verdicts);
  std::map<std::string, const Event*> deposed;  // node → the promotion of another
  std::vector<std::string> threads;             // told
  std::vector<Cause> causes;
  for (const Event& event : facts.events()) {
    if (event.kind == model_kind::node_promoted) {
      deposed[brief(event.text("in_place_of"))] = &event;
      deposed.erase(facts.actor_of(event));
    }
    if (event.kind != model_kind::command_executed) continue;
    const std::string who = brief(event.text("on_behalf_of"));
    const auto old = deposed.find(facts.actor_of(event));
    const auto answer = answers.find(who);
    const bool is_answer = answer != answers.end() && answer->second == &event;
    const bool writes = event.number("writes") > 0;
    if (!is_answer && !writes) continue;
    const bool is_told = std::find(threads.begin(), threads.end(), who) != threads.end();
    if (old == deposed.end() || who.empty() || (is_told && !is_answer)) continue;
    // Of whom an answer is in question, that is told rather than what it renewed before.
    if (!is_answer && answer != answers.end() && is_renewal(event.text("label"))) continue;
    threads.push_back(who);
    Cause cause{.kind = CauseKind::old_master,
                .victim = {},
                .culprit = who,
                .operation = brief(event.text("label")),
                .server = old->first,
                .at_ns = event.at,
                .before = {},
                .after = {},
                .says = {}};
    const std::string master = facts.actor_of(*old->second);
    cause.says.push_back(fmt::format(
        "{} was no longer the master from {} on ({} was), but it still executed {}'s {} at {}{}.",
        old->first, milliseconds(old->second->at), master, who, cause.operation,
        milliseconds(event.at),
        is_answer ? fmt::format(" and answered it (the reply: {}){}", brief(event.text("reply")),
                                writes ? fmt::format(": on {} that changed nothing", master)
                                       : " by what it had itself")
                  : std::string()));
    causes.push_back(std::move(cause));
    if (causes.size() == old_masters_told_max) break;
  }
  return causes;
}

}  // namespace lockstep::reports
