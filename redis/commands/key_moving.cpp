// What takes keys to other names and databases: RENAME, COPY, MOVE, SWAPDB.
#include <optional>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

constexpr std::string_view same_object = "ERR source and destination objects are the same";

/// A number that fits an int (6.0: any); replies a text and returns nothing where a word is none.
std::optional<std::int64_t> read_int(Call& call, std::size_t index, std::string_view text) {
  const std::optional<std::int64_t> number = parse_integer(call[index]);
  if (!number) {
    call.refuse(text);
    return std::nullopt;
  }
  const bool is_int = *number == static_cast<std::int32_t>(*number);
  if (is_int || call.server().version().cuts_database_index) return number;
  call.refuse(text == not_an_integer ? not_an_int : text);
  return std::nullopt;
}

/// The database of a number; replies and returns nothing where there is none.
std::optional<std::uint8_t> checked_database(Call& call, std::int64_t number) {
  if (number >= 0 && number < static_cast<std::int64_t>(database_count)) {
    return static_cast<std::uint8_t>(number);
  }
  call.refuse(no_such_database);
  return std::nullopt;
}

std::optional<std::uint8_t> read_database(Call& call, std::size_t index) {
  const std::optional<std::int64_t> number = read_int(call, index, not_an_integer);
  return number ? checked_database(call, *number) : std::nullopt;
}

Keyspace::Position find_in(Call& call, std::uint8_t database, std::string_view key) {
  return call.server().find(call.server().database(database), database, call.origin(), key);
}

enum class Target : std::uint8_t { replaced, kept };
enum class Renamed : std::uint8_t { yes, no_source, to_itself, target_exists };

Renamed rename_to(Call& call, Target target) {
  Keyspace& keys = call.keys();
  const Keyspace::Position source = call.find(call[1]);
  if (source == keys.end()) return Renamed::no_source;
  if (call[1] == call[2]) return Renamed::to_itself;
  if (const Keyspace::Position old = call.find(call[2]); old != keys.end()) {
    if (target == Target::kept) return Renamed::target_exists;
    keys.erase(old);
  }
  keys.move_entry(source, keys, call[2]);
  call.appeared(call[2]);
  call.changed(call[1]);
  call.changed(call[2]);
  return Renamed::yes;
}

/// COPY source target [DB number] [REPLACE]
struct CopyOptions {
  std::uint8_t database;
  bool replaces = false;
};

std::optional<CopyOptions> read_copy_options(Call& call) {
  CopyOptions options{call.session().database};
  for (std::size_t i = 3; i < call.size(); ++i) {
    if (equals_ignoring_case(call[i], "replace")) {
      options.replaces = true;
    } else if (equals_ignoring_case(call[i], "db") && i + 1 < call.size()) {
      const std::optional<std::uint8_t> database = read_database(call, ++i);
      if (!database) return std::nullopt;
      options.database = *database;
    } else {
      call.reply_syntax_error();
      return std::nullopt;
    }
  }
  return options;
}

}  // namespace

void rename(Call& call) {
  if (rename_to(call, Target::replaced) == Renamed::no_source) {
    return call.reply().error(no_such_key);
  }
  call.reply().status("OK");
}

void renamenx(Call& call) {
  const Renamed renamed = rename_to(call, Target::kept);
  if (renamed == Renamed::no_source) return call.reply().error(no_such_key);
  call.reply().integer(renamed == Renamed::yes ? 1 : 0);
}

void copy(Call& call) {
  const std::optional<CopyOptions> options = read_copy_options(call);
  if (!options) return;
  if (call.server().cluster() != nullptr && options->database != 0) {
    return call.reply().error("ERR Copying to another database is not allowed in cluster mode");
  }
  const bool is_same_database = options->database == call.session().database;
  if (is_same_database && call[1] == call[2]) return call.reply().error(same_object);
  const Keyspace::Position source = call.find(call[1]);
  if (source == call.keys().end()) return call.reply().integer(0);
  Keyspace& goal = call.server().database(options->database);
  const Keyspace::Position old = find_in(call, options->database, call[2]);
  if (old != goal.end()) {
    if (!options->replaces) return call.reply().integer(0);
    goal.erase(old);
  }
  goal.put(call[2], source->second);
  call.server().signal_key_as_ready(options->database, call[2]);
  call.server().signal_modified_key(options->database, call[2], 1);
  if (call.server().notifies()) {
    call.server().notify(KeyspaceEvent::created, "new", options->database, call[2]);
    call.server().notify(KeyspaceEvent::generic, "copy_to", options->database, call[2]);
  }
  call.force_propagation();
  call.reply().integer(1);
}

void move(Call& call) {
  if (call.server().cluster() != nullptr) {
    return call.reply().error("ERR MOVE is not allowed in cluster mode");
  }
  const std::optional<std::uint8_t> database = read_database(call, 2);
  if (!database) return;
  if (*database == call.session().database) return call.reply().error(same_object);
  const Keyspace::Position source = call.find(call[1]);
  if (source == call.keys().end()) return call.reply().integer(0);
  Keyspace& goal = call.server().database(*database);
  if (find_in(call, *database, call[1]) != goal.end()) return call.reply().integer(0);
  call.keys().move_entry(source, goal, call[1]);
  call.server().signal_key_as_ready(*database, call[1]);
  call.server().signal_modified_key(*database, call[1], 1);
  call.changed(call[1]);
  if (call.server().notifies()) {
    call.server().notify(KeyspaceEvent::created, "new", *database, call[1]);
    call.server().notify(KeyspaceEvent::generic, "move_from", call.session().database, call[1]);
    call.server().notify(KeyspaceEvent::generic, "move_to", *database, call[1]);
  }
  call.reply().integer(1);
}

void swapdb(Call& call) {
  if (call.server().cluster() != nullptr) {
    return call.reply().error("ERR SWAPDB is not allowed in cluster mode");
  }
  const std::optional<std::int64_t> first = read_int(call, 1, "ERR invalid first DB index");
  if (!first) return;
  const std::optional<std::int64_t> second = read_int(call, 2, "ERR invalid second DB index");
  if (!second) return;
  const std::optional<std::uint8_t> a = checked_database(call, *first);
  if (!a) return;
  const std::optional<std::uint8_t> b = checked_database(call, *second);
  if (!b) return;
  call.server().swap_databases(*a, *b);
  call.force_propagation();
  call.reply().status("OK");
}

}  // namespace lockstep::redis::commands
