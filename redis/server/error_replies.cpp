#include "redis/server/error_replies.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "redis/server/version_traits.h"

namespace lockstep::redis {
namespace {

constexpr std::size_t shown_bytes_max = 128;

/// What C's printf would show of a text with `%.*s`: up to a length, and to the first zero byte.
std::string_view shown(std::string_view text, std::size_t bytes_max) {
  return as_c_string(text.substr(0, bytes_max));
}

/// An error is one line.
std::string on_one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  return text;
}

/// "Try PUBSUB HELP."; the parent's name is what stands before a '|'.
std::string try_help(std::string_view parent) {
  std::string text = "Try ";
  for (const char letter : parent.substr(0, parent.find('|'))) {
    text += static_cast<char>(letter - 'a' + 'A');
  }
  return text + " HELP.";
}

}  // namespace

std::string unknown_command(const CommandSpec* parent, std::span<const std::string_view> words,
                            const VersionTraits& version) {
  std::string text = "ERR unknown ";
  if (parent != nullptr) {
    text += "subcommand '";
    text += shown(words[1], shown_bytes_max);
    text += "'. ";
    text += try_help(parent->name);
    return on_one_line(std::move(text));
  }
  std::string beginning;
  for (std::size_t i = 1; i < words.size() && beginning.size() < shown_bytes_max; ++i) {
    const std::size_t bytes_left = shown_bytes_max - beginning.size();
    beginning += version.has_old_refusals ? '`' : '\'';
    beginning += shown(words[i], bytes_left);
    beginning += version.has_old_refusals ? "`, " : "' ";
  }
  text += version.has_old_refusals ? "command `" : "command '";
  text += shown(words[0], shown_bytes_max);
  text += version.has_old_refusals ? '`' : '\'';
  text += ", with args beginning with: ";
  text += beginning;
  return on_one_line(std::move(text));
}

std::string wrong_arity(const CommandSpec& spec) {
  return "ERR wrong number of arguments for '" + std::string(spec.name) + "' command";
}

std::string wrong_subcommand_arity(const CommandSpec& spec, std::span<const std::string_view> words,
                                   const VersionTraits& version) {
  std::string text = version.has_old_refusals ? "ERR Unknown" : "ERR unknown";
  text += " subcommand or wrong number of arguments for '";
  text += shown(words[1], version.has_old_refusals ? words[1].size() : shown_bytes_max);
  text += "'. ";
  text += try_help(spec.name);
  if (version.has_old_refusals && spec.name.starts_with("client")) text.pop_back();
  return on_one_line(std::move(text));
}

namespace {

struct OldWords {
  std::string_view command;
  std::string_view text;
  std::string_view old;
};

constexpr std::string_view old_range = "ERR index out of range";
constexpr std::string_view old_key_count =
    "ERR at least 1 input key is needed for ZUNIONSTORE/ZINTERSTORE";

/// 6.0's.
constexpr std::array old_words{
    OldWords{"mset", "ERR wrong number of arguments for 'mset' command",
             "ERR wrong number of arguments for MSET"},
    OldWords{"msetnx", "ERR wrong number of arguments for 'msetnx' command",
             "ERR wrong number of arguments for MSET"},
    OldWords{"lpos", zero_rank,
             "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second, ..."},
    OldWords{"move", not_an_integer, old_range},
    OldWords{"move", not_an_int, old_range},
    OldWords{"move", no_such_database, old_range},
    OldWords{"select", not_an_integer, "ERR invalid DB index"},
    OldWords{"spop", not_positive, old_range},
    OldWords{"zunionstore", "ERR at least 1 input key is needed for 'zunionstore' command",
             old_key_count},
    OldWords{"zinterstore", "ERR at least 1 input key is needed for 'zinterstore' command",
             old_key_count},
};

}  // namespace

std::string_view reworded(const VersionTraits& version, std::string_view command,
                          std::string_view text) {
  if (!version.has_old_refusals) return text;
  const auto found = std::find_if(old_words.begin(), old_words.end(), [&](const OldWords& each) {
    return each.command == command && each.text == text;
  });
  return found == old_words.end() ? text : found->old;
}

std::string not_allowed_while_subscribed(const CommandSpec& spec, const VersionTraits& version) {
  if (version.has_old_refusals) {
    return "ERR Can't execute '" + std::string(spec.name.substr(0, spec.name.find('|'))) +
           "': only (P)SUBSCRIBE / (P)UNSUBSCRIBE / PING / QUIT are allowed in this context";
  }
  return "ERR Can't execute '" + std::string(spec.name) +
         "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this "
         "context";
}

}  // namespace lockstep::redis
