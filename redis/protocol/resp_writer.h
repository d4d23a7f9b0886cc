// Writes replies as RESP2 or RESP3; resp.h reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "redis/protocol/reply_writer.h"

namespace lockstep::redis {

struct Reply;

/// Appends replies as bytes to a buffer that it does not own.
class RespWriter final : public ReplyWriter {
 public:
  explicit RespWriter(std::string& out, Protocol protocol = Protocol::resp2)
      : ReplyWriter(protocol), out_(out) {}
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
  void push(std::size_t count) override;

 private:
  [[nodiscard]] bool is_resp3() const { return protocol() == Protocol::resp3; }

  std::string& out_;
};

/// Writes a reply that was kept as a value, by a writer for the same protocol.
void write_reply(const Reply& reply, ReplyWriter& writer);

}  // namespace lockstep::redis
