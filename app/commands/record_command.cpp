// lockstep record: keeps what a real library sends to servers, for lockstep conform.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/command.h"
#include "app/commands/confirm_client.h"
#include "app/context.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "checker/text.h"
#include "reports/text.h"
#include "reports/trace/json_values.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/conform/recording.h"
#include "search/runs/with_programs.h"
#include "serve/recorder.h"
#include "serve/start_error.h"

namespace lockstep::app {
namespace {

using reports::sanitized;

constexpr std::uint64_t recorded_port_max = 65'535;
constexpr std::uint64_t recorded_clients_max = 26;  // named by letters

struct RecordArguments {
  serve::RecorderOptions options;
  std::optional<std::uint16_t> port;
  std::uint64_t clients = 1;
  std::string story;
  std::string client;
  std::string out = "recording.jsonl";
};

struct Story {
  scenario::Scenario scenario;
  std::vector<std::string> clients;
};

Story read_story(const RecordArguments& arguments) {
  Story story;
  if (arguments.story.empty()) {
    for (std::uint64_t i = 0; i < arguments.clients; ++i) {
      story.clients.emplace_back(1, static_cast<char>('a' + i));
    }
    return story;
  }
  story.scenario = scenario::load_scenario(arguments.story);
  for (const scenario::ClientSpec& client : story.scenario.clients) {
    story.clients.push_back(client.name);
  }
  return story;
}

std::string masters_of(const serve::Recorder& recorder, std::size_t client) {
  std::string text;
  for (std::size_t server = 0; server < recorder.server_count(); ++server) {
    text += fmt::format("{}127.0.0.1:{}", server == 0 ? "" : " ", recorder.port_of(client, server));
  }
  return text;
}

/// The story's clients, each a process of the program, in the order of their start.
std::vector<serve::RecordedProgram> programs_of(const RecordArguments& arguments,
                                                const Story& story,
                                                const serve::Recorder& recorder) {
  std::vector<serve::RecordedProgram> programs;
  if (arguments.client.empty()) return programs;
  const scenario::Scenario played = search::with_programs(
      story.scenario, program_of(arguments.client, scenario::ProgramSpec::Reuse::process));
  for (std::size_t i = 0; i < played.clients.size(); ++i) {
    const scenario::ProgramSpec& program = *played.clients[i].program;
    serve::RecordedProgram recorded{program.command, program.env,
                                    played.clients[i].start_ns / sim::millisecond_ns};
    recorded.env[std::string(search::masters_variable)] = masters_of(recorder, i);
    programs.push_back(std::move(recorded));
  }
  std::stable_sort(programs.begin(), programs.end(), [](const auto& one, const auto& other) {
    return one.start_ms < other.start_ms;
  });
  return programs;
}

reports::Json head_of(const RecordArguments& arguments, const Story& story) {
  reports::Json head = {{"lockstep_recording", search::recording_version}};
  if (!arguments.story.empty()) {
    head["story"] = reports::json_text(story.scenario.text);
    head["path"] = reports::json_text(arguments.story);
  }
  return head;
}

reports::Json json_of(const std::string& client, std::size_t server,
                      const serve::Exchange& exchange) {
  reports::Json words = reports::Json::array();
  for (const std::string& word : exchange.request) words.push_back(reports::json_text(word));
  return {{"at_us", exchange.at_us},
          {"client", client},
          {"server", fmt::format("n{}", server + 1)},
          {"request", std::move(words)},
          {"reply", reports::json_text(exchange.reply)}};
}

ExitCode run_record(const RecordArguments& arguments, const Context& context) {
  const Story story = read_story(arguments);
  serve::RecorderOptions options = arguments.options;
  options.port = *arguments.port;
  options.clients = story.clients.size();
  if (!arguments.story.empty()) options.simulated_servers = story.scenario.redis.masters;
  std::uint64_t requests = 0;
  std::size_t unreadable = 0;
  try {
    serve::Recorder recorder(options);
    const std::vector<serve::RecordedProgram> programs = programs_of(arguments, story, recorder);
    for (std::size_t i = 0; i < story.clients.size(); ++i) {
      context.output << fmt::format("{}: {}\n", sanitized(story.clients[i]),
                                    masters_of(recorder, i));
    }
    context.output.flush();  // somebody may be waiting for these lines
    write_file(arguments.out, [&](std::ostream& stream) {
      stream << head_of(arguments, story).dump() << '\n';
      recorder.run(programs,
                   [&](std::size_t client, std::size_t server, const serve::Exchange& exchange) {
                     stream << json_of(story.clients[client], server, exchange).dump() << '\n';
                     ++requests;
                   });
    });
    unreadable = recorder.unreadable_connections();
  } catch (const serve::StartError& error) {
    print_error(context, error.what());
    return ExitCode::bad_input;
  }
  context.output << fmt::format("{} request{} recorded: {}\n", requests, requests == 1 ? "" : "s",
                                sanitized(arguments.out));
  if (unreadable > 0) {
    print_error(context,
                fmt::format("{} carried something else than RESP, TLS perhaps: recorded "
                            "up to there",
                            checker::counted(static_cast<std::int64_t>(unreadable), "connection")));
  } else if (requests == 0) {
    print_error(context, "nothing was recorded: did the clients connect to the ports above?");
  }
  return unreadable > 0 || requests == 0 ? ExitCode::unknown : ExitCode::as_expected;
}

serve::ServerAddress address_of(const std::string& word) {
  const std::size_t colon = word.rfind(':');
  if (colon == word.npos || colon == 0) {
    throw CLI::ValidationError("--to",
                               "expected HOST:PORT, as in localhost:6379; found '" + word + "'");
  }
  return {word.substr(0, colon), static_cast<std::uint16_t>(read_number_between(
                                     "--to", word.substr(colon + 1), 1, recorded_port_max))};
}

void add_options(CLI::App& command, RecordArguments& arguments) {
  add_word(
      command, "--port", "N",
      [&arguments](const std::string& word) {
        arguments.port =
            static_cast<std::uint16_t>(read_number_between("--port", word, 0, recorded_port_max));
      },
      "Listen on this port of 127.0.0.1, and on those that follow: one for each client and server; "
      "0 takes free ones");
  command
      .add_option_function<std::vector<std::string>>(
          "--to",
          [&arguments](const std::vector<std::string>& words) {
            for (const std::string& word : words) {
              arguments.options.servers.push_back(address_of(word));
            }
          },
          "Hand everything on to this Redis; several are several masters. Without: a simulated one")
      ->type_name("HOST:PORT");
  CLI::Option* const story =
      command
          .add_option("--story", arguments.story,
                      "The scenario whose clients are recorded, and whose steps they do")
          ->type_name("FILE");
  command
      .add_option("--client", arguments.client,
                  "Start this program for each client, with its steps in LOCKSTEP_STEPS and its "
                  "servers in LOCKSTEP_MASTERS, and end with the last of them")
      ->needs(story)
      ->type_name("COMMAND");
  command
      .add_option("--clients", arguments.clients, "So many clients, where there is no story (1)")
      ->excludes(story)
      ->check(CLI::Range(std::uint64_t{1}, recorded_clients_max))
      ->type_name("N");
  writes_to(command.add_option("-o,--out", arguments.out, "The file to write (recording.jsonl)")
                ->type_name("FILE"),
            OutputPlace::file);
}

void require_port(const CLI::App& /*command*/, RecordArguments& arguments) {
  if (!arguments.port) throw CLI::ValidationError("expected --port N, to listen on");
}

}  // namespace

CommandDescription record_command() {
  return describe_command<RecordArguments>(
      {.name = "record",
       .summary = "Keep what a real library sends to Redis, to compare it with a client model",
       .examples = "lockstep record --port 7000 --story story.toml\n"
                   "  lockstep record --port 7000 --story story.toml --to localhost:6379\n"
                   "  lockstep conform plain --recording recording.jsonl"},
      {.add_options = add_options, .complete = require_port, .run = run_record});
}

}  // namespace lockstep::app
