// lockstep confirm: does what saved traces say on real Redis servers, and compares every reply.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/commands/confirm_client.h"
#include "app/context.h"
#include "app/interruption.h"
#include "app/output/output_place.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "confirm/confirmation.h"
#include "confirm/real_program.h"
#include "confirm/real_redis.h"
#include "model/engine/engine.h"
#include "reports/shown_run.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "reports/trace/trace_file.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "sim/versions.h"

namespace lockstep::app {
namespace {

using reports::sanitized;

struct ConfirmArguments {
  std::vector<std::string> traces;
  std::vector<std::string> servers;  ///< empty: the system's redis-server
  OutputFormat format = OutputFormat::text;
  ClientConfirmation by_client;
};

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

/// What was compared besides replies, and what was not compared.
std::string details_of(const confirm::Confirmation& found) {
  std::string text;
  const auto add = [&](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count == 0) return;
    text += text.empty() ? "" : ", ";
    text += counted(count, one, many);
  };
  add(found.not_compared, "reply that no two servers give alike",
      "replies that no two servers give alike");
  add(found.unanswered, "command that was never answered", "commands that were never answered");
  add(found.messages, "equal message", "equal messages");
  add(found.stream_requests, "equal request of replication", "equal requests of replication");
  add(found.synchronisations, "synchronisation of a replica", "synchronisations of replicas");
  add(found.promotions, "promotion", "promotions");
  add(found.restarts, "restart", "restarts");
  return text;
}

/// As expected if the real servers replied as the simulated ones did, in every trace.
class ConfirmCommand {
 public:
  ConfirmCommand(const ConfirmArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context), engine_(context.script_folders) {}

