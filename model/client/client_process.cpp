#include "model/client/client_process.h"

#include <algorithm>
#include <array>

#include "lua/interpreter/state.h"
#include "lua/interpreter/text.h"
#include "model/lock/lock_package.h"
#include "model/trace_vocabulary.h"
#include "redis/scripting/script_mistake.h"
#include "scenario/options.h"
#include "sim/network.h"

namespace lockstep::model {
namespace {

/// REQUIRES: there is such an option of every lock, and it is a number.
std::int64_t number(const scenario::Options& options, std::string_view name) {
  return std::get<std::int64_t>(options.find(name)->second);
}

RetrySettings retry_settings(const scenario::Options& options) {
  return {.timeout_ns = number(options, "timeout_ms") * sim::millisecond_ns,
          .attempts = number(options, "retry_attempts"),
          .interval_ns = number(options, "retry_interval_ms") * sim::millisecond_ns,
          .jitter_ns = number(options, "retry_jitter_ms") * sim::millisecond_ns};
}

ConnectionSettings connection_settings(const scenario::Options& options) {
  using Kind = ConnectionSettings::Kind;
  using Reconnect = ConnectionSettings::Reconnect;
  const auto says = [&](std::string_view name, std::string_view word) {
    return std::get<std::string>(options.find(name)->second) == word;
  };
  return {.kind = says("connection", "one") ? Kind::one : Kind::pool,
          .reconnect = says("reconnect", "resend")  ? Reconnect::resend
                       : says("reconnect", "queue") ? Reconnect::queue
                                                    : Reconnect::drop,
          .pool_size = number(options, "pool_size"),
          .pool_timeout_ns = number(options, "pool_timeout_ms") * sim::millisecond_ns};
}

/// What a script is answered that does not end.
constexpr std::string_view was_killed = "Script killed by user with SCRIPT KILL";

template <std::size_t count>
bool has_any_of(std::string_view error, const std::array<std::string_view, count>& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view each) {
    return error.find(each) != std::string_view::npos;
  });
}

/// Errors of a request that no state of the server makes right.
bool is_callers_mistake(std::string_view error) {
  constexpr std::array<std::string_view, 6> words = {
      "ERR syntax error",    "ERR wrong number of arguments for ",
      "ERR unknown command", "ERR unknown subcommand",
      "CROSSSLOT ",          was_killed};
  return has_any_of(error, words);
}

/// A command's own words, within a script's error too, for a key or a value that is not what the
/// command takes it for: by mistake, where no fault made it so. What a script says on purpose
/// (redis.error_reply) reads otherwise.
bool takes_data_for_other(std::string_view error) {
  constexpr std::array<std::string_view, 6> words = {
      "WRONGTYPE ",          "value is not an integer or out of range",
      "not a valid float",   "min or max is not ",
      "invalid expire time", "hash value is not "};
  return has_any_of(error, words);
}

}  // namespace

ClientProcess::ClientProcess(sim::Host& client_host, const ClientEnvironment& client_environment,
                             ClientRuntime::Implementation& client_runtime,
                             std::size_t thread_count)
    : host(client_host),
      environment(client_environment),
      runtime(client_runtime),
      options(client_runtime.package.options_of(client_host.name())),
      retry(retry_settings(options)),
      connections(connection_settings(options)),
      owners_(thread_count),
      owner_strings_(thread_count) {}

void ClientProcess::start_run(sim::ChoiceSource& choices) {
  choices_ = &choices;
  is_dead_ = false;
  ++incarnation_;
  failures_.clear();
  script_failure_.clear();
  refused_.clear();
}

void ClientProcess::draw_names() {
  const lua::Memory::Unlimited unlimited(runtime.state.memory());
  uuid_.clear();
  append_hexadecimal(uuid_);
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    owners_[i] = uuid_;
    if (!owns_as_one()) owners_[i] += ":" + std::to_string(i + 1);
    lua::push_view(runtime.main, owners_[i]);
    owner_strings_[i] = LuaReference(runtime.main);
  }
}

bool ClientProcess::owns_as_one() const {
  return runtime.package.state_owner == StateOwner::process;
}

void ClientProcess::on_crash() {
  is_dead_ = true;
  ++incarnation_;
}

std::int64_t ClientProcess::random(std::int64_t count) {
  return choices_->between(random_stream(), 1, count);
}

