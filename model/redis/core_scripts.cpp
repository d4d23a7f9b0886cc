// Scripts: which of them this server knows, and what redis.call may do.
#include "model/redis/core.h"
#include "model/redis/refusals.h"

namespace lockstep::redis {

bool Core::knows_script(ScriptId script) const {
  const auto index = static_cast<std::size_t>(script);
  return index < known_scripts_.size() && known_scripts_[index] == script_generation_;
}

void Core::learn_script(ScriptId script) {
  const auto index = static_cast<std::size_t>(script);
  if (index >= known_scripts_.size()) known_scripts_.resize(index + 1, 0);
  known_scripts_[index] = script_generation_;
}

void Core::forget_scripts() { ++script_generation_; }

void Core::run_script(ScriptId script, ScriptAccess access, Call& call,
                      std::span<const std::string_view> keys,
                      std::span<const std::string_view> arguments) {
  script_session_.id = call.session().id;
  script_session_.database = call.session().database;
  script_access_ = access;
  script_has_written_ = false;
  scripts_.run(script, keys, arguments, *this, call.reply());
}

std::string_view Core::reason_to_refuse_script(const CommandSpec* spec,
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
  return {};
}

void Core::call(std::span<const std::string_view> words, ReplyWriter& reply) {
  const CommandSpec* const spec = resolve(words).spec;
  if (const std::string_view reason = reason_to_refuse_script(spec, words); !reason.empty()) {
    return reply.error(reason);
  }
  if (spec->is(CommandFlag::write)) script_has_written_ = true;
  run(*spec, Origin::script, script_session_, words, reply);
}

void Core::log(std::int64_t /*level*/, std::string_view /*text*/) {}

}  // namespace lockstep::redis
