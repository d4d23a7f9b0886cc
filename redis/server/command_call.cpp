#include "redis/server/command_call.h"

#include <cassert>

#include "redis/protocol/integers.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

std::string in_upper_case(std::string_view text) {
  std::string upper;
  for (const char letter : text) {
    const bool is_lower = letter >= 'a' && letter <= 'z';
    upper += is_lower ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return upper;
}

}  // namespace

Call::Call(Server& server, Session& session, const CommandSpec& spec, Origin origin,
           std::span<const std::string_view> words, ReplyWriter& reply)
    : server_(server),
      session_(session),
      keyspace_(server.database(session.database)),
      spec_(spec),
      words_(words),
      reply_(reply),
      origin_(origin) {}

std::int64_t Call::now_ms() const { return server_.now_ms(); }

// As Server::find: 6.0 takes what is negative for no expiry.
bool Call::is_expired(const Entry& entry) const {
  if (!entry.expired_at(now_ms())) return false;
  return !server_.version().wraps_around || *entry.expire_at_ms >= 0;
}

Keyspace::Position Call::find(std::string_view key) {
  return server_.find(keyspace_, session_.database, origin_, key);
}

Entry* Call::lookup(std::string_view key) {
  const Keyspace::Position position = find(key);
  if (position != keyspace_.end()) return &position->second;
  if (server_.notifies() && spec_.is(CommandFlag::read_only)) {
    server_.notify(KeyspaceEvent::key_miss, "keymiss", session_.database, key);
  }
  return nullptr;
}

void Call::appeared(std::string_view key) {
  server_.signal_key_as_ready(session_.database, key);
  if (server_.notifies()) server_.notify_if_created(session_.database, key);
}

std::optional<std::int64_t> Call::integer(std::size_t index) {
  const std::optional<std::int64_t> value = parse_integer(words_[index]);
  if (!value) reply_.error(not_an_integer);
  return value;
}

void Call::reply_bulk_or_null(const std::string* text) {
  if (text == nullptr) {
    reply_.null_bulk();
  } else {
    reply_.bulk(*text);
  }
}

void Call::reply_wrong_type() { reply_.error(wrong_type_text); }

void Call::reply_help(std::span<const std::string_view> lines) {
  std::string first = in_upper_case(spec_.name.substr(0, spec_.name.find('|')));
  first += " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:";
  reply_.array(lines.size() + 3);
  reply_.status(first);
  for (const std::string_view line : lines) reply_.status(line);
  reply_.status("HELP");
  reply_.status(server_.version().help_of_help);
}

void Call::refuse(std::string_view text) {
  reply_.error(reworded(server_.version(), spec_.name, text));
}

void Call::reply_wrong_arity() { refuse(wrong_arity(spec_)); }

void Call::reply_wrong_subcommand_arity() {
  reply_.error(wrong_subcommand_arity(spec_, words_, server_.version()));
}

void Call::reply_invalid_expire_time() {
  const bool is_old = server_.version().has_old_refusals;
  reply_.error((is_old ? "ERR invalid expire time in " : "ERR invalid expire time in '") +
               std::string(spec_.name) + (is_old ? "" : "' command"));
}

void Call::changed(std::string_view key, std::uint64_t times) {
  server_.signal_modified_key(session_.database, key, times);
  is_propagation_forced_ = true;
  if (server_.notifies()) notify(key, words_[0]);
}

void Call::touched(std::string_view key) {
  server_.signal_modified_key(session_.database, key, 0);
  if (server_.notifies()) notify(key, words_[0]);
}

void Call::notify(std::string_view key, std::string_view effect) {
  server_.notify_if_created(session_.database, key);
  notify_change(*this, key, effect, changes_++);
}

void Call::changed_as(std::string_view key, std::initializer_list<std::string_view> words,
                      std::uint64_t times) {
  changed_as(key, std::span<const std::string_view>(words.begin(), words.size()), times);
}

void Call::changed_as(std::string_view key, std::span<const std::string_view> words,
                      std::uint64_t times) {
  server_.signal_modified_key(session_.database, key, times);
  server_.propagate(session_.database, words);
  if (server_.notifies()) notify(key, words[0]);
}

}  // namespace lockstep::redis
