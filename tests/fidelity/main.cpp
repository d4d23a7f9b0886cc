// The program behind tools/fidelity: random sequences, scripts and the Lua corpus on the simulated
// Redis and on real servers, and a table of what was compared.
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fidelity/corpus.h"
#include "tests/fidelity/plan.h"
#include "tests/fidelity/workers.h"

namespace lockstep::fidelity {
namespace {

constexpr const char* usage =
    "usage: lockstep_fidelity [--short] [--seed N] [--only KIND[,KIND…]] [--sequences N]\n"
    "                         [--sequence N] [--workers N] [--list] [--brief]\n"
    "                         [--against NAME|PATH|all…]\n";

constexpr std::string_view corpus_name = "lua-corpus";  // for --only

class BadUsage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Options {
  RunOptions run;
  bool is_short = false;
  bool lists_kinds = false;
  std::string only;
  std::optional<std::size_t> sequences;
  std::vector<std::string> servers;  ///< empty: the system's
};

std::uint64_t number_of(std::string_view option, std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw BadUsage(std::string(option).append(" wants a number, not '").append(text).append("'"));
  }
  return number;
}

Options read_options(const std::vector<std::string_view>& words) {
  Options options;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--short") {
      options.is_short = true;
      continue;
    }
    if (word == "--list") {
      options.lists_kinds = true;
      continue;
    }
    if (word == "--brief") {
      options.run.is_brief = true;
      continue;
    }
    if (word == "--against") {
      while (i + 1 < words.size() && !words[i + 1].starts_with("--")) {
        options.servers.emplace_back(words[++i]);
      }
      if (options.servers.empty())
        throw BadUsage("--against wants a server's name, its path, or all");
      continue;
    }
    const bool is_known = word == "--seed" || word == "--only" || word == "--sequences" ||
                          word == "--sequence" || word == "--workers";
    if (!is_known) throw BadUsage("there is no option '" + std::string(word) + "'");
    if (i + 1 == words.size()) throw BadUsage(std::string(word) + " wants a value");
    const std::string_view value = words[++i];
    if (word == "--only") {
      options.only = value;
    } else {
      const std::uint64_t number = number_of(word, value);
      if (word == "--seed") options.run.seed = number;
      if (word == "--sequences") options.sequences = number;
      if (word == "--sequence") options.run.sequence = number;
      if (word == "--workers") options.run.workers = std::clamp<std::size_t>(number, 1, 64);
    }
  }
  return options;
}

/// Leaves the kinds that were asked for, with the counts that were asked for.
std::vector<PlannedKind> chosen(std::vector<PlannedKind> plan, const Options& options) {
  if (options.only == corpus_name) {
    plan.clear();
  } else if (!options.only.empty()) {
    const std::string asked = "," + options.only + ",";
    std::erase_if(plan, [&asked](const PlannedKind& kind) {
      return asked.find("," + kind.name + ",") == std::string::npos;
    });
    const auto commas = std::count(options.only.begin(), options.only.end(), ',');
    if (plan.size() != static_cast<std::size_t>(commas) + 1) {
      throw BadUsage("no such kind in '" + options.only + "'; --list names all");
    }
  }
  for (PlannedKind& kind : plan) {
    if (options.is_short) kind.count = kind.count_short;
    if (options.sequences) kind.count = *options.sequences;
  }
  return plan;
}

void print_row(std::string_view name, const Tally& tally) {
  std::printf("%-20.*s %9zu %11zu %9zu %11zu %13zu %11zu\n", static_cast<int>(name.size()),
              name.data(), tally.sequences, tally.commands, tally.scripts, tally.messages,
              tally.stream_bytes, tally.differences);
}

CorpusCounts print_corpus(const RunOptions& options) {
  const CorpusCounts counts = compare_corpus(options.program, options.is_brief);
  constexpr double percent = 100.0;
  std::printf(
      "Lua corpus: %zu programs, %zu equal replies (%.1f%%); of the others %zu reported when "
      "loaded, %zu known, %zu differences\n",
      counts.programs, counts.equal,
      percent * static_cast<double>(counts.equal) / static_cast<double>(counts.programs),
      counts.reported, counts.known, counts.differences);
  return counts;
}

struct Compared {
  std::size_t cases = 0;  ///< sequences, and programs of the corpus
  std::size_t differences = 0;
};

