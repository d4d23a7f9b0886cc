// Scripts: which of them this server knows, and what redis.call may do.
#include <variant>

#include "redis/scripting/script_process_state.h"
#include "redis/scripting/script_reply_writer.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/values/key_slot.h"

namespace lockstep::redis {

void Server::flush_scripts() {
  script_cache_.clear();
  listener_.on_scripts_flushed();
  script_.process.json = JsonOptions();
}

// A script with a shebang line says in it whether it writes, and is refused where it must not. One
// without runs until it comes to a write.

const ScriptFlags* Server::script_flags_of(const CommandSpec& spec,
                                           std::span<const std::string_view> words) const {
  if (!version_->has_script_flags) return nullptr;
  if (spec.is(CommandFlag::runs_function)) {
    const LibraryFunction* const function = libraries_.find_function(words[1]);
    return function == nullptr ? nullptr : &function->flags;
  }
  const ScriptId* script = nullptr;
  std::variant<ScriptId, std::string> compiled;
  if (spec.is(CommandFlag::runs_sha1)) {
    script = find_script(words[1]);
  } else if (spec.is(CommandFlag::runs_body)) {
    compiled = scripts_.compile(words[1]);
    script = std::get_if<ScriptId>(&compiled);
  }
  return script == nullptr ? nullptr : &scripts_.declaration(*script);
}

bool Server::is_write_command(const CommandSpec& spec,
                              std::span<const std::string_view> words) const {
  const ScriptFlags* const declared = script_flags_of(spec, words);
  if (declared == nullptr) return spec.is(CommandFlag::write);
  return declared->has_shebang && !declared->no_writes;
}

bool Server::may_replicate(const CommandSpec& spec, std::span<const std::string_view> words) const {
  const ScriptFlags* const declared = script_flags_of(spec, words);
  if (declared != nullptr && declared->has_shebang) return !declared->no_writes;
  return spec.is(CommandFlag::write | CommandFlag::may_replicate);
}

inline bool Server::begin_script(const ScriptFlags& declared, ScriptAccess access, Call& call,
                                 std::size_t keys,
                                 std::span<const std::string_view> keys_and_arguments) {
  if (declared.has_shebang && declared.no_writes) {
    access = ScriptAccess::read_only;
  } else if (declared.has_shebang && access == ScriptAccess::read_only) {
    call.reply().error("ERR Can not execute a script with write flag using *_ro command.");
    return false;
  }
  if (cluster_ != nullptr) {
    if (declared.no_cluster) {
      call.reply().error("ERR Can not run script on cluster, 'no-cluster' flag is set.");
      return false;
    }
    script_.session.is_read_only = call.session().is_read_only;
    script_.may_cross_slots = !declared.has_shebang || declared.allow_cross_slot_keys;
    script_.slot.reset();
    if (keys > 0) script_.slot = key_slot(keys_and_arguments[0]);
  }
  script_.session.id = call.session().id;
  script_.session.database = call.session().database;
  script_.access = access;
  script_.has_written = false;
  script_.allows_oom = !has_memory_limit() || !memory_.is_out_of_memory() || declared.allow_oom;
  script_.is_replicated = true;
  script_.caller_database = call.session().database;
  script_.is_running = true;
  script_.is_from_master = call.origin() == Origin::master;
  script_.is_busy = false;
  script_.is_killed = false;
  script_.is_function = false;
  script_.command = call.words();
  return true;
}

void Server::end_script(Call& call) {
  script_.is_running = false;
  script_.is_busy = false;
  // A transaction ends its frame itself.
  if (version_->frames_as_it_writes && call.origin() == Origin::client) {
    stream_.end_frame(call.session().database);
  }
}

void Server::run_script(ScriptId script, ScriptAccess access, Call& call, std::size_t keys,
                        std::span<const std::string_view> keys_and_arguments) {
  if (!begin_script(scripts_.declaration(script), access, call, keys, keys_and_arguments)) return;
  scripts_.run(script, keys_and_arguments.first(keys), keys_and_arguments.subspan(keys), *this,
               call.reply());
  end_script(call);
}

void Server::run_function(const LibraryFunction& function, ScriptAccess access, Call& call,
                          std::size_t keys, std::span<const std::string_view> keys_and_arguments) {
  if (!begin_script(function.flags, access, call, keys, keys_and_arguments)) return;
  script_.is_function = true;
  script_.name = function.name;
  scripts_.run_function(function, keys_and_arguments.first(keys), keys_and_arguments.subspan(keys),
                        *this, call.reply());
  end_script(call);
}

inline std::string_view Server::script_rejection_error(
    const CommandSpec* spec, std::span<const std::string_view> words) const {
  if (spec == nullptr) return version_->unknown_in_script;
  if (!spec->accepts(words.size())) {
    return version_->wrong_arity_in_script;
  }
  if (spec->is(CommandFlag::no_script)) {
    return version_->forbidden_in_script;
  }
  const bool is_first_write = spec->is(CommandFlag::write) && !script_.has_written;
  const bool lacks_memory =
      is_first_write && !script_.allows_oom && spec->is(CommandFlag::deny_oom);
  if (lacks_memory && version_->looks_at_memory_first) return out_of_memory;
  if (script_.access == ScriptAccess::read_only &&
      spec->is(CommandFlag::write | CommandFlag::may_replicate)) {
    return "ERR Write commands are not allowed from read-only scripts.";
  }
  if (is_first_write && role_ == Role::replica) return readonly_replica;
  if (spec->is(CommandFlag::write) && !has_enough_good_replicas()) return not_enough_good_replicas;
  if (lacks_memory) return out_of_memory;
  return {};
}

void Server::call(std::span<const std::string_view> words, ReplyWriter& reply) {
  const Resolved found = resolve(words);
  const CommandSpec* const spec = found.spec;
  reply.set_error_counts(&statistics_.errors);
  reply.set_number_format(version_->number_format);
  if (spec == nullptr && found.parent != nullptr && version_->names_script_subcommands) {
    return reply.error(unknown_command(found.parent, words, *version_));
  }
  if (const std::string_view reason = script_rejection_error(spec, words); !reason.empty()) {
    note_rejection_in_script(spec);
    if (!version_->has_old_script_errors) return reply.error(reason);
    // In 6.0 an error that a client would get, too, has its '-'.
    const bool is_shared =
        reason == readonly_replica || reason == out_of_memory || reason == not_enough_good_replicas;
    std::string located(1, located_error_mark);
    if (is_shared) located += '-';
    located.append(reason);
    if (is_shared) located += "\r\n";
    return reply.error(located);
  }
  if (spec->is(CommandFlag::write)) {
    script_.has_written = true;
    if (version_->frames_as_it_writes && role_ == Role::master && !is_loading_) {
      stream_.begin_frame(script_.caller_database);
    }
  }
  if (cluster_ != nullptr) {
    const std::string_view reason = cluster_rejection_error(*spec, words);
    if (!reason.empty()) {
      note_rejection_in_script(spec);
      return reply.error(reason);
    }
  }
  script_.drops_effects = !script_.is_replicated;
  run(*spec, Origin::script, script_.session, words, reply);
  script_.drops_effects = false;
}

}  // namespace lockstep::redis
