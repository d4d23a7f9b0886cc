// What Redis leaves open, put in order before a comparison: replies in the order of a hash table,
// and replies drawn at random.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/redis/comparison/resp_message.h"

namespace lockstep::redis::test {

/// Whether hashes and sorted sets may have left their small form, which keeps an order, for ever.
enum class CompactEncodings : std::uint8_t { kept, left };

/// Takes out of a reply what Redis leaves open for this request; `words` are also those of the
/// commands that the request executes (EXEC).
void normalize_reply(const std::vector<std::string>& words, CompactEncodings forms,
                     RespMessage& reply);

/// Takes out what is compared with 7.0 only, being for people to read: the texts of HELP, how
/// values are kept (OBJECT ENCODING), and the last part of a release's number.
void normalize_for_other_versions(const std::vector<std::string>& words, RespMessage& reply);

/// Whether a request can make a hash or sorted set leave its small form.
[[nodiscard]] CompactEncodings compact_encodings_after(const std::vector<std::string>& words);

/// Whether a request may delete expired keys in the order of a hash table (SCAN).
[[nodiscard]] bool deletes_in_any_order(const std::vector<std::string>& words);

/// Whether a random choice of this request shows in the data, so that both servers differ after it.
[[nodiscard]] bool leaves_random_data(const std::vector<std::string>& words);

}  // namespace lockstep::redis::test
