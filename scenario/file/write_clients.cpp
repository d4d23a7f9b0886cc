// Clients as [[client]] tables: the way back from clients.cpp and generate.cpp.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/file/write_parts.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "scenario/text/durations.h"

namespace lockstep::scenario {
namespace {

constexpr std::size_t thread_indent = 2;

std::string write_duration_range(const DurationRange& range) {
  return toml_string(write_range(range.min_ns, range.max_ns));
}

/// What outside and inside have in common stands in both, in the order of the file.
std::vector<GenerateSpec::WeightedStep> mix_of(const GenerateSpec& generate) {
  std::vector<GenerateSpec::WeightedStep> mix;
  auto inner = generate.inside.begin();
  for (const GenerateSpec::WeightedStep& outer : generate.outside) {
    const auto same = std::find_if(inner, generate.inside.end(), [&](const auto& word) {
      return word.step.kind == outer.step.kind;
    });
    if (same != generate.inside.end()) {
      mix.insert(mix.end(), inner, same);
      inner = same + 1;
    }
    mix.push_back(outer);
  }
  mix.insert(mix.end(), inner, generate.inside.end());
  return mix;
}

/// The leases, or the waits, that the words ask for.
void add_of_words(const std::vector<GenerateSpec::WeightedStep>& mix, std::string_view key,
                  std::optional<sim::DurationNs> Step::*least,
                  std::optional<sim::DurationNs> Step::*most, TomlTable& table) {
  for (const GenerateSpec::WeightedStep& word : mix) {
    if (!(word.step.*least)) continue;
    table.add_text(key, write_range(*(word.step.*least), word.step.*most));
    return;
  }
}

TomlTable generate_table(const GenerateSpec& generate, const std::string& lock_name) {
  const GenerateSpec defaults;
  const std::vector<GenerateSpec::WeightedStep> mix = mix_of(generate);
  TomlTable words;
  for (const auto& word : mix) words.add_number(form_of(word.step.kind).word, word.weight);
  TomlTable table;
  if (generate.turns != defaults.turns) table.add_number("steps", generate.turns);
  table.add("mix", words.inline_text());
  const DurationRange none;
  if (generate.think.is_open() || generate.think.min_ns != none.min_ns) {
    table.add("think", write_duration_range(generate.think));
  }
  if (generate.hold.is_open() || generate.hold.min_ns != none.min_ns) {
    table.add("hold", write_duration_range(generate.hold));
  }
  add_of_words(mix, "lease", &Step::lease_ns, &Step::lease_ns_max, table);
  add_of_words(mix, "wait", &Step::wait_ns, &Step::wait_ns_max, table);
  if (generate.reentrancy != 1) table.add_number("reentrancy", generate.reentrancy);
  if (generate.amount_min != generate.amount_max) {
    table.add_text("permits", fmt::format("{}..{}", generate.amount_min, generate.amount_max));
  } else if (generate.amount_min != 1) {
    table.add_number("permits", generate.amount_min);
  }
  if (generate.lock_names != std::vector{lock_name}) {
    table.add("locks", toml_text_or_list(generate.lock_names));
  }
  return table;
}

/// Adds `run` and `generate`.
void add_thread(const ThreadSpec& thread, const std::string& lock_name, std::string_view prefix,
                std::size_t indent, TomlTable& table, std::string& later) {
  std::vector<std::string> steps;
  steps.reserve(thread.steps.size());
  for (const Step& step : thread.steps) steps.push_back(write_step(step, lock_name));
  if (!steps.empty()) table.add_texts("run", steps);
  if (!thread.generate) return;
  add_table(table, "generate", generate_table(*thread.generate, lock_name),
            fmt::format("{}.generate", prefix), later, indent);
}

std::string write_thread(const ThreadSpec& thread, const std::string& lock_name) {
  TomlTable table;
  std::string later;
  add_thread(thread, lock_name, "client.thread", thread_indent, table, later);
  return fmt::format("{:{}}[[client.thread]]\n{}{}", "", thread_indent, table.lines(thread_indent),
                     later);
}

/// One table; `name` and `count` are what it says of them.
std::string write_client(const ClientSpec& client, const std::string& name, std::size_t count,
                         const std::string& lock_name) {
  std::vector<std::string> threads;
  for (const ThreadSpec& thread : client.threads) {
    threads.push_back(write_thread(thread, lock_name));
  }
  const bool are_alike =
      std::adjacent_find(threads.begin(), threads.end(), std::not_equal_to<>()) == threads.end();
  TomlTable table;
  std::string later;
  table.add_text("name", name);
  if (count > 0) table.add_number("count", static_cast<std::int64_t>(count));
  if (are_alike && threads.size() > 1) {
    table.add_number("threads", static_cast<std::int64_t>(threads.size()));
  }
  if (client.start_ns != 0 || client.start_ns_max) {
    table.add_text("start", write_range(client.start_ns, client.start_ns_max));
  }
  if (client.rounds != 1) table.add_number("rounds", client.rounds);
  if (client.wall_offset_ns != 0) {
    table.add_text("wall_offset", format_duration(client.wall_offset_ns));
  }
  if (client.drift_ppm != 0) table.add_text("drift", fmt::format("{}ppm", client.drift_ppm));
  if (are_alike) add_thread(client.threads.front(), lock_name, "client", 0, table, later);
  std::string text = fmt::format("[[client]]\n{}{}", table.lines(), later);
  if (are_alike) return text;
  for (const std::string& thread : threads) text += fmt::format("\n{}", thread);
  return text;
}

/// How many clients from `first` on are w1, w2, … and otherwise the same; 0 where there are no two.
std::size_t alike_from(const std::vector<ClientSpec>& clients, std::size_t first,
                       const std::string& stem, const std::string& lock_name) {
  if (stem.empty()) return 0;
  const std::string wanted = write_client(clients[first], stem, 0, lock_name);
  std::size_t end = first + 1;
  while (end < clients.size() && clients[end].name == fmt::format("{}{}", stem, end - first + 1) &&
         write_client(clients[end], stem, 0, lock_name) == wanted) {
    ++end;
  }
  return end - first > 1 ? end - first : 0;
}

/// "w" of "w1"; empty where the name is not the first of several.
std::string stem_of(const std::string& name) {
  const bool is_first = name.size() > 1 && name.back() == '1';
  return is_first ? name.substr(0, name.size() - 1) : std::string();
}

}  // namespace

void add_table(TomlTable& parent, std::string_view key, const TomlTable& child,
               std::string_view header, std::string& later, std::size_t indent) {
  if (fits_inline(child)) return parent.add(key, child.inline_text());
  later += fmt::format("\n{:{}}[{}]\n{}", "", indent, header, child.lines(indent));
}

std::vector<std::string> write_clients(const std::vector<ClientSpec>& clients,
                                       const std::string& lock_name) {
  std::vector<std::string> tables;
  for (std::size_t i = 0; i < clients.size();) {
    const std::string stem = stem_of(clients[i].name);
    const std::size_t count = alike_from(clients, i, stem, lock_name);
    tables.push_back(
        write_client(clients[i], count > 0 ? stem : clients[i].name, count, lock_name));
    i += std::max<std::size_t>(count, 1);
  }
  return tables;
}

}  // namespace lockstep::scenario
