// Functions: FUNCTION and its subcommands, FCALL. DUMP's payload is function_dump.h's.
#include <array>
#include <optional>
#include <string>

#include "redis/commands/commands.h"
#include "redis/commands/function_dump.h"
#include "redis/protocol/glob.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/scripting/script_shebang.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {
namespace {

using Existing = FunctionLibraries::Existing;

void reply_error(Call& call, std::string_view text) {
  call.reply().error("ERR " + std::string(text));
}

std::string lower_cased(std::string_view text) {
  std::string lower;
  for (const char letter : text) lower += lower_case(letter);
  return lower;
}

void changed_libraries(Call& call) {
  call.server().count_change();
  call.force_propagation();
}

void reply_library(Call& call, std::string_view name, const FunctionLibrary& library,
                   bool with_code) {
  ReplyWriter& reply = call.reply();
  reply.map(with_code ? 4 : 3);
  reply.bulk("library_name");
  reply.bulk(name);
  reply.bulk("engine");
  reply.bulk("LUA");
  reply.bulk("functions");
  reply.array(library.functions.size());
  for (const LibraryFunction& each : library.functions) {
    reply.map(3);
    reply.bulk("name");
    reply.bulk(each.name);
    reply.bulk("description");
    call.reply_bulk_or_null(each.description ? &*each.description : nullptr);
    reply.bulk("flags");
    const std::vector<std::string_view> flags = script_flag_names(each.flags);
    reply.set(flags.size());
    for (const std::string_view flag : flags) reply.status(flag);
  }
  if (!with_code) return;
  reply.bulk("library_code");
  reply.bulk(library.code);
}

/// What was wrong with a library, as this version says it.
std::string in_words_of(const VersionTraits& version, std::string error) {
  constexpr std::string_view function = "redis.register_function";
  if (const std::size_t at = error.find(function); at != std::string::npos) {
    error.replace(at, function.find('.'), version.script_library);
  }
  constexpr std::string_view heading = "Error registering functions: ERR ";
  const bool is_about_name = error.find("Function already exists") != std::string::npos ||
                             error.find("Library names can only") != std::string::npos;
  if (version.names_functions_alone && is_about_name && error.starts_with(heading)) {
    error.erase(0, heading.size());
    constexpr std::string_view library = "Library names";
    if (error.starts_with(library)) error.replace(0, library.size(), "Function names");
  }
  return error;
}

}  // namespace

void fcall(Call& call) {
  constexpr std::size_t first_key = 3;
  const LibraryFunction* const function = call.server().libraries().find_function(call[1]);
  if (function == nullptr) return call.reply().error("ERR Function not found");
  const std::optional<std::int64_t> keys = parse_integer(call[2]);
  if (!keys) return call.reply().error("ERR Bad number of keys provided");
  if (*keys > static_cast<std::int64_t>(call.size() - first_key)) {
    return call.reply().error("ERR Number of keys can't be greater than number of args");
  }
  if (*keys < 0) return call.reply().error("ERR Number of keys can't be negative");
  const bool is_read_only = call.spec().is(CommandFlag::read_only);
  call.server().run_function(
      *function, is_read_only ? ScriptAccess::read_only : ScriptAccess::read_write, call,
      static_cast<std::size_t>(*keys), call.words().subspan(first_key));
}

void function_load(Call& call) {
  Existing existing = Existing::refused;
  std::size_t code = 2;
  for (; code + 1 < call.size(); ++code) {
    if (!equals_ignoring_case(call[code], "replace")) {
      return reply_error(call, "Unknown option given: " + std::string(call[code]));
    }
    existing = Existing::replaced;
  }
  std::string error;
  const auto name = call.server().libraries().load(call.server().scripts(), call.server().version(),
                                                   call[code], existing, error);
  if (!name) return reply_error(call, in_words_of(call.server().version(), error));
  changed_libraries(call);
  call.reply().bulk(*name);
}

void function_delete(Call& call) {
  if (!call.server().libraries().remove(call.server().scripts(), call[2])) {
    return call.reply().error("ERR Library not found");
  }
  changed_libraries(call);
  call.reply().status("OK");
}

void function_flush(Call& call) {
  if (call.size() > 3) return call.reply_wrong_subcommand_arity();
  const bool is_valid =
      call.size() == 2 || (call.size() == 3 && (equals_ignoring_case(call[2], "async") ||
                                                equals_ignoring_case(call[2], "sync")));
  if (!is_valid) {
    return call.reply().error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
  }
  call.server().libraries().clear(call.server().scripts());
  changed_libraries(call);
  call.reply().status("OK");
}

