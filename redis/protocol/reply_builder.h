// Builds Reply values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/protocol/reply_writer.h"

namespace lockstep::redis {

/// Writes one reply into a Reply, whose memory it reuses.
class ReplyBuilder final : public ReplyWriter {
 public:
  explicit ReplyBuilder(Reply& target, Protocol protocol = Protocol::resp2)
      : ReplyWriter(protocol), target_(&target) {}
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
  struct OpenArray {
    Reply* array;
    std::size_t filled;
  };
  Reply& next(Reply::Kind kind);
  void open(Reply::Kind kind, std::size_t count);

  Reply* target_;                ///< null once something was written
  std::vector<OpenArray> open_;  ///< arrays still missing elements, innermost last
};

}  // namespace lockstep::redis
