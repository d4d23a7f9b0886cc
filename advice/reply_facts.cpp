#include "advice/reply_facts.h"

#include <array>
#include <utility>

#include "lua/source/token_classes.h"

namespace lockstep::advice {
namespace {

using lua::is_one_of;

/// How many there are, or were taken away.
constexpr std::array<std::string_view, 5> lengths = {"hlen", "llen", "scard", "zcard", "strlen"};
constexpr std::array<std::string_view, 6> member_counts = {"hexists", "sismember", "hdel",
                                                           "srem",    "zrem",      "lrem"};
constexpr std::array<std::string_view, 3> creations = {"setnx", "hsetnx", "set"};
/// Replies that are 0 or 1.
constexpr std::array<std::string_view, 6> yes_or_no = {"exists", "hexists", "sismember",
                                                       "setnx",  "hsetnx",  "pexpire"};

Facts one(Fact::Kind kind, const ReplyOf& reply) { return {{kind, reply.key}}; }

/// The key is there, and so is the caller's own entry, where it was asked for.
Facts found(const ReplyOf& reply) {
  Facts facts = one(Fact::Kind::exists, reply);
  if (reply.has_argument) facts.push_back({Fact::Kind::compared, reply.key});
  return facts;
}

bool is_of_lease(const ReplyOf& reply) { return reply.command == "pttl" || reply.command == "ttl"; }

Facts facts_if_positive(const ReplyOf& reply) {
  if (is_one_of(reply.command, member_counts)) return found(reply);
  if (is_of_lease(reply)) {
    return {{Fact::Kind::exists, reply.key}, {Fact::Kind::leased, reply.key}};
  }
  if (reply.command == "exists" || is_one_of(reply.command, lengths) ||
      is_one_of(reply.command, creations)) {
    return one(Fact::Kind::exists, reply);
  }
  return {};
}

Facts facts_if_zero(const ReplyOf& reply) {
  if (is_one_of(reply.command, creations)) return one(Fact::Kind::not_written, reply);
  if (reply.command == "exists" || reply.command == "del" || reply.command == "unlink" ||
      is_one_of(reply.command, lengths)) {
    return one(Fact::Kind::absent, reply);
  }
  // A hold that was taken off and left nothing had been there, once.
  if (reply.is_decrement && reply.has_argument) return found(reply);
  return {};
}

Facts facts_if_equal(const ReplyOf& reply, double number) {
  if (number == 0) return facts_if_zero(reply);
  if (number > 0) return facts_if_positive(reply);
  const bool says_absent = is_of_lease(reply) && number == -2;
  return says_absent ? one(Fact::Kind::absent, reply) : Facts{};
}

Facts facts_if_different(const ReplyOf& reply, double number) {
  if (number == 0) return is_of_lease(reply) ? Facts{} : facts_if_positive(reply);
  if (number == 1 && is_one_of(reply.command, yes_or_no)) return facts_if_zero(reply);
  if (is_of_lease(reply) && number == -1) return one(Fact::Kind::leased, reply);
  const bool says_there = is_of_lease(reply) && number == -2;
  return says_there ? one(Fact::Kind::exists, reply) : Facts{};
}

}  // namespace

ComparisonFacts compare_with_number(const ReplyOf& reply, std::string_view operator_text,
                                    double number) {
  if (operator_text == "==") {
    return {facts_if_equal(reply, number), facts_if_different(reply, number)};
  }
  if (operator_text == "~=") {
    return {facts_if_different(reply, number), facts_if_equal(reply, number)};
  }
  const bool is_above =
      (operator_text == ">" && number >= 0) || (operator_text == ">=" && number >= 1);
  const bool is_a_ttl =
      (operator_text == ">" && number >= -1) || (operator_text == ">=" && number >= 0);
  if (is_of_lease(reply) && is_a_ttl) return {facts_if_positive(reply), {}};
  // What was taken off may have left less than nothing: nobody's hold.
  const bool splits_at_zero = !reply.is_decrement && ((operator_text == ">" && number == 0) ||
                                                      (operator_text == ">=" && number == 1));
  if (is_above) {
    return {facts_if_positive(reply), splits_at_zero ? facts_if_zero(reply) : Facts{}};
  }
  const bool is_below =
      (operator_text == "<=" && number == 0) || (operator_text == "<" && number == 1);
  if (reply.is_decrement) return {};
  // -1 and -2 are below it, and a TTL is not.
  if (is_of_lease(reply) && operator_text == "<" && number >= 0) {
    return {{}, facts_if_positive(reply)};
  }
  if (is_below) return {facts_if_zero(reply), facts_if_positive(reply)};
  return {};
}

ComparisonFacts compare_with_lease(const ReplyOf& reply, std::string_view operator_text) {
  if (!is_of_lease(reply)) return {};
  const bool is_above = operator_text == ">" || operator_text == ">=";
  return is_above ? ComparisonFacts{facts_if_positive(reply), {}}
                  : ComparisonFacts{{}, facts_if_positive(reply)};
}

ComparisonFacts take_as_condition(const ReplyOf& reply) {
  if (reply.command == "get" || reply.command == "getdel" || reply.command == "getset") {
    return {one(Fact::Kind::exists, reply), one(Fact::Kind::absent, reply)};
  }
  if (reply.command == "hget" || reply.command == "zscore" || reply.command == "zrank") {
    return {found(reply), {}};
  }
  if (reply.command == "set") {
    return {one(Fact::Kind::exists, reply), one(Fact::Kind::not_written, reply)};
  }
  return {};
}

}  // namespace lockstep::advice
