#include "tests/redis/comparison/reply_normalization.h"

#include <algorithm>
#include <array>
#include <span>

#include "redis/protocol/letter_case.h"

namespace lockstep::redis::test {
namespace {

/// In the order of a hash table with a random seed.
constexpr std::array<std::string_view, 10> unordered{
    "keys",  "smembers", "channels", "shardchannels", "scan",
    "sscan", "sinter",   "sunion",   "sdiff",         "list"};
/// In that order only once they had more than 512 fields, or one longer than 64 bytes.
constexpr std::array<std::string_view, 5> unordered_when_large{"hgetall", "hkeys", "hvals", "hscan",
                                                               "zscan"};
/// Drawn at random.
constexpr std::array<std::string_view, 5> random{"randomkey", "srandmember", "hrandfield",
                                                 "zrandmember", "spop"};

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) letter = lower_case(letter);
  return lower;
}

/// Whether a text stands in quotes in a script.
bool calls(std::string_view script, std::string_view name) {
  for (std::size_t at = script.find(name); at != std::string_view::npos;
       at = script.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : script[at - 1];
    if (before == '\'' || before == '"') return true;
  }
  return false;
}

/// Whether a word is one of the names, or a script among the words calls one.
bool mentions(const std::vector<std::string>& words, std::span<const std::string_view> names) {
  for (const std::string& word : words) {
    const std::string lower = in_lower_case(word);
    for (const std::string_view name : names) {
      if (lower == name || calls(lower, name)) return true;
    }
  }
  return false;
}

void put_in_order(RespMessage& reply) {
  for (RespMessage& element : reply.elements) put_in_order(element);
  std::sort(reply.elements.begin(), reply.elements.end(),
            [](const RespMessage& a, const RespMessage& b) { return describe(a) < describe(b); });
}

/// Keeps the shape only.
void blur(RespMessage& reply) {
  if (reply.kind == '-') return;
  if (!reply.is_null) reply.text = "?";
  for (RespMessage& element : reply.elements) blur(element);
}

void blur_encoding(RespMessage& reply) {
  // 9.1 of Valkey keeps the numbers of scripts as texts.
  constexpr std::array<std::string_view, 6> names{"listpack",  "ziplist", "quicklist",
                                                  "hashtable", "embstr",  "int"};
  const bool is_name =
      reply.text == "raw" || std::find(names.begin(), names.end(), reply.text) != names.end();
  if (is_name) blur(reply);
}

/// UNSUBSCRIBE of everything leaves the channels in the order of a hash table.
void forget_channel(const std::vector<std::string>& words, RespMessage& reply) {
  constexpr std::array<std::string_view, 3> names{"unsubscribe", "punsubscribe", "sunsubscribe"};
  const bool is_of_all = words.size() == 1 && mentions(words, names);
  if (is_of_all && reply.elements.size() == 3) blur(reply.elements[1]);
}

/// Connections are numbered over all that a server ever had.
void forget_client_number(const std::vector<std::string>& words, RespMessage& reply) {
  if (reply.kind == ':' && mentions(words, std::array<std::string_view, 1>{"client"})) blur(reply);
  for (std::size_t i = 0; i + 1 < reply.elements.size(); ++i) {
    if (reply.elements[i].text == "id") blur(reply.elements[i + 1]);
  }
  for (RespMessage& element : reply.elements) forget_client_number(words, element);
}

}  // namespace

void normalize_reply(const std::vector<std::string>& words, CompactEncodings forms,
                     RespMessage& reply) {
  if (mentions(words, random)) blur(reply);
  forget_channel(words, reply);
  forget_client_number(words, reply);
  if (mentions(words, unordered)) put_in_order(reply);
  if (forms == CompactEncodings::left && mentions(words, unordered_when_large)) put_in_order(reply);
}

void normalize_for_other_versions(const std::vector<std::string>& words, RespMessage& reply) {
  constexpr std::array<std::string_view, 1> encoding{"encoding"};
  if (mentions(words, encoding)) blur_encoding(reply);
  const bool is_help =
      std::any_of(reply.elements.begin(), reply.elements.end(),
                  [](const RespMessage& line) { return line.text.ends_with("Subcommands are:"); });
  if (is_help) {
    reply.elements.resize(1);
    blur(reply);
  }
  // Within a script, Valkey counts the replicas that have acknowledged by then.
  if (reply.kind == ':' && words.size() > 1 && calls(words[1], "wait")) blur(reply);
  if (reply.text == "8.0.6") reply.text = "8.0.2";
  for (RespMessage& element : reply.elements) normalize_for_other_versions(words, element);
}

CompactEncodings compact_encodings_after(const std::vector<std::string>& words) {
  constexpr std::size_t listpack_bytes_max = 64;
  const bool has_long = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > listpack_bytes_max;
  });
  // Fields that expire stand in the order in which they do, or in that of a hash table.
  constexpr std::array<std::string_view, 1> fields{"fields"};
  return has_long || mentions(words, fields) ? CompactEncodings::left : CompactEncodings::kept;
}

bool deletes_in_any_order(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 1> names{"scan"};
  return mentions(words, names);
}

bool leaves_random_data(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 1> names{"spop"};
  return mentions(words, names);
}

}  // namespace lockstep::redis::test