Compared compare(const std::vector<PlannedKind>& plan, const Options& options,
                 const RunOptions& run) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Tally> tallies = run_plan(plan, run);
  const auto seconds =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
  std::printf("\n%-20s %9s %11s %9s %11s %13s %11s\n", "kind", "sequences", "commands", "scripts",
              "messages", "stream bytes", "differences");
  Tally total;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    print_row(plan[i].name, tallies[i]);
    total.add(tallies[i]);
  }
  print_row("all", total);
  Compared compared{total.sequences + total.differences, total.differences};
  if (options.only.empty() || options.only == corpus_name) {
    const CorpusCounts corpus = print_corpus(run);
    compared.cases += corpus.programs;
    compared.differences += corpus.differences;
  }
  std::printf("seed %llu, %lld s, %zu workers\n", static_cast<unsigned long long>(run.seed),
              static_cast<long long>(seconds.count()), run.workers);
  return compared;
}

/// A command that one release cannot be compared in.
struct LeftOut {
  std::string_view release;
  std::string_view kind;  ///< of sequences; empty: in all
  std::string_view command;
  std::string_view why;
};

constexpr std::array left_out{
    // Of the two releases of one simulated version, 8.0.2 is simulated.
    LeftOut{"redis-8.0.6", "", "HINCRBYFLOAT", "it replicates it as redis-8.0.2 can't"},
    LeftOut{"valkey-9.1.2", "hash_expiries", "COPY",
            "a copy lacks the fields that are over, and where none is left HRANDFIELD crashes it"},
};

void leave_out(const LeftOut& each, PlannedKind& kind) {
  const auto is_left_out = [&](std::string_view line) { return line.starts_with(each.command); };
  std::erase_if(kind.sequences.templates, is_left_out);
  std::erase_if(kind.sequences.calls, is_left_out);
}

/// What can be compared with a server; says what can't.
std::vector<PlannedKind> plan_for(const confirm::RealProgram& program,
                                  std::vector<PlannedKind> plan) {
  const redis::ServerVersion version = program.version.value_or(redis::default_version);
  const auto is_lacking = [version](const PlannedKind& kind) {
    return !kind.versions.contains(version);
  };
  for (const PlannedKind& kind : plan) {
    if (!is_lacking(kind)) continue;
    std::printf("left out: %s, commands that %s lacks\n", kind.name.c_str(),
                std::string(redis::to_string(version)).c_str());
  }
  std::erase_if(plan, is_lacking);
  for (const LeftOut& each : left_out) {
    if (each.release != program.release) continue;
    std::printf("left out: %s%s%s, %s: %s\n", each.command.data(), each.kind.empty() ? "" : " of ",
                each.kind.data(), program.release.c_str(), each.why.data());
    for (PlannedKind& kind : plan) {
      if (each.kind.empty() || each.kind == kind.name) leave_out(each, kind);
    }
  }
  return plan;
}

/// 2 where nothing was compared: no difference then means nothing.
int exit_code_of(const Compared& compared) {
  if (compared.cases == 0) {
    std::fprintf(stderr, "tools/fidelity: nothing was compared\n");
    return 2;
  }
  return compared.differences == 0 ? 0 : 1;
}

int run(const Options& options) {
  const std::vector<PlannedKind> plan = chosen(make_plan(), options);
  if (options.lists_kinds) {
    for (const PlannedKind& kind : plan) std::printf("%s\n", kind.name.c_str());
    return 0;
  }
  if (options.servers.empty()) {
    return exit_code_of(compare(plan_for(options.run.program, plan), options, options.run));
  }
  std::vector<std::string> lines;
  Compared total;
  for (const confirm::RealProgram& program : confirm::find_programs(options.servers)) {
    if (!program.version) {
      lines.push_back(program.release +
                      " is not simulated: " + redis::versions_near(program.release));
      continue;
    }
    RunOptions run = options.run;
    run.program = program;
    std::printf("\nagainst %s\n", program.release.c_str());
    const Compared found = compare(plan_for(program, plan), options, run);
    total.cases += found.cases;
    total.differences += found.differences;
    lines.push_back(found.cases == 0 ? program.release + ": nothing was compared"
                                     : program.release + ": " + std::to_string(found.differences) +
                                           " differences from " +
                                           std::string(redis::to_string(*program.version)));
  }
  std::printf("\n");
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
  return exit_code_of(total);
}

}  // namespace
}  // namespace lockstep::fidelity

int main(int argc, char** argv) {
  using namespace lockstep::fidelity;
  try {
    return run(read_options({argv + 1, argv + argc}));
  } catch (const BadUsage& complaint) {
    std::fprintf(stderr, "tools/fidelity: %s\n%s", complaint.what(), usage);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "tools/fidelity: %s\n", failure.what());
  }
  return 2;
}