  ExitCode run() {
    try {
      confirm_all();
    } catch (const confirm::RedisUnusable& error) {
      print_error(context_, error.what());
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
    if (arguments_.format == OutputFormat::json) {
      context_.output << reports::Json{{"schema", confirm_document_version},
                                       {"confirmations", confirmations_}}
                             .dump(2)
                      << '\n';
    }
    return exit_code_;
  }

 private:
  void confirm_all() {
    programs_ = {confirm::RealProgram{}};
    if (!arguments_.servers.empty()) programs_ = confirm::find_programs(arguments_.servers);
    for (const std::string& path : arguments_.traces) {
      if (is_interrupted()) {
        exit_code_ = worse(exit_code_, ExitCode::unknown);
        return;
      }
      confirm_one(path);
    }
  }

  void confirm_one(const std::string& path) {
    try {
      const reports::TraceFile file = reports::read_trace_file(path);
      confirm::Recording recording;
      const scenario::Scenario scenario = reports::scenario_of(file);
      if (scenario.redis.topology == scenario::TopologyKind::cluster) {
        throw confirm::CannotConfirm(
            "this run is of a cluster, and the real servers that it would be compared with are "
            "none");
      }
      const search::RunRecord run = run_again(scenario, file, recording);
      std::string confirmed_on;
      for (const confirm::RealProgram& program : programs_) {
        const confirm::Confirmation found = confirm_on(program, file, scenario, run, recording);
        exit_code_ = worse(exit_code_, exit_code_of(found));
        report(file, found);
        if (found.is_confirmed()) {
          confirmed_on.append(confirmed_on.empty() ? "" : ", ").append(short_name(found.server));
        }
      }
      if (programs_.size() > 1 && arguments_.format != OutputFormat::json) {
        context_.output << fmt::format("confirmed on {}: {}\n",
                                       confirmed_on.empty() ? "none" : confirmed_on,
                                       sanitized(file.path));
      }
    } catch (const confirm::CannotConfirm& error) {
      print_error(context_, scenario::InputError::about(path, error.what()));
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  /// "7.0.15", "valkey 8.0.1"
  static std::string short_name(const std::string& server) {
    const std::size_t blank = server.find(' ');
    if (blank == std::string::npos) return server;
    const std::string number = server.substr(blank + 1);
    return server.starts_with("valkey") ? "valkey " + number : number;
  }

  static std::string in_words(const checker::Verdict& verdict) {
    switch (verdict.kind) {
      case checker::VerdictKind::holds:
        return "holds";
      case checker::VerdictKind::violated:
        return verdict.summary;
      case checker::VerdictKind::unknown:
        return "unknown";
    }
    return {};
  }

  /// Makes the run on a server's own version, where that is another than the scenario's, and plays
  /// it on the real one. Where the verdicts are others then, that is a difference, too.
  confirm::Confirmation confirm_on(const confirm::RealProgram& program,
                                   const reports::TraceFile& file,
                                   const scenario::Scenario& scenario, const search::RunRecord& run,
                                   const confirm::Recording& recording) {
    const auto& settings = scenario.redis.settings;
    if (arguments_.servers.empty() || program.version == scenario.redis.version) {
      return confirm::confirm(run.trace.actors, recording.events(), settings, &is_interrupted,
                              program);
    }
    if (!program.version) {
      throw confirm::CannotConfirm(program.release + " is not simulated; " +
                                   redis::versions_near(program.release));
    }
    scenario::Scenario other = scenario;
    other.redis.version = *program.version;
    confirm::Recording other_recording;
    const search::ReplayResult replayed =
        search::replay(other, file.example, engine_, &other_recording);
    confirm::Confirmation found =
        confirm::confirm(replayed.example.trace.actors, other_recording.events(), settings,
                         &is_interrupted, program);
    if (found.difference) return found;
    for (std::size_t i = 0; i < run.verdicts.size() && i < replayed.example.verdicts.size(); ++i) {
      const checker::Verdict& here = run.verdicts[i];
      const checker::Verdict& there = replayed.example.verdicts[i];
      if (here.kind == there.kind) continue;
      found.difference = {0,
                          0,
                          std::string(redis::to_string(*program.version)),
                          "the verdict on " + std::string(checker::to_string(here.property)) +
                              ", which depends on the version",
                          in_words(here),
                          in_words(there)};
      break;
    }
    return found;
  }

  /// Makes the run again and records what happens to its nodes. Throws scenario::InputError if it
  /// differs from the saved run.
  search::RunRecord run_again(const scenario::Scenario& scenario, const reports::TraceFile& file,
                              confirm::Recording& recording) {
    search::ReplayResult replayed = search::replay(scenario, file.example, engine_, &recording);
    if (!replayed.same) {
      throw scenario::InputError::about(file.path,
                                        "this run cannot be made again, so there is "
                                        "nothing to confirm: " +
                                            replayed.difference);
    }
    if (replayed.example.lock_digest != file.example.lock_digest) {
      throw scenario::InputError::about(
          file.path, "the lock's files have changed since the trace was made: run it again");
    }
    return std::move(replayed.example);
  }

  static ExitCode exit_code_of(const confirm::Confirmation& found) {
    if (found.difference) return ExitCode::not_as_expected;
    return found.interrupted ? ExitCode::unknown : ExitCode::as_expected;
  }

  void report(const reports::TraceFile& file, const confirm::Confirmation& found) {
    if (arguments_.format == OutputFormat::json) {
      add_json(file, found);
      return;
    }
    std::ostream& output = context_.output;
    output << fmt::format("{} on {}: {}, {}  {}\n",
                          found.difference    ? "not confirmed"
                          : found.interrupted ? "interrupted"
                                              : "confirmed",
                          found.server, counted(found.commands, "command", "commands"),
                          counted(found.equal_replies, "equal reply", "equal replies"),
                          sanitized(file.path));
    if (const std::string details = details_of(found); !details.empty()) {
      output << fmt::format("  {}\n", details);
    }
    if (found.difference) write_difference(*found.difference);
    output << fmt::format("  {} ({}, {})\n", sanitized(file.scenario_title),
                          sanitized(file.scenario_path), reports::made_by(file.example));
    output.flush();
  }

  void write_difference(const confirm::Difference& difference) {
    context_.output << fmt::format(
        "  the first difference: event {} of the trace, at {} ms, {}: {}\n"
        "    simulated  {}\n"
        "    real       {}\n",
        difference.trace_event, reports::milliseconds_number(difference.at_ns, 3),
        sanitized(difference.node), sanitized(difference.what), sanitized(difference.simulated),
        sanitized(difference.real));
  }

  void add_json(const reports::TraceFile& file, const confirm::Confirmation& found) {
    reports::Json difference;
    if (found.difference) {
      difference = {{"event", found.difference->trace_event},
                    {"at_ns", found.difference->at_ns},
                    {"node", reports::json_text(found.difference->node)},
                    {"what", reports::json_text(found.difference->what)},
                    {"simulated", reports::json_text(found.difference->simulated)},
                    {"real", reports::json_text(found.difference->real)}};
    }
    confirmations_.push_back({{"trace", reports::json_text(file.path)},
                              {"scenario", reports::json_text(file.scenario_path)},
                              {"seed", reports::json_number(file.example.seed)},
                              {"confirmed", found.is_confirmed()},
                              {"interrupted", found.interrupted},
                              {"redis_version", short_name(found.server)},
                              {"servers", found.servers},
                              {"commands", found.commands},
                              {"equal_replies", found.equal_replies},
                              {"not_compared", found.not_compared},
                              {"unanswered", found.unanswered},
                              {"messages", found.messages},
                              {"stream_requests", found.stream_requests},
                              {"synchronisations", found.synchronisations},
                              {"promotions", found.promotions},
                              {"restarts", found.restarts},
                              {"difference", std::move(difference)}});
  }

  const ConfirmArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  std::vector<confirm::RealProgram> programs_;
  reports::Json confirmations_ = reports::Json::array();
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_confirm(const ConfirmArguments& arguments, const Context& context) {
  if (!arguments.by_client.client.empty()) {
    ClientConfirmation asked = arguments.by_client;
    asked.traces = arguments.traces;
    asked.format = arguments.format;
    return confirm_with_client(asked, context);
  }
  return ConfirmCommand(arguments, context).run();
}

void add_options(CLI::App& command, ConfirmArguments& arguments) {
  command.add_option("TRACE", arguments.traces, "Traces, as run wrote them")
      ->required()
      ->type_name("");
  command
      .add_option("--server", arguments.servers,
                  "Real servers: redis-8.0, valkey, paths, or all that tools/servers fetched")
      ->type_name("NAME|PATH|all...");
  add_format(command, arguments.format);
  ClientConfirmation& by_client = arguments.by_client;
  CLI::Option* const client =
      command
          .add_option("--client", by_client.client,
                      "Play the run with this real program in the place of each client model")
          ->type_name("COMMAND");
  command.add_option("--seeds", by_client.seeds, "Play it with so many seeds (5)")
      ->needs(client)
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}))
      ->type_name("N");
  command
      .add_flag_callback(
          "--fork", [&by_client] { by_client.reuse = scenario::ProgramSpec::Reuse::fork; },
          "Start the program once, and make each run a fork of it")
      ->needs(client);
  writes_to(command.add_option("-o,--out", by_client.output_folder, "Where traces and pictures go")
                ->needs(client)
                ->type_name("DIR"),
            OutputPlace::folder);
}

}  // namespace

CommandDescription confirm_command() {
  return describe_command<ConfirmArguments>(
      {.name = "confirm",
       .summary = "Do what saved traces say on real Redis servers, or with a real client",
       .examples = "lockstep confirm lockstep-out/gc-pause.trace.jsonl\n"
                   "  lockstep confirm lockstep-out/gc-pause.trace.jsonl --server all\n"
                   "  lockstep confirm lockstep-out/gc-pause.trace.jsonl --client \"python3 "
                   "adapter.py\""},
      {.add_options = add_options,
       .format = [](const ConfirmArguments& arguments) { return arguments.format; },
       .run = run_confirm});
}

}  // namespace lockstep::app