sim::DurationNs ClientProcess::retry_wait_ns() {
  if (retry.jitter_ns == 0) return retry.interval_ns;
  return retry.interval_ns + choices_->between(random_stream(), 0, retry.jitter_ns);
}

std::string_view ClientProcess::make_token() {
  token_.clear();
  append_hexadecimal(token_);
  return token_;
}

/// 128 bits, all of them chosen.
void ClientProcess::append_hexadecimal(std::string& text) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::uint64_t alternatives = std::uint64_t{1} << 32U;
  const sim::Stream stream{sim::Purpose::token, static_cast<std::uint32_t>(id)};
  std::array<char, 32> written;
  std::size_t count = 0;
  for (int part = 0; part < 4; ++part) {
    const std::uint64_t bits = choices_->choose(stream, alternatives);
    for (unsigned shift = 32; shift > 0; shift -= 4) {
      written[count++] = digits[bits >> (shift - 4) & 15U];
    }
  }
  text.append(written.data(), count);
}

std::optional<std::uint32_t> ClientProcess::thread_of_owner(std::string_view text) const {
  for (std::size_t i = 0; i < owners_.size(); ++i) {
    if (owners_[i] == text) return static_cast<std::uint32_t>(i);
  }
  return std::nullopt;
}

void ClientProcess::report_failure(sim::ActorId actor, std::string_view what) {
  environment.trace.emit(now(), trace_kind::client_failed, actor, {{"error", what}});
  failures_.push_back(environment.trace.actor(actor).name + ": " + std::string(what));
}

void ClientProcess::report_script_failure(sim::ActorId actor, std::size_t script,
                                          std::string_view error) {
  // A client may try again and again: the first will do.
  if (!script_failure_.empty()) return;
  const std::optional<redis::ScriptMistake> mistake = redis::find_script_mistake(error);
  if (!mistake) return;
  script_failure_ =
      environment.trace.actor(actor).name + ": " + runtime.package.scripts[script].path + ":";
  if (mistake->line > 0) script_failure_ += std::to_string(mistake->line) + ":";
  script_failure_ += " " + std::string(mistake->what);
}

void ClientProcess::report_error(sim::ActorId actor, sim::HostId server, std::string_view label,
                                 std::string_view error) {
  // A lock may have error replies of its own, with a number in each.
  constexpr std::size_t errors_max = 16;
  const std::string_view text = error.substr(0, error.rfind(" script: "));
  const auto known = std::find_if(refused_.begin(), refused_.end(), [&](const Refused& each) {
    return each.actor == actor && each.server == server && each.label == label &&
           each.error == text;
  });
  if (known != refused_.end()) {
    ++known->times;
  } else if (refused_.size() < errors_max) {
    refused_.push_back({actor, server, std::string(label), std::string(text), 1});
  }
}

void ClientProcess::report_uncaught(sim::ActorId actor, std::string_view error) {
  for (Refused& each : refused_) {
    const bool is_this = each.actor == actor && error.find(each.error) != std::string_view::npos;
    each.is_uncaught = each.is_uncaught || is_this;
  }
}

std::string ClientProcess::request_failure(LockUse use) const {
  if (!script_failure_.empty()) return script_failure_;
  const auto told = std::find_if(refused_.begin(), refused_.end(), [&](const Refused& each) {
    // Another code tells of the server's state: NOREPLICAS, OOM.
    const bool is_of_request =
        each.error.starts_with("ERR ") || each.error.starts_with("WRONGTYPE ");
    const bool is_mistake = (use == LockUse::never_held && is_of_request) ||
                            (use == LockUse::undisturbed && takes_data_for_other(each.error)) ||
                            is_callers_mistake(each.error);
    // A client model may try a command that not every server has, and go on with another; where
    // nobody ever had the lock, none did.
    return is_mistake && (each.is_uncaught || use == LockUse::never_held ||
                          each.error.find(was_killed) != std::string::npos);
  });
  if (told == refused_.end()) return {};
  return environment.network.host(told->server).name() + " answered " +
         environment.trace.actor(told->actor).name + "'s " + told->label + " with '" + told->error +
         "' " + (told->times == 1 ? "once" : std::to_string(told->times) + " times") +
         (told->error.find(was_killed) == std::string::npos ? "" : ": it did not end by itself");
}

}  // namespace lockstep::model
