// Writes a command's reply straight onto a Lua stack, as redis.call returns it.
//
// integer → number, bulk → string, nil → false (nil in RESP3), status → {ok=…}, array → table,
// error → {err=…, ignore_error_stats_update=true}. After redis.setresp(3) also map → {map={k=v}},
// set → {set={k=true}}, real → {double=…}, boolean → boolean, big number → {big_number=…}, verbatim
// text → {verbatim_string={format=…, string=…}}.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "redis/protocol/reply_writer.h"
#include "redis/scripting/script_context.h"

namespace lockstep::redis {

/// REQUIRES: lives within a Memory::Unlimited, so that nothing it pushes raises. Has no destructor.
class LuaReplyWriter final : public ReplyWriter {
 public:
  LuaReplyWriter(lua_State* state, ScriptContext& context);

  void integer(std::int64_t value) override;
  void bulk(std::string_view text) override;
  void null_bulk() override;
  void null_array() override;
  void status(std::string_view text) override;
  void error(std::string_view text) override;
  void array(std::size_t count) override;
  void map(std::size_t count) override;
  void set(std::size_t count) override;
  void real(double value) override;
  void boolean(bool value) override;
  void verbatim(std::string_view format, std::string_view text) override;
  void big_number(std::string_view digits) override;

  /// The whole reply is an error.
  [[nodiscard]] bool is_error() const { return is_error_; }

 private:
  void store();
  void null();
  void open(OpenReply::Kind kind, std::size_t count);
  [[nodiscard]] bool is_resp3() const { return context_.protocol == ScriptProtocol::resp3; }

  lua_State* state_;
  ScriptContext& context_;
  bool is_error_ = false;
};

/// Pushes an error as redis.call raises it: {err=text}.
void push_error_table(lua_State* state, std::string_view text);

/// As Redis makes an error from a text: "CODE message" stays, a single word becomes "ERR word";
/// line ends at the end go. Pushes the string.
void push_error_text(lua_State* state, std::string_view text);

/// An error of Redis 6.0's redis.call itself tells its place in the script.
void push_located_error_table(lua_State* state, std::string_view text);
/// Stands before the text of such an error where a ReplyWriter gets it.
inline constexpr char located_error_mark = '\x1f';

}  // namespace lockstep::redis
