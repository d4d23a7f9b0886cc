// Scripts: which of them this server knows, and what redis.call may do.
#include <variant>

#include "redis/scripting/script_process_state.h"
#include "redis/server/core.h"
#include "redis/server/error_replies.h"
#include "redis/values/key_slot.h"

namespace lockstep::redis {

const ScriptId* Core::find_script(std::string_view sha1) const {
  const ScriptId* const script = scripts_.find(sha1);
  if (script == nullptr) return nullptr;
  const auto index = static_cast<std::size_t>(*script);
  const bool is_known =
      index < known_scripts_.size() && known_scripts_[index] == script_cache_generation_;
  return is_known ? script : nullptr;
}

void Core::cache_script(ScriptId script) {
  const auto index = static_cast<std::size_t>(script);
  if (index >= known_scripts_.size()) known_scripts_.resize(index + 1, 0);
  known_scripts_[index] = script_cache_generation_;
}

void Core::flush_scripts() {
  ++script_cache_generation_;
  script_process_.json = JsonOptions();
}

// A script with a shebang line says in it whether it writes, and is refused where it must not. One
// without runs until it comes to a write.

const ScriptFlags* Core::script_flags_of(const CommandSpec& spec,
                                         std::span<const std::string_view> words) const {
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

bool Core::is_write_command(const CommandSpec& spec,
                            std::span<const std::string_view> words) const {
  const ScriptFlags* const declared = script_flags_of(spec, words);
  if (declared == nullptr) return spec.is(CommandFlag::write);
  return declared->has_shebang && !declared->no_writes;
}

void Core::run_script(ScriptId script, ScriptAccess access, Call& call, std::size_t keys,
                      std::span<const std::string_view> keys_and_arguments) {
  const ScriptFlags& declared = scripts_.declaration(script);
  if (declared.has_shebang && declared.no_writes) {
    access = ScriptAccess::read_only;
  } else if (declared.has_shebang && access == ScriptAccess::read_only) {
    return call.reply().error("ERR Can not execute a script with write flag using *_ro command.");
  }
  if (cluster_ != nullptr) {
    if (declared.no_cluster) {
      return call.reply().error("ERR Can not run script on cluster, 'no-cluster' flag is set.");
    }
    script_session_.is_read_only = call.session().is_read_only;
    script_may_cross_slots_ = !declared.has_shebang || declared.allow_cross_slot_keys;
    script_slot_.reset();
    if (keys > 0) script_slot_ = key_slot(keys_and_arguments[0]);
  }
  script_session_.id = call.session().id;
  script_session_.database = call.session().database;
  script_access_ = access;
  script_has_written_ = false;
  script_allows_oom_ = !has_memory_limit() || !is_out_of_memory_ || declared.allow_oom;
  script_is_replicated_ = true;
  scripts_.run(script, keys_and_arguments.first(keys), keys_and_arguments.subspan(keys), *this,
               call.reply());
}

std::string_view Core::script_rejection_error(const CommandSpec* spec,
                                              std::span<const std::string_view> words) const {
  if (spec == nullptr) return "ERR Unknown Redis command called from script";
  if (!spec->accepts(words.size())) {
    return "ERR Wrong number of args calling Redis command from script";
  }
  if (spec->is(CommandFlag::no_script)) {
    return "ERR This Redis command is not allowed from script";
  }
  if (script_access_ == ScriptAccess::read_only &&
      spec->is(CommandFlag::write | CommandFlag::may_replicate)) {
    return "ERR Write commands are not allowed from read-only scripts.";
  }
  const bool is_first_write = spec->is(CommandFlag::write) && !script_has_written_;
  if (is_first_write && role_ == Role::replica) return readonly_replica;
  if (spec->is(CommandFlag::write) && !has_enough_good_replicas()) return not_enough_good_replicas;
  if (is_first_write && !script_allows_oom_ && spec->is(CommandFlag::deny_oom)) {
    return out_of_memory;
  }
  return {};
}

void Core::call(std::span<const std::string_view> words, ReplyWriter& reply) {
  const CommandSpec* const spec = resolve(words).spec;
  reply.set_error_counts(&statistics_.errors);
  if (const std::string_view reason = script_rejection_error(spec, words); !reason.empty()) {
    return reply.error(reason);
  }
  if (spec->is(CommandFlag::write)) script_has_written_ = true;
  if (cluster_ != nullptr) {
    const std::string_view reason = cluster_rejection_error(*spec, words);
    if (!reason.empty()) return reply.error(reason);
  }
  effects_are_dropped_ = !script_is_replicated_;
  run(*spec, Origin::script, script_session_, words, reply);
  effects_are_dropped_ = false;
}

void Core::log(std::int64_t level, std::string_view text) { listener_.on_script_log(level, text); }

}  // namespace lockstep::redis
