#include "search/explore/client_symmetry.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"

namespace lockstep::search {
namespace {

constexpr std::size_t pairs_max = 64;

bool is_of_a_word(char letter) {
  return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '_';
}

/// Whether the text has the name as a whole word: in doubt, it does.
bool is_named_in(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    const bool begins = at == 0 || !is_of_a_word(text[at - 1]);
    if (begins && (end == text.size() || !is_of_a_word(text[end]))) return true;
  }
  return false;
}

/// The client alone, as a file would have it, under a name that all have.
std::string text_of_client(const scenario::Scenario& scenario, std::size_t client) {
  scenario::Scenario only;
  only.lock = scenario.lock;
  only.clients = {scenario.clients[client]};
  only.clients.front().name = "client";
  return scenario::write_scenario(only, scenario.path);
}

/// What the file says besides its clients and its title.
std::string text_of_others(const scenario::Scenario& scenario) {
  scenario::Scenario others = scenario;
  others.title.clear();
  others.clients.clear();
  return scenario::write_scenario(others, scenario.path);
}

bool are_all_delays_drawn(const scenario::Scenario& scenario) {
  const auto& nodes = scenario.redis.nodes;
  return scenario.latency.delay_ns_min < scenario.latency.delay_ns_max && scenario.links.empty() &&
         std::none_of(nodes.begin(), nodes.end(),
                      [](const scenario::NodeSpec& node) { return node.latency.has_value(); });
}

}  // namespace

std::vector<std::uint32_t> symmetric_pairs(const scenario::Scenario& scenario) {
  std::vector<std::uint32_t> pairs;
  // A fault that strikes at a certain message strikes the first of those that are alike.
  if (!scenario.faults.empty()) return pairs;
  // Where the delay of a message is no decision, it is not seen who has sent one.
  if (!are_all_delays_drawn(scenario)) return pairs;
  const std::string others = text_of_others(scenario);
  for (std::size_t i = 0; i + 1 < scenario.clients.size() && pairs.size() < pairs_max; ++i) {
    if (is_named_in(others, scenario.clients[i].name)) continue;
    if (is_named_in(others, scenario.clients[i + 1].name)) continue;
    if (text_of_client(scenario, i) != text_of_client(scenario, i + 1)) continue;
    pairs.push_back(static_cast<std::uint32_t>(i));
  }
  return pairs;
}

ClientSymmetry::ClientSymmetry(std::vector<std::uint32_t> pairs)
    : symmetric_pairs_(std::move(pairs)), compared_(symmetric_pairs_.size()) {
  if (!symmetric_pairs_.empty()) is_symmetric_.resize(symmetric_pairs_.back() + std::size_t{2});
  for (const std::uint32_t first : symmetric_pairs_)
    is_symmetric_[first] = is_symmetric_[first + 1] = true;
  begin_run();
}

void ClientSymmetry::begin_run() {
  open_ = symmetric_pairs_.empty() ? 0 : ~Pairs{0} >> (pairs_max - symmetric_pairs_.size());
  counts_.clear();
}

std::uint32_t& ClientSymmetry::count_of(std::uint32_t from, std::uint32_t to) {
  for (Count& each : counts_) {
    if (each.from == from && each.to == to) return each.count;
  }
  return counts_.emplace_back(Count{from, to, 0}).count;
}

/// Of the instant's delays, those of clients that are alike, by client and in their order.
void ClientSymmetry::collect(std::span<const Decision> instant) {
  own_.clear();
  for (std::uint32_t i = 0; i < instant.size(); ++i) {
    const Decision& decision = instant[i];
    if (decision.kind != DecisionKind::delay) continue;
    const std::uint32_t from = decision.owner >> 16U;
    const std::uint32_t to = decision.owner & 0xffffU;
    const auto is_alike = [this](std::uint32_t host) {
      return host < is_symmetric_.size() && is_symmetric_[host];
    };
    if (is_alike(from)) {
      own_.push_back({from, to, false, count_of(from, to)++, i, decision.alternatives});
    }
    if (is_alike(to)) {
      own_.push_back({to, from, true, count_of(from, to)++, i, decision.alternatives});
    }
  }
}

/// A client sends nothing but over connections that it opens in the run (sim/network.h). So the
/// first delay from one host to another is that of opening one, the first of the other direction
/// that of the answer; everything else may be a message.
void ClientSymmetry::compare(std::size_t pair) {
  Comparison& compared = compared_[pair];
  compared.is_comparable = true;
  compared.has_messages = false;
  compared.first.clear();
  compared.second.clear();
  const auto next_of = [this](std::size_t from, std::uint32_t client) {
    while (from < own_.size() && own_[from].client != client) ++from;
    return from;
  };
  const std::uint32_t client = symmetric_pairs_[pair];
  std::size_t first = next_of(0, client);
  std::size_t second = next_of(0, client + 1);
  while (first < own_.size() && second < own_.size()) {
    const Own& one = own_[first];
    const Own& other = own_[second];
    const bool is_same = one.other == other.other && one.is_to_client == other.is_to_client &&
                         one.nth == other.nth && one.alternatives == other.alternatives;
    // A message to a client answers one of its own, or is told to all.
    const bool is_message = one.nth > 0;
    if (!is_same || (is_message && one.is_to_client)) break;
    compared.has_messages |= is_message;
    compared.first.push_back(one.decision);
    compared.second.push_back(other.decision);
    first = next_of(first + 1, client);
    second = next_of(second + 1, client + 1);
  }
  compared.is_comparable = first == own_.size() && second == own_.size();
}

void ClientSymmetry::look_at(std::span<const Decision> instant) {
  for (const Decision& decision : instant) {
    const bool is_calm = decision.kind == DecisionKind::delay ||
                         (decision.kind == DecisionKind::fault && decision.answer == 0);
    if (!is_calm) open_ = 0;
  }
  if (open_ == 0) return;
  collect(instant);
  for (std::size_t pair = 0; pair < symmetric_pairs_.size(); ++pair) compare(pair);
}

ClientSymmetry::Order ClientSymmetry::order_of(const Comparison& compared,
                                               std::span<const std::uint32_t> answers) {
  for (std::size_t i = 0; i < compared.first.size(); ++i) {
    const std::uint32_t first = answers[compared.first[i]];
    const std::uint32_t second = answers[compared.second[i]];
    if (first != second) return first < second ? Order::first_is_faster : Order::second_is_faster;
  }
  return Order::same;
}

bool ClientSymmetry::is_canonical(std::span<const std::uint32_t> answers) const {
  for (std::size_t pair = 0; pair < symmetric_pairs_.size(); ++pair) {
    const Comparison& compared = compared_[pair];
    if ((open_ >> pair & 1U) == 0 || !compared.is_comparable) continue;
    if (order_of(compared, answers) == Order::second_is_faster) return false;
  }
  return true;
}

ClientSymmetry::Pairs ClientSymmetry::open_after(std::span<const std::uint32_t> answers) const {
  Pairs open = open_;
  for (std::size_t pair = 0; pair < symmetric_pairs_.size(); ++pair) {
    if ((open_ >> pair & 1U) == 0) continue;
    const Comparison& compared = compared_[pair];
    const bool stays_open = compared.is_comparable && !compared.has_messages &&
                            order_of(compared, answers) == Order::same;
    if (!stays_open) open &= ~(Pairs{1} << pair);
  }
  return open;
}

}  // namespace lockstep::search
