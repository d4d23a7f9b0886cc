#include "generated_workload.h"

#include <fmt/format.h>

namespace lockstep::test {
namespace {

constexpr std::uint32_t choice_end = 64;
constexpr std::size_t sections_max = 4;
constexpr std::size_t under_max = 4;

rc::Gen<std::uint32_t> choice() { return rc::gen::inRange<std::uint32_t>(0, choice_end); }

template <typename Item>
rc::Gen<std::vector<Item>> up_to(std::size_t max, rc::Gen<Item> item) {
  const auto count_up_to_max =
      rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::size_t>(0, max + 1));
  return rc::gen::mapcat(count_up_to_max, [item](std::size_t count) {
    return rc::gen::container<std::vector<Item>>(count, item);
  });
}

rc::Gen<Section> section() {
  return rc::gen::build<Section>(rc::gen::set(&Section::holding, choice()),
                                 rc::gen::set(&Section::lease, choice()),
                                 rc::gen::set(&Section::name, choice()),
                                 rc::gen::set(&Section::under, up_to(under_max, choice())));
}

rc::Gen<GeneratedClient> client() {
  return rc::gen::build<GeneratedClient>(
      rc::gen::set(&GeneratedClient::threads, up_to(threads_max, up_to(sections_max, section()))),
      rc::gen::set(&GeneratedClient::start_ms, rc::gen::inRange<std::uint32_t>(0, 30)));
}

/// Writes the steps of one thread.
class StepWriter {
 public:
  explicit StepWriter(const LockGrammar& grammar) : grammar_(grammar) {}

  void add(const Section& section) {
    const std::size_t kinds = grammar_.holdings.size() + 1;
    const std::size_t kind = section.holding % kinds;
    name_ = grammar_.name_option + pick(grammar_.names, section.name);
    if (kind == grammar_.holdings.size()) {
      add_step(pick(grammar_.outside, section.lease));
      return;
    }
    const std::string& lease = pick(grammar_.leases, section.lease);
    const Holding& holding = grammar_.holdings[kind];
    steps_.push_back(holding.take + lease + name_);
    for (const std::uint32_t step : section.under) add_under(holding, lease, step);
    steps_.push_back(holding.give + name_);
  }

  void add_beginning(std::uint32_t number) {
    if (grammar_.beginning.empty()) return;
    for (const std::string& name : grammar_.names) {
      steps_.push_back(pick(grammar_.beginning, number) + grammar_.name_option + name);
    }
  }

  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::string& step : steps_) {
      if (!text.empty()) text += ", ";
      text += '"' + step + '"';
    }
    return text;
  }
  [[nodiscard]] bool is_empty() const { return steps_.empty(); }

 private:
  static const std::string& pick(const std::vector<std::string>& from, std::uint32_t number) {
    return from[number % from.size()];
  }

  /// A step under a hold: of those that the grammar has, or one more hold.
  void add_under(const Holding& holding, const std::string& lease, std::uint32_t number) {
    const std::size_t common = grammar_.under.size();
    const std::size_t steps = common + holding.under.size();
    const std::size_t kinds = steps + holding.nested.size();
    if (kinds == 0) return;
    const std::size_t kind = number % kinds;
    if (kind < common) return add_step(grammar_.under[kind]);
    if (kind < steps) return add_step(holding.under[kind - common]);
    const Holding& nested = grammar_.holdings[holding.nested[kind - steps]];
    steps_.push_back(nested.take + lease + name_);
    add_step(pick(grammar_.under, number / 2));
    steps_.push_back(nested.give + name_);
  }

  /// There is one protected resource: the first lock is the one that protects it.
  void add_step(const std::string& step) {
    if (step == "write" && name_.find(grammar_.names.front()) == std::string::npos) return;
    const bool is_about_no_lock = step.starts_with("sleep") || step == "write";
    steps_.push_back(is_about_no_lock ? step : step + name_);
  }

  const LockGrammar& grammar_;
  std::string name_;
  std::vector<std::string> steps_;
};

}  // namespace

rc::Gen<GeneratedWorkload> generated_workload() {
  return rc::gen::build<GeneratedWorkload>(
      rc::gen::set(&GeneratedWorkload::clients, up_to(clients_max, client())),
      rc::gen::set(&GeneratedWorkload::seed, rc::gen::inRange<std::uint64_t>(1, 1'000'000)));
}

std::string scenario_text(const LockGrammar& grammar, const GeneratedWorkload& workload,
                          const std::string& holds) {
  std::string text = fmt::format(
      "# seed {}\ntitle = \"Generated\"\nlock = \"{}\"\nexpect = {{ holds = [{}] }}\n"
      "redis = {{ masters = {}, latency = \"{}\" }}\nlimits = {{ horizon = \"60m\" }}\n",
      workload.seed, grammar.lock, holds, grammar.masters, grammar.latency);
  int number = 0;
  for (const GeneratedClient& client : workload.clients) {
    std::string threads;
    for (const ThreadSections& sections : client.threads) {
      StepWriter writer(grammar);
      if (number == 0 && threads.empty()) {
        writer.add_beginning(static_cast<std::uint32_t>(workload.seed));
      }
      for (const Section& section : sections) writer.add(section);
      if (writer.is_empty()) continue;
      threads += fmt::format("[[client.thread]]\nrun = [{}]\n", writer.text());
    }
    if (threads.empty()) continue;
    text += fmt::format("[[client]]\nname = \"c{}\"\nstart = \"{}ms\"\n{}", ++number,
                        client.start_ms, threads);
  }
  return number == 0 ? std::string() : text;
}

}  // namespace lockstep::test
