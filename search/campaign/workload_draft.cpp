#include "search/campaign/workload_draft.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "scenario/file/option_table.h"
#include "scenario/lock_words.h"
#include "scenario/text/durations.h"
#include "scenario/text/toml_text.h"
#include "sim/time.h"

namespace lockstep::search {
namespace {

std::string generate_of(const DraftTurns& turns) {
  scenario::TomlTable mix;
  for (const auto& [word, weight] : turns.mix) mix.add_number(word, weight);
  scenario::TomlTable table;
  table.add_number("steps", turns.turns);
  table.add("mix", mix.inline_text());
  table.add_text("think", text_of(turns.think));
  if (turns.hold) table.add_text("hold", text_of(*turns.hold));
  table.add_text("spread", "log");
  if (turns.nesting > 1) table.add_number("nesting", turns.nesting);
  if (turns.permits_min != turns.permits_max) {
    table.add_text("permits", fmt::format("{}..{}", turns.permits_min, turns.permits_max));
  } else if (turns.permits_min != 1) {
    table.add_number("permits", turns.permits_min);
  }
  if (!turns.locks.empty()) table.add("locks", scenario::toml_list(turns.locks));
  return "\n[client.generate]\n" + table.lines();
}

std::string text_of(const DraftClient& client) {
  scenario::TomlTable table;
  table.add_text("name", client.name);
  if (client.count > 1) table.add_number("count", client.count);
  if (client.threads > 1) table.add_number("threads", client.threads);
  if (client.rounds > 1) table.add_number("rounds", client.rounds);
  table.add_text("start", text_of(client.start));
  if (client.wall_offset_ms != 0) table.add_text("wall_offset", time_text(client.wall_offset_ms));
  if (client.drift_ppm != 0) table.add_text("drift", fmt::format("{}ppm", client.drift_ppm));
  if (!client.run.empty()) table.add_texts("run", client.run);
  std::string text = "\n[[client]]\n" + table.lines();
  if (client.turns) text += generate_of(*client.turns);
  return text;
}

/// Both ways between the client and n1.
std::string links_of(const DraftClient& client) {
  if (!client.away) return {};
  const auto link = [&client](std::string_view from, std::string_view to) {
    scenario::TomlTable table;
    table.add_text("from", from);
    table.add_text("to", to);
    table.add_text("latency", text_of(*client.away));
    return "\n[[link]]\n" + table.lines();
  };
  return link(client.name, "n1") + link("n1", client.name);
}

}  // namespace

std::string time_text(std::int64_t time_ms) {
  return scenario::format_duration(time_ms * sim::millisecond_ns);
}

std::string text_of(TimeRange range) {
  if (range.min_ms == range.max_ms) return time_text(range.min_ms);
  return fmt::format("{}..{}", time_text(range.min_ms), time_text(range.max_ms));
}

std::string file_of(const WorkloadDraft& draft, const FileHead& head) {
  std::vector<std::string> promises(head.promises.begin(), head.promises.end());
  if (promises.empty()) promises.emplace_back("no-deadlock");
  scenario::TomlTable table;
  table.add_text(
      "title", fmt::format("{}: {}", scenario::lock_in_words(std::string(head.lock)), draft.name));
  table.add_text("lock", head.lock);
  scenario::TomlTable expect;
  expect.add_texts("holds", promises);
  std::string text =
      fmt::format("# {}\n{}\n[expect]\n{}", draft.purpose, table.lines(), expect.lines());
  if (!draft.options.empty()) {
    scenario::TomlTable options;
    scenario::add_options(draft.options, options);
    text += "\n[options]\n" + options.lines();
  }
  if (head.drift_ppm > 0) {
    text += fmt::format("\n[clocks]\ndeclared_drift = \"{}ppm\"\n", head.drift_ppm);
  }
  if (!draft.redis.empty()) text += fmt::format("\n[redis]\n{}\n", draft.redis);
  for (const DraftClient& client : draft.clients) text += text_of(client);
  for (const DraftClient& client : draft.clients) text += links_of(client);
  if (draft.progress_ms > 0) {
    text += fmt::format("\n[liveness]\nprogress = \"{}\"\n", time_text(draft.progress_ms));
  }
  scenario::TomlTable limits;
  limits.add_text("horizon", "1h");
  limits.add_number("events", head.events_max);
  return text + "\n[limits]\n" + limits.lines();
}

}  // namespace lockstep::search