void function_list(Call& call) {
  bool with_code = false;
  std::optional<std::string> pattern;
  for (std::size_t i = 2; i < call.size(); ++i) {
    if (!with_code && equals_ignoring_case(call[i], "withcode")) {
      with_code = true;
    } else if (!pattern && equals_ignoring_case(call[i], "libraryname")) {
      if (++i == call.size()) return reply_error(call, "library name argument was not given");
      pattern = lower_cased(call[i]);
    } else {
      return reply_error(call, "Unknown argument " + std::string(call[i]));
    }
  }
  std::vector<const FunctionLibraries::Libraries::value_type*> shown;
  for (const auto& each : call.server().libraries().all()) {
    if (!pattern || glob_matches(*pattern, lower_cased(each.first))) shown.push_back(&each);
  }
  call.reply().array(shown.size());
  for (const auto* const each : shown) reply_library(call, each->first, each->second, with_code);
}

void function_stats(Call& call) {
  const Server& server = call.server();
  const RunningScript& script = server.running_script();
  ReplyWriter& reply = call.reply();
  reply.map(2);
  reply.bulk("running_script");
  if (script.is_running) {
    reply.map(3);
    reply.bulk("name");
    reply.bulk(script.name);
    reply.bulk("command");
    reply.array(script.command.size());
    for (const std::string_view word : script.command) reply.bulk(word);
    reply.bulk("duration_ms");
    reply.integer(script.busy_ms);
  } else {
    reply.null_bulk();
  }
  reply.bulk("engines");
  reply.map(1);
  reply.bulk("LUA");
  reply.map(2);
  reply.bulk("libraries_count");
  reply.integer(static_cast<std::int64_t>(call.server().libraries().all().size()));
  reply.bulk("functions_count");
  reply.integer(static_cast<std::int64_t>(call.server().libraries().function_count()));
}

void function_dump(Call& call) {
  call.reply().bulk(dump_of_libraries(call.server().libraries().codes()));
}

void function_restore(Call& call) {
  if (call.size() > 4) return call.reply_wrong_subcommand_arity();
  const std::string_view policy = call.size() == 4 ? call[3] : "append";
  const bool flushes = equals_ignoring_case(policy, "flush");
  const bool replaces = equals_ignoring_case(policy, "replace");
  if (!flushes && !replaces && !equals_ignoring_case(policy, "append")) {
    return call.reply().error(
        "ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE.");
  }
  const auto codes = libraries_of_dump(call[2]);
  if (!codes) return call.reply().error("ERR DUMP payload version or checksum are wrong");
  FunctionLibraries& libraries = call.server().libraries();
  ScriptEngine& engine = call.server().scripts();
  FunctionLibraries restored;
  std::string error;
  const auto refuse = [&] {
    restored.clear(engine);
    reply_error(call, error);
  };
  for (const std::string& code : *codes) {
    if (!restored.load(engine, call.server().version(), code, Existing::refused, error))
      return refuse();
  }
  if (flushes) libraries.clear(engine);
  if (!libraries.join(engine, restored, replaces ? Existing::replaced : Existing::refused, error)) {
    return refuse();
  }
  changed_libraries(call);
  call.reply().status("OK");
}

void function_help(Call& call) {
  static constexpr std::array<std::string_view, 37> lines{
      "LOAD [REPLACE] <FUNCTION CODE>",
      "    Create a new library with the given library name and code.",
      "DELETE <LIBRARY NAME>",
      "    Delete the given library.",
      "LIST [LIBRARYNAME PATTERN] [WITHCODE]",
      "    Return general information on all the libraries:",
      "    * Library name",
      "    * The engine used to run the Library",
      "    * Library description",
      "    * Functions list",
      "    * Library code (if WITHCODE is given)",
      "    It also possible to get only function that matches a pattern using LIBRARYNAME "
      "argument.",
      "STATS",
      "    Return information about the current function running:",
      "    * Function name",
      "    * Command used to run the function",
      "    * Duration in MS that the function is running",
      "    If no function is running, return nil",
      "    In addition, returns a list of available engines.",
      "KILL",
      "    Kill the current running function.",
      "FLUSH [ASYNC|SYNC]",
      "    Delete all the libraries.",
      "    When called without the optional mode argument, the behavior is determined by the",
      "    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
      "    * ASYNC: Asynchronously flush the libraries.",
      "    * SYNC: Synchronously flush the libraries.",
      "DUMP",
      "    Return a serialized payload representing the current libraries, can be restored "
      "using FUNCTION RESTORE command",
      "RESTORE <PAYLOAD> [FLUSH|APPEND|REPLACE]",
      "    Restore the libraries represented by the given payload, it is possible to give a "
      "restore policy to",
      "    control how to handle existing libraries (default APPEND):",
      "    * FLUSH: delete all existing libraries.",
      "    * APPEND: appends the restored libraries to the existing libraries. On "
      "collision, abort.",
      "    * REPLACE: appends the restored libraries to the existing libraries, On "
      "collision, replace the old",
      "      libraries with the new libraries (notice that even on this option there is a "
      "chance of failure",
      "      in case of functions name collision with another library)."};
  call.reply_help(lines);
}

}  // namespace lockstep::redis::commands
