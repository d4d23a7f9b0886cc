#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/commands/commands.h"
#include "redis/commands/set_options.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

using Text = Call::Typed<std::string>;

bool any_exists(Call& call) {
  for (std::size_t i = 1; i < call.size(); i += 2) {
    if (call.lookup(call[i]) != nullptr) return true;
  }
  return false;
}

void set_pairs(Call& call) {
  for (std::size_t i = 1; i < call.size(); i += 2) {
    overwrite(call, call[i], call[i + 1]).expire_at_ms.reset();
    call.changed(call[i]);
  }
}

/// MSETEX count key value … [NX|XX] [EX|PX|EXAT|PXAT amount|KEEPTTL]: where the options begin;
/// replies and returns nothing where there are no so many keys.
std::optional<std::size_t> options_after_pairs(Call& call) {
  const std::optional<std::int64_t> count = parse_integer(call[1]);
  if (!count || *count < 1 || *count > std::numeric_limits<std::int32_t>::max()) {
    call.reply().error("ERR invalid numkeys value or out of range");
    return std::nullopt;
  }
  const std::size_t first = 2 + 2 * static_cast<std::size_t>(*count);
  if (first <= call.size()) return first;
  call.reply_syntax_error();
  return std::nullopt;
}

/// The call, with its time said as a moment. `first`: where its options begin.
std::vector<std::string_view> with_moment(Call& call, const SetOptions& options, std::size_t first,
                                          std::string_view moment) {
  std::vector<std::string_view> words(call.words().begin(), call.words().end());
  if (!options.form || *options.form == ExpireForm::unix_milliseconds) return words;
  for (std::size_t i = first; i + 1 < words.size(); ++i) {
    const std::string_view word = words[i];
    const bool is_form = equals_ignoring_case(word, "ex") || equals_ignoring_case(word, "px") ||
                         equals_ignoring_case(word, "exat");
    if (!is_form) continue;
    words[i] = "PXAT";
    words[++i] = moment;
  }
  return words;
}

}  // namespace

void msetex(Call& call) {
  const std::optional<std::size_t> end = options_after_pairs(call);
  if (!end) return;
  const auto options = read_set_options(call, OptionsOf::msetex, *end);
  if (!options) return;
  std::optional<std::int64_t> moment;
  if (options->form) {
    moment = read_expire_moment_ms(call, *options->form, options->amount);
    if (!moment) return;
  }
  for (std::size_t i = 2; i < *end; i += 2) {
    const bool is_there = call.lookup(call[i]) != nullptr;
    if (is_there ? options->only_if_absent : options->only_if_present) {
      return call.reply().integer(0);
    }
  }
  const IntegerText moment_text(moment.value_or(0));
  const std::vector<std::string_view> words = with_moment(call, *options, *end, moment_text.view());
  for (std::size_t i = 2; i < *end; i += 2) {
    Entry& entry = overwrite(call, call[i], call[i + 1]);
    if (!options->keep_expiry) entry.expire_at_ms = moment;
    if (i == 2) {
      call.changed_as(call[i], words, (*end - 2) / 2);
    } else {
      call.touched(call[i]);
    }
  }
  call.reply().integer(1);
}

void get(Call& call) {
  const Text found = call.lookup_as<std::string>(call[1]);
  if (!found.wrong_type) call.reply_bulk_or_null(found.value);
}

void getdel(Call& call) {
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().null_bulk();
  const auto* const text = std::get_if<std::string>(&position->second.value);
  if (text == nullptr) return call.reply_wrong_type();
  call.reply().bulk(*text);
  call.keys().erase(position);
  call.changed_as(call[1], {"DEL", call[1]});
}

void getset(Call& call) {
  const Text found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  call.reply_bulk_or_null(found.value);
  overwrite(call, call[1], call[2]).expire_at_ms.reset();
  if (call.server().version().replicates_getset) return call.changed(call[1]);
  call.changed_as(call[1], {"SET", call[1], call[2]});
}

void mget(Call& call) {
  call.reply().array(call.size() - 1);
  for (const std::string_view key : call.words().subspan(1)) {
    const Entry* const entry = call.lookup(key);
    call.reply_bulk_or_null(entry == nullptr ? nullptr : std::get_if<std::string>(&entry->value));
  }
}

void mset(Call& call) {
  if (call.size() % 2 == 0) return call.reply_wrong_arity();
  set_pairs(call);
  call.reply().status("OK");
}

void msetnx(Call& call) {
  if (call.size() % 2 == 0) return call.reply_wrong_arity();
  if (any_exists(call)) return call.reply().integer(0);
  set_pairs(call);
  call.reply().integer(1);
}

void append(Call& call) {
  constexpr std::size_t bytes_max = std::size_t{512} * 1024 * 1024;
  const Text found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  if (found.value != nullptr && found.value->size() + call[2].size() > bytes_max) {
    return call.reply().error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  }
  Entry& entry = found.entry != nullptr ? *found.entry : call.keys().create<std::string>(call[1]);
  if (found.entry != nullptr) entry.form = StringEncoding::raw;
  auto& text = std::get<std::string>(entry.value);
  text.append(call[2]);
  call.changed(call[1]);
  call.reply().integer(static_cast<std::int64_t>(text.size()));
}

void strlen(Call& call) {
  const Text found = call.lookup_as<std::string>(call[1]);
  if (found.wrong_type) return;
  call.reply().integer(found.value == nullptr ? 0 : static_cast<std::int64_t>(found.value->size()));
}

}  // namespace lockstep::redis::commands
