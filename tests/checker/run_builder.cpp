#include "run_builder.h"

#include <array>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/observations.h"
#include "checker/verdict.h"

namespace lockstep::checker::testing {
namespace {

OperationKind kind_from(const std::string& word) {
  if (word == "acquire") return OperationKind::acquire;
  if (word == "renew") return OperationKind::renew;
  if (word == "release") return OperationKind::release;
  if (word == "force") return OperationKind::force_release;
  throw std::invalid_argument("no such kind: " + word);
}

Outcome outcome_from(const std::string& word) {
  if (word == "ok") return Outcome::ok;
  if (word == "fail") return Outcome::fail;
  if (word == "info") return Outcome::info;
  throw std::invalid_argument("no such outcome: " + word);
}

Moment moment_from(const std::string& word) {
  const std::size_t dot = word.find('.');
  const std::uint64_t tie = dot == std::string::npos ? 0 : std::stoul(word.substr(dot + 1));
  return at_ms(std::stol(word.substr(0, dot)), tie);
}

}  // namespace

void RunBuilder::tell(std::string_view operations, std::string_view lock) {
  std::string text(operations);
  for (char& letter : text) {
    if (letter == ';') letter = '\n';
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string owner;
    std::string kind;
    std::string invoked;
    std::string completed;
    std::string outcome;
    std::int64_t lease_ms = 0;
    if (!(words >> owner)) continue;
    if (!(words >> kind >> invoked >> completed >> outcome)) throw std::invalid_argument(line);
    words >> lease_ms;
    Operation operation{kind_from(kind), id(owner), id(owner), id(lock), moment_from(invoked), {}};
    if (completed != "-") operation.completed = moment_from(completed);
    operation.outcome = outcome_from(outcome);
    operation.lease_ns = lease_ms * ns_per_ms;
    history.operations.push_back(operation);
  }
}

void RunBuilder::believe(std::string_view owner, Moment from, Moment until, BeliefEnd end,
                         std::string_view lock) {
  observations.beliefs.push_back({id(owner), id(lock), from, until, end});
}

void RunBuilder::believe_shared(std::string_view owner, Moment from, Moment until,
                                std::string_view lock) {
  believe(owner, from, until, BeliefEnd::released, lock);
  observations.beliefs.back().mode = HoldMode::shared;
}

void RunBuilder::believe_permits(std::string_view owner, std::int64_t permits, Moment from,
                                 Moment until, BeliefEnd end, std::string_view lock) {
  believe(owner, from, until, end, lock);
  observations.beliefs.back().permits = permits;
}

void RunBuilder::access(AccessKind kind, std::string_view owner, std::int64_t ms,
                        std::int64_t version_seen, std::int64_t version_after,
                        std::optional<std::int64_t> token, std::string_view resource) {
  observations.accesses.push_back(
      {kind, id(owner), id(resource), at_ms(ms), version_seen, version_after, token});
}

void RunBuilder::change(std::string_view owner, std::string_view by, std::int64_t ms,
                        std::int64_t before, std::int64_t after, ChangeCause cause,
                        std::string_view lock) {
  const NameId culprit = by.empty() ? no_name : id(by);
  observations.hold_changes.push_back(
      {id(lock), id(owner), culprit, at_ms(ms), before, after, cause});
}

void RunBuilder::count(std::string_view owner, std::int64_t ms, std::int64_t believed_count,
                       std::int64_t true_count, std::string_view lock) {
  observations.hold_checks.push_back({id(owner), id(lock), at_ms(ms), believed_count, true_count});
}

void RunBuilder::fenced(std::string_view owner, std::int64_t token, std::int64_t invoked_ms,
                        std::int64_t returned_ms, std::string_view lock) {
  Grant grant{id(owner), id(lock), at_ms(returned_ms), true, id(owner), never_ns, {}};
  grant.invoked = at_ms(invoked_ms);
  grant.token = token;
  observations.grants.push_back(grant);
}

void RunBuilder::wait(std::string_view owner, std::int64_t from_ms, std::int64_t until_ms,
                      WaitEnd end, std::string_view lock, HoldMode mode, std::int64_t permits) {
  observations.waits.push_back(
      {id(owner), id(lock), at_ms(from_ms), at_ms(until_ms), end, mode, permits, {}});
}

void RunBuilder::request(std::string_view owner, std::uint32_t client, std::int64_t ms) {
  observations.requests.push_back({client, id(owner), at_ms(ms)});
}

void RunBuilder::call_given_up(std::string_view owner, std::int64_t ms) {
  observations.calls_given_up.push_back({id(owner), at_ms(ms)});
}

void RunBuilder::stop(std::string_view owner, std::int64_t from_ms, std::int64_t until_ms) {
  observations.stops.push_back({id(owner), at_ms(from_ms), at_ms(until_ms)});
}

void RunBuilder::available(std::int64_t ms, std::int64_t exclusive, std::int64_t shared,
                           std::string_view lock) {
  observations.availability.push_back({id(lock), at_ms(ms), exclusive, shared});
}

void RunBuilder::number(std::int64_t ms, std::int64_t number, std::string_view lock) {
  observations.number_changes.push_back({id(lock), at_ms(ms), number, no_name});
}

void RunBuilder::lease(std::int64_t ms, std::int64_t ends_ms, std::string_view owner,
                       std::string_view lock, std::string_view by, bool by_holder) {
  const NameId culprit = by.empty() ? no_name : id(by);
  observations.lease_changes.push_back({id(lock), owner.empty() ? no_name : id(owner), at_ms(ms),
                                        ends_ms < 0 ? never_ns : ends_ms * ns_per_ms, culprit,
                                        by_holder && culprit != no_name});
}

Answer& RunBuilder::answer(CallKind call, std::string_view owner, std::int64_t invoked_ms,
                           std::int64_t returned_ms, bool yes, std::optional<std::int64_t> number) {
  observations.answers.push_back({.call = call,
                                  .owner = id(owner),
                                  .lock = id("orders"),
                                  .invoked = at_ms(invoked_ms),
                                  .returned = at_ms(returned_ms),
                                  .yes = yes,
                                  .number = number});
  return observations.answers.back();
}

void RunBuilder::queue(QueueEventKind kind, std::string_view owner, std::int64_t ms,
                       std::string_view by, std::int64_t deadline_ms, std::string_view lock) {
  const NameId culprit = by.empty() ? no_name : id(by);
  const TimeNs deadline_ns = deadline_ms < 0 ? never_ns : deadline_ms * ns_per_ms;
  observations.queue_events.push_back({kind, id(owner), id(lock), at_ms(ms), culprit, deadline_ns});
}

void RunBuilder::set_permits(std::int64_t ms, std::int64_t permits, std::string_view lock) {
  observations.permits_set.push_back({id(lock), at_ms(ms), permits});
}

void RunBuilder::permits_left(std::int64_t ms, std::int64_t permits, std::string_view lock) {
  observations.permits_left.push_back({id(lock), at_ms(ms), permits});
}

void RunBuilder::latch(LatchEventKind kind, std::string_view owner, std::int64_t invoked_ms,
                       std::int64_t returned_ms, std::int64_t count, std::string_view lock) {
  observations.latch_events.push_back(
      {kind, id(owner), id(lock), at_ms(invoked_ms), at_ms(returned_ms), count});
}

void RunBuilder::end(std::int64_t ms, bool came_to_rest) {
  observations.ended = at_ms(ms);
  observations.came_to_rest = came_to_rest;
}

Verdict RunBuilder::judge(Property property, Limits limits) const {
  Checker checker(limits);
  return checker.check(run(), std::array{property}).front();
}

std::vector<std::string> texts(const std::vector<Evidence>& evidence) {
  std::vector<std::string> result;
  for (const Evidence& item : evidence) result.push_back(item.what);
  return result;
}

}  // namespace lockstep::checker::testing
