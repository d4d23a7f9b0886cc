#include "redis/server/server.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "redis/server/error_replies.h"

namespace lockstep::redis {

void Server::start(const ServerOptions& options) {
  version_ = &traits_of(options.version);
  config_ = options.config;
  role_ = options.role;
  cluster_ = options.cluster;
  for (Keyspace& keys : databases_) keys.clear();
  dirty_ = 0;
  pauses_writes_ = false;
  expire_cycle_.start();
  memory_.start();
  for (Session& each : sessions_.all()) {
    if (each.is_open) close_session(each.id);
  }
  sessions_.start(*version_);
  statistics_.clear();
  flush_scripts();
  libraries_.clear(scripts_);
  script_.process = ScriptProcessState();
  run_id_ = options.run_id;
  stream_.start(options.replication_id, *version_);
  if (role_ == Role::replica) stream_.keep_backlog();
  replicas_.clear();
  master_link_.start();
  persistence_.start(options.files, 0);
  synced_offset_ = 0;
  has_waits_for_disk_ = false;
}

void Server::configure(Config config) {
  const bool had_limit = has_memory_limit();
  const bool is_switched = config.append_only != config_.append_only;
  config_ = std::move(config);
  if (is_switched) {
    persistence_.set_logging(config_.append_only);
    if (config_.append_only) rewrite_append_only();
    process_clients_waiting_replicas();
  }
  if (has_memory_limit() != had_limit) memory_.forget_count();
  listener_.on_config_changed(config_);
}

void Server::set_time_us(std::int64_t unix_time_us) {
  constexpr std::int64_t us_per_ms = 1000;
  now_us_ = unix_time_us;
  if (statistics_.started_at_us == 0) statistics_.started_at_us = unix_time_us;
  now_ms_ = unix_time_us / us_per_ms - static_cast<std::int64_t>(unix_time_us % us_per_ms < 0);
}

Server::Resolved Server::resolve_subcommand(const CommandSpec& parent,
                                            std::span<const std::string_view> words) const {
  const CommandSpec* const found = in_version(find_subcommand(parent, words[1]), version_->version);
  // 6.0 finds out as it runs the command itself.
  const bool is_refused_later =
      version_->has_old_refusals && (found == nullptr || !found->accepts(words.size()));
  if (is_refused_later) return {find_variant(parent, version_->version), nullptr};
  return {found, &parent};
}

ExecuteResult Server::execute(SessionId id, std::span<const std::string_view> words,
                              ReplyWriter& reply) {
  assert(!words.empty());
  Session& caller = sessions_.at(id);
  assert(caller.is_open && !caller.wait);
  reply.set_protocol(caller.protocol);
  reply.set_number_format(version_->number_format);
  reply.set_error_counts(&statistics_.errors);
  if (caller.is_ending) return ExecuteResult::silent;
  if (version_->pushes_after_reply && caller.is_subscribed()) pubsub_.hold(caller.id);
  if (caller.replies != ReplyMode::on) return execute_without_reply(caller, words, reply);
  const ExecuteResult executed = execute_replying(caller, words, reply);
  pubsub_.release(caller.id, listener_);
  if (caller.replies == ReplyMode::on) return executed;
  if (caller.replies == ReplyMode::skip_next) caller.replies = ReplyMode::skip;
  return ExecuteResult::silent;  // CLIENT REPLY has no reply of its own
}

ExecuteResult Server::execute_replying(Session& caller, std::span<const std::string_view> words,
                                       ReplyWriter& reply) {
  const Resolved found = resolve(words);
  const CommandSpec* const spec = found.spec;
  caller.last_command = spec;
  caller.active_at_ms = now_ms_;
  ++statistics_.commands;
  if (spec == nullptr) {
    refuse(caller, spec, unknown_command(found.parent, words, *version_), reply);
    return ExecuteResult::replied;
  }
  if (cluster_ != nullptr && spec->accepts(words.size()) && redirect(caller, *spec, words, reply)) {
    return ExecuteResult::replied;
  }
  if (lacks_memory_for(caller, *spec, words)) {
    refuse(caller, spec, out_of_memory, reply);
    return ExecuteResult::replied;
  }
  if (const std::string reason = rejection_error(caller, *spec, words); !reason.empty()) {
    refuse(caller, spec, reason, reply);
    return ExecuteResult::replied;
  }
  if (pauses_writes_ && is_postponed(caller, *spec, words)) {
    caller.wait = BlockingState{Postponed(), 0};
    return ExecuteResult::blocked;
  }
  if (caller.transaction != TransactionState::none && !spec->is(CommandFlag::never_queued)) {
    caller.queue_command(*spec, words);
    reply.status("QUEUED");
    return ExecuteResult::replied;
  }
  const bool is_within_script = script_.is_running;  // see ScriptWatchdog
  run(*spec, Origin::client, caller, words, reply);
  if (is_within_script) return ExecuteResult::replied;
  const bool has_written = stream_.has_pending();
  propagate_pending_commands();
  if (!version_->waits_for_own_writes || has_written) caller.last_offset = stream_.offset();
  if (blocking_keys_.any_ready()) handle_clients_blocked_on_keys();
  return caller.wait ? ExecuteResult::blocked : ExecuteResult::replied;
}

std::string Server::rejection_error(const Session& session, const CommandSpec& spec,
                                    std::span<const std::string_view> words) const {
  if (!spec.accepts(words.size())) return wrong_arity(spec);
  if (role_ == Role::replica &&
      (is_write_command(spec, words) || has_queued_writes(session, spec))) {
    return std::string(readonly_replica);
  }
  if (!has_enough_good_replicas() &&
      (is_write_command(spec, words) || has_queued_writes(session, spec))) {
    return std::string(not_enough_good_replicas);
  }
  if (session.transaction != TransactionState::none && spec.is(CommandFlag::no_multi)) {
    if (version_->version != ServerVersion::valkey_9_1) {
      return "ERR Command not allowed inside a transaction";
    }
    return "ERR Command '" + std::string(spec.name) + "' not allowed inside a transaction";
  }
  if (session.protocol == Protocol::resp2 && session.is_subscribed() &&
      !spec.is(CommandFlag::allowed_subscribed)) {
    return not_allowed_while_subscribed(spec, *version_);
  }
  if (script_.is_busy && !spec.is(CommandFlag::allow_busy)) return std::string(busy_error());
  return {};
}

bool Server::any_queued_command(const Session& session, CommandPredicate judgement) const {
  if (session.transaction == TransactionState::broken && version_->forgets_broken_transactions) {
    return false;
  }
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < session.queued_count; ++i) {
    const QueuedCommand& queued = session.queue[i];
    words.clear();
    for (std::size_t word = 0; word < queued.words.size(); ++word) {
      words.push_back(queued.words[word]);
    }
    if ((this->*judgement)(*queued.spec, words)) return true;
  }
  return false;
}

