#include "redis/commands/set_options.h"

#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {
namespace {

std::optional<ExpireForm> form_of(std::string_view word) {
  if (equals_ignoring_case(word, "px")) return ExpireForm::milliseconds;
  if (equals_ignoring_case(word, "ex")) return ExpireForm::seconds;
  if (equals_ignoring_case(word, "pxat")) return ExpireForm::unix_milliseconds;
  if (equals_ignoring_case(word, "exat")) return ExpireForm::unix_seconds;
  return std::nullopt;
}

/// Takes one of SET's own flags; false where the word is none or contradicts an earlier one.
bool take_set_flag(SetOptions& options, std::string_view word) {
  if (equals_ignoring_case(word, "nx")) {
    options.only_if_absent = true;
    return !options.only_if_present;
  }
  if (equals_ignoring_case(word, "xx")) {
    options.only_if_present = true;
    return !options.only_if_absent;
  }
  if (equals_ignoring_case(word, "get")) {
    options.give_old = true;
    return true;
  }
  if (equals_ignoring_case(word, "keepttl")) {
    options.keep_expiry = true;
    return !options.form;
  }
  return false;
}

bool take_flag(SetOptions& options, OptionsOf command, std::string_view word) {
  if (command == OptionsOf::set) return take_set_flag(options, word);
  if (command == OptionsOf::msetex) {
    return take_set_flag(options, word) && !options.give_old;
  }
  options.persist = true;
  return equals_ignoring_case(word, "persist") && !options.form;
}

}  // namespace

std::optional<SetOptions> read_set_options(Call& call, OptionsOf command, std::size_t first) {
  SetOptions options;
  for (std::size_t i = first; i < call.size(); ++i) {
    const VersionTraits& version = call.server().version();
    if (command == OptionsOf::set && version.compares_in_set && i + 1 < call.size() &&
        equals_ignoring_case(call[i], "ifeq")) {
      if (options.only_if_absent || options.only_if_present || options.only_if_equal) {
        call.reply_syntax_error();
        return std::nullopt;
      }
      options.only_if_equal = call[++i];
      continue;
    }
    const std::optional<ExpireForm> form = form_of(call[i]);
    const bool is_new = (form && !is_relative(*form)) || equals_ignoring_case(call[i], "get");
    if (command == OptionsOf::set && is_new && !version.has_set_get) {
      call.reply_syntax_error();
      return std::nullopt;
    }
    if (form) {
      const bool contradicts =
          options.keep_expiry || options.persist || (options.form && options.form != form);
      if (contradicts || ++i == call.size()) {
        call.reply_syntax_error();
        return std::nullopt;
      }
      options.form = form;
      options.amount = call[i];
    } else if (!take_flag(options, command, call[i])) {
      call.reply_syntax_error();
      return std::nullopt;
    }
  }
  if (options.only_if_equal && (options.only_if_absent || options.only_if_present)) {
    call.reply_syntax_error();
    return std::nullopt;
  }
  return options;
}

std::optional<std::int64_t> read_expire_moment_ms(Call& call, ExpireForm form,
                                                  std::string_view amount) {
  const std::optional<std::int64_t> number = parse_integer(amount);
  if (!number) {
    call.reply().error(not_an_integer);
    return std::nullopt;
  }
  std::optional<std::int64_t> moment;
  if (*number > 0) moment = expire_moment_ms(form, *number, call.now_ms());
  if (*number > 0 && !moment && call.server().version().wraps_around) {
    moment = wrapped_expire_moment_ms(form, *number, call.now_ms());
  }
  if (!moment) call.reply_invalid_expire_time();
  return moment;
}

Entry& overwrite(Call& call, std::string_view key, std::string_view text) {
  return overwrite(call, call.lookup(key), key, text);
}

Entry& overwrite(Call& call, Entry* present, std::string_view key, std::string_view text) {
  Entry& entry = present != nullptr ? *present : call.keys().create<std::string>(key);
  entry.form = StringEncoding::natural;
  if (auto* const old = std::get_if<std::string>(&entry.value)) {
    old->assign(text);
  } else {
    entry.value.emplace<std::string>(text);
  }
  return entry;
}

}  // namespace lockstep::redis
