#include "redis/server/error_replies.h"

#include <algorithm>
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
  if (version.has_old_refusals && parent != nullptr) {
    std::string old = wrong_subcommand_arity(*parent, words);
    old.replace(0, 5, "ERR U");
    return old;
  }
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

std::string wrong_subcommand_arity(const CommandSpec& spec,
                                   std::span<const std::string_view> words) {
  std::string text = "ERR unknown subcommand or wrong number of arguments for '";
  text += shown(words[1], shown_bytes_max);
  text += "'. ";
  text += try_help(spec.name);
  return on_one_line(std::move(text));
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