/// EXEC counts as what it would execute.
bool Server::has_queued_writes(const Session& session, const CommandSpec& spec) const {
  return spec.name == "exec" && any_queued_command(session, &Server::is_write_command);
}

bool Server::is_postponed(const Session& session, const CommandSpec& spec,
                          std::span<const std::string_view> words) const {
  return may_replicate(spec, words) ||
         (spec.name == "exec" && any_queued_command(session, &Server::may_replicate));
}

void Server::refuse(Session& session, const CommandSpec* spec, std::string_view reason,
                    ReplyWriter& reply) {
  if (session.transaction != TransactionState::none) {
    session.transaction = TransactionState::broken;
  }
  if (spec != nullptr) ++statistics_.calls.of(*spec).rejected;
  if (spec == nullptr || spec->name != "exec") return reply.error(reason);
  discard_transaction(session);  // a refused EXEC ends it
  constexpr std::string_view code = "ERR ";
  if (reason.substr(0, code.size()) == code) reason.remove_prefix(code.size());
  reply.error("EXECABORT Transaction discarded because of: " + std::string(reason));
}

void Server::run(const CommandSpec& spec, Origin origin, Session& session,
                 std::span<const std::string_view> words, ReplyWriter& reply) {
  const std::uint8_t database = session.database;  // SELECT changes it
  Call call(*this, session, spec, origin, words, reply);
  if (config_.keyspace_events.has(KeyspaceEvent::created) && notifies()) note_absent_keys(call);
  const TellMonitors told = monitors_.empty() ? TellMonitors::never : when_monitored(spec);
  if (told == TellMonitors::before) tell_monitors(session, origin, words);
  note_errors();
  spec.code(call);
  count_call(spec, session);
  if (told == TellMonitors::after) tell_monitors(session, origin, words);
  if (!call.is_propagation_forced_) return;
  if (spec.is(CommandFlag::pubsub)) {
    // A message is nothing to store.
    if (role_ == Role::master && !script_.drops_effects) stream_.append(database, words);
  } else {
    propagate(database, words);
  }
}

void Server::propagate(std::uint8_t database, std::span<const std::string_view> words) {
  if (is_loading_ || script_.drops_effects) return;
  if (role_ == Role::master) stream_.append(database, words);
  if (!persistence_.logs()) return;
  if (version().replicates_relative_expiries) {
    persistence_.log_with_moments(database, words, now_ms_);
  } else {
    persistence_.log(database, words);
  }
}

void Server::propagate_pending_commands() {
  if (persistence_.has_unwritten()) persistence_.write(config_.append_fsync, now_ms_);
  if (!stream_.has_pending()) return;
  const std::string_view bytes = stream_.write_pending(config_.repl_backlog_size_bytes);
  listener_.on_propagated(bytes, stream_.offset());
  stream_.begin_command();
  if (persistence_.logs()) note_synced_offset();
}

}  // namespace lockstep::redis
