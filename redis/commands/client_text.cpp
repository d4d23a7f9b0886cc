#include "redis/commands/client_text.h"

#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"

namespace lockstep::redis {
namespace {

void append_number(std::string& text, std::string_view name, std::int64_t value) {
  text += name;
  text += IntegerText(value).view();
}

std::string flags_of(const Session& session) {
  std::string flags;
  if (session.is_replica) flags += 'S';
  if (session.is_subscribed()) flags += 'P';
  if (session.transaction != TransactionState::none) flags += 'x';
  if (session.wait) flags += 'b';
  if (session.watched_key_changed) flags += 'd';
  if (session.is_ending) flags += 'c';
  if (!session.address.empty() && session.address.front() == '/') flags += 'U';
  if (session.is_no_evict) flags += 'e';
  return flags.empty() ? "N" : flags;
}

std::int64_t whole_seconds(std::int64_t from_ms, std::int64_t now_ms) {
  constexpr std::int64_t ms_per_s = 1000;
  return now_ms / ms_per_s - from_ms / ms_per_s;
}

}  // namespace

std::optional<ClientType> client_type_named(std::string_view name) {
  if (equals_ignoring_case(name, "normal")) return ClientType::normal;
  if (equals_ignoring_case(name, "slave")) return ClientType::replica;
  if (equals_ignoring_case(name, "replica")) return ClientType::replica;
  if (equals_ignoring_case(name, "pubsub")) return ClientType::pubsub;
  if (equals_ignoring_case(name, "master")) return ClientType::master;
  return std::nullopt;
}

ClientType client_type(const Session& session) {
  if (session.is_replica) return ClientType::replica;
  return session.is_subscribed() ? ClientType::pubsub : ClientType::normal;
}

void append_client_line(const Session& session, std::int64_t now_ms, std::string& text) {
  constexpr std::int64_t first_descriptor = 8;
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  const bool is_queueing = session.transaction != TransactionState::none;
  append_number(text, "id=", static_cast<std::int64_t>(session.client_number));
  text += " addr=";
  text += session.address;
  text += " laddr=";
  text += session.local_address;
  append_number(text, " fd=", first_descriptor + static_cast<std::int64_t>(session.id));
  text += " name=";
  text += session.name;
  append_number(text, " age=", whole_seconds(session.opened_at_ms, now_ms));
  append_number(text, " idle=", whole_seconds(session.active_at_ms, now_ms));
  text += " flags=";
  text += flags_of(session);
  append_number(text, " db=", session.database);
  append_number(text, " sub=", count(session.channels));
  append_number(text, " psub=", count(session.patterns));
  append_number(text, " ssub=", count(session.shard_channels));
  append_number(text,
                " multi=", is_queueing ? static_cast<std::int64_t>(session.queued_count) : -1);
  text +=
      " qbuf=0 qbuf-free=20474 argv-mem=0 multi-mem=0 rbs=1024 rbp=0 obl=0 oll=0 omem=0"
      " tot-mem=22272 events=r cmd=";
  text += session.last_command == nullptr ? "NULL" : session.last_command->name;
  append_number(text, " user=default redir=-1 resp=", static_cast<std::int64_t>(session.protocol));
  text += '\n';
}

}  // namespace lockstep::redis
