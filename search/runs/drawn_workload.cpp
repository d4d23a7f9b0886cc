#include "search/runs/drawn_workload.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "model/client/generated_steps.h"
#include "scenario/revalidation.h"
#include "scenario/scenario.h"

namespace lockstep::search {
namespace {

/// More than so many are not worth trying one by one.
constexpr std::size_t steps_of_thread_max = 300;

/// One stream of a record; zeros once it is used up, which it notes.
class RecordedStream final : public sim::ChoiceSource {
 public:
  RecordedStream(std::span<const sim::Choice> choices, sim::Stream stream)
      : choices_(choices), stream_(stream) {}
  [[nodiscard]] sim::Stream stream() const { return stream_; }
  [[nodiscard]] bool is_used_up() const { return is_used_up_; }

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override {
    while (next_ < choices_.size() && choices_[next_].stream != stream) ++next_;
    if (next_ == choices_.size() || choices_[next_].count != count) {
      is_used_up_ = true;
      return 0;
    }
    return choices_[next_++].value;
  }

  std::span<const sim::Choice> choices_;
  sim::Stream stream_;
  std::size_t next_ = 0;
  bool is_used_up_ = false;
};

sim::Stream workload_of(std::span<const sim::Actor> actors, std::string_view name) {
  const auto found = std::find_if(actors.begin(), actors.end(),
                                  [name](const sim::Actor& each) { return each.name == name; });
  return {sim::Purpose::workload, static_cast<std::uint32_t>(found - actors.begin())};
}

/// The steps of all rounds that were begun.
std::vector<scenario::Step> steps_of_rounds(const scenario::ThreadSpec& thread,
                                            std::uint32_t rounds, RecordedStream& drawn) {
  std::vector<scenario::Step> all;
  std::vector<scenario::Step> steps;
  for (std::uint32_t round = 0; round < rounds && all.size() <= steps_of_thread_max; ++round) {
    model::draw_steps(thread, drawn, drawn.stream(), steps);
    if (drawn.is_used_up()) break;
    all.insert(all.end(), steps.begin(), steps.end());
  }
  return all;
}

bool is_open(const scenario::ClientSpec& client) {
  return client.start_ns_max || client.rounds_max || client.threads_min ||
         std::any_of(client.threads.begin(), client.threads.end(),
                     [](const scenario::ThreadSpec& each) { return each.is_open(); });
}

bool draws_steps(const scenario::ClientSpec& client) {
  return std::any_of(client.threads.begin(), client.threads.end(),
                     [](const scenario::ThreadSpec& each) { return each.is_open(); });
}

/// In the order in which a run draws them (model/client/workload.cpp).
void close_numbers(scenario::ClientSpec& client, RecordedStream drawn) {
  if (client.start_ns_max) {
    client.start_ns =
        model::draw_duration(drawn, drawn.stream(), {client.start_ns, *client.start_ns_max});
    client.start_ns_max.reset();
  }
  if (client.rounds_max) {
    client.rounds = static_cast<std::uint32_t>(
        drawn.between(drawn.stream(), client.rounds, *client.rounds_max));
    client.rounds_max.reset();
  }
  if (client.threads_min) {
    const auto most = static_cast<std::int64_t>(client.threads.size());
    const auto taking_part = drawn.between(drawn.stream(), *client.threads_min, most);
    client.threads.resize(static_cast<std::size_t>(taking_part));
    client.threads_min.reset();
  }
}

}  // namespace

scenario::Edited with_drawn_workload(const scenario::Scenario& scenario,
                                     std::span<const sim::Actor> actors,
                                     std::span<const sim::Choice> choices) {
  if (std::none_of(scenario.clients.begin(), scenario.clients.end(), is_open)) return std::nullopt;
  scenario::Scenario said = scenario;
  for (scenario::ClientSpec& client : said.clients) {
    close_numbers(client, RecordedStream(choices, workload_of(actors, client.name)));
    if (!draws_steps(client)) continue;
    for (std::size_t i = 0; i < client.threads.size(); ++i) {
      const std::string name = client.name + "/" + std::to_string(i + 1);
      RecordedStream drawn(choices, workload_of(actors, name));
      std::vector<scenario::Step> steps = steps_of_rounds(client.threads[i], client.rounds, drawn);
      if (steps.empty() || steps.size() > steps_of_thread_max) return std::nullopt;
      client.threads[i] = {std::move(steps)};
    }
    client.rounds = 1;
  }
  return scenario::revalidated_without_impossible(std::move(said));
}

}  // namespace lockstep::search
