// lockstep serve: serves the simulated Redis on real sockets, for any client.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "app/command.h"
#include "app/context.h"
#include "serve/service.h"
#include "serve/start_error.h"

namespace lockstep::app {
namespace {

constexpr std::uint64_t port_max = 65'535;
constexpr std::uint64_t replicas_max = 100;

struct ServeArguments {
  serve::ServiceOptions options;
};

ExitCode run_serve(const ServeArguments& arguments, const Context& context) {
  try {
    serve::Service service(arguments.options);
    context.output << service.where() << std::endl;  // clients may be waiting for this line
    service.run();
    return ExitCode::as_expected;
  } catch (const serve::StartError& error) {
    print_error(context, error.what());
    return ExitCode::bad_input;
  }
}

std::uint16_t read_small(std::string_view argument, const std::string& word, std::uint64_t most) {
  return static_cast<std::uint16_t>(read_number_between(argument, word, 0, most));
}

void add_options(CLI::App& command, ServeArguments& arguments) {
  serve::ServiceOptions& options = arguments.options;
  add_word(
      command, "--port", "N",
      [&options](const std::string& word) { options.port = read_small("--port", word, port_max); },
      "Listen on this TCP port; 0 takes a free one");
  command.add_option("--unix", options.unix_path, "Listen on a Unix socket of this name")
      ->type_name("PATH");
  command.add_option("--bind", options.address, "Listen on this address of TCP (127.0.0.1)")
      ->type_name("ADDRESS");
  add_word(
      command, "--replicas", "N",
      [&options](const std::string& word) {
        options.replicas = read_small("--replicas", word, replicas_max);
      },
      "Serve so many replicas, on the ports that follow, or on PATH.1, PATH.2 and so on");
  add_word(
      command, "--version", "VERSION",
      [&options](const std::string& word) {
        const auto version = redis::find_version(word);
        if (!version) {
          throw CLI::ValidationError("--version", "the version '" + word + "' is not simulated; " +
                                                      redis::versions_near(word));
        }
        options.version = *version;
      },
      "Behave as this version: redis-7.0 (the default), redis-8.0, valkey-8.0, ...");
  add_word(
      command, "--clock", "real|FILE",
      [&options](const std::string& word) {
        options.clock_path = word == "real" ? std::string() : word;
      },
      "real (the default), or a file that holds the time: 8 bytes, Unix microseconds");
}

void require_address(const CLI::App& /*command*/, ServeArguments& arguments) {
  if (arguments.options.port || !arguments.options.unix_path.empty()) return;
  throw CLI::ValidationError("expected --port N or --unix PATH, to listen on");
}

}  // namespace

CommandDescription serve_command() {
  return describe_command<ServeArguments>(
      {.name = "serve",
       .summary = "Serve the simulated Redis on real sockets, until SIGTERM or Ctrl-C",
       .examples =
           "lockstep serve --port 7000 --replicas 2\n  redis-cli -p 7000 set greeting hello"},
      {.add_options = add_options, .complete = require_address, .run = run_serve});
}

}  // namespace lockstep::app
