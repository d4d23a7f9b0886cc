// SET and what is short for it, and GETEX, which shares its options.
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/commands/set_options.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {
namespace {

/// SET … GET without an expiry: replicas get the command without the word GET.
void changed_without_get(Call& call) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (i < 3 || !equals_ignoring_case(call[i], "get")) words.push_back(call[i]);
  }
  call.changed_as(call[1], words);
}

void store(Call& call, Entry* present, std::string_view text, const SetOptions& options,
           std::optional<std::int64_t> moment) {
  Server& server = call.server();
  // Valkey does not store what is expired already.
  const bool is_dropped = moment && *moment <= call.now_ms() && server.role() == Role::master &&
                          call.origin() != Origin::master && server.version().server == "valkey";
  if (is_dropped) {
    if (present == nullptr) return;
    call.keys().erase(call.find(call[1]));
    return call.changed_as(call[1], {server.config().lazy_free_expire ? "UNLINK" : "DEL", call[1]});
  }
  Entry& entry = overwrite(call, present, call[1], text);
  if (moment || !options.keep_expiry) entry.expire_at_ms = moment;
  const VersionTraits& version = server.version();
  const bool is_as_spelt =
      version.replicates_relative_expiries ||
      (version.keeps_pxat_as_spelt && options.form == ExpireForm::unix_milliseconds);
  const bool gets_a_moment = moment && !is_as_spelt;
  if (gets_a_moment) {
    const IntegerText moment_text(*moment);
    constexpr std::size_t words_of_plain_set = 5;  // SET k v PX ms
    const bool is_spelt = version.replicates_set_as_spelt && call.spec().name == "set" &&
                          call.size() == words_of_plain_set;
    call.changed_as(call[1],
                    {is_spelt ? call[0] : "SET", call[1], text, "PXAT", moment_text.view()});
  } else if (options.give_old && !moment) {
    changed_without_get(call);
  } else {
    call.changed(call[1]);
  }
}

void set_for(Call& call, ExpireForm form) {
  const std::optional<std::int64_t> moment = read_expire_moment_ms(call, form, call[2]);
  if (!moment) return;
  store(call, call.lookup(call[1]), call[3], {}, moment);
  call.reply().status("OK");
}

}  // namespace

void set(Call& call) {
  const std::optional<SetOptions> options = read_set_options(call, OptionsOf::set, 3);
  if (!options) return;
  std::optional<std::int64_t> moment;
  if (options->form) {
    moment = read_expire_moment_ms(call, *options->form, options->amount);
    if (!moment) return;
  }
  Entry* const present = call.lookup(call[1]);
  if (options->give_old) {
    const auto* const old =
        present == nullptr ? nullptr : std::get_if<std::string>(&present->value);
    if (present != nullptr && old == nullptr) return call.reply_wrong_type();
    call.reply_bulk_or_null(old);
  }
  if (options->only_if_equal && present != nullptr &&
      std::get_if<std::string>(&present->value) == nullptr) {
    return call.reply_wrong_type();
  }
  const bool differs =
      options->only_if_equal &&
      (present == nullptr || std::get<std::string>(present->value) != *options->only_if_equal);
  const bool refused =
      differs || (present != nullptr ? options->only_if_absent : options->only_if_present);
  if (!refused) store(call, present, call[2], *options, moment);
  if (options->give_old) return;
  if (refused) {
    call.reply().null_bulk();
  } else {
    call.reply().status("OK");
  }
}

void delifeq(Call& call) {
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().integer(0);
  const auto* const text = std::get_if<std::string>(&position->second.value);
  if (text == nullptr) return call.reply_wrong_type();
  if (*text != call[2]) return call.reply().integer(0);
  call.keys().erase(position);
  call.changed_as(call[1], {"DEL", call[1]});
  call.reply().integer(1);
}

void setnx(Call& call) {
  const bool is_absent = call.lookup(call[1]) == nullptr;
  if (is_absent) store(call, nullptr, call[2], {}, std::nullopt);
  call.reply().integer(is_absent ? 1 : 0);
}

void setex(Call& call) { set_for(call, ExpireForm::seconds); }
void psetex(Call& call) { set_for(call, ExpireForm::milliseconds); }

void getex(Call& call) {
  const std::optional<SetOptions> options = read_set_options(call, OptionsOf::getex, 2);
  if (!options) return;
  std::optional<std::int64_t> moment;
  const auto read_moment = [&] {
    if (options->form) moment = read_expire_moment_ms(call, *options->form, options->amount);
    return !options->form || moment;
  };
  const bool is_time_first = call.server().version().reads_getex_time_first;
  if (is_time_first && !read_moment()) return;
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().null_bulk();
  Entry& entry = position->second;
  const auto* const text = std::get_if<std::string>(&entry.value);
  if (text == nullptr) return call.reply_wrong_type();
  if (!is_time_first && !read_moment()) return;
  call.reply().bulk(*text);
  if (moment && !is_relative(*options->form) && *moment <= call.now_ms() &&
      call.server().role() == Role::master) {
    call.keys().erase(position);
    call.changed_as(call[1], {call.server().config().lazy_free_expire ? "UNLINK" : "DEL", call[1]});
  } else if (moment) {
    entry.expire_at_ms = moment;
    call.changed_as(call[1], {"PEXPIREAT", call[1], IntegerText(*moment).view()});
  } else if (options->persist && entry.expire_at_ms) {
    entry.expire_at_ms.reset();
    call.changed_as(call[1], {"PERSIST", call[1]});
  }
}

}  // namespace lockstep::redis::commands
