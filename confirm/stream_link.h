// The replication stream on its way from a real master to a real replica, held until the simulation
// lets it through, and compared with the simulated stream request by request.
//
// Servers add PING and REPLCONF GETACK to the stream by their own timers. They are delivered but
// not compared. Offsets therefore differ between the real and the simulated stream; real_offset_of
// translates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::confirm {

class StreamLink {
 public:
  /// A link that begins with `answer`, the real master's answer to PSYNC, possibly followed by a
  /// snapshot. Its stream continues from these offsets.
  StreamLink(std::string answer, std::int64_t real_offset, std::int64_t simulated_offset);

  /// Bytes that came from the real master.
  void receive(std::string_view bytes);
  /// Bytes that the simulated master wrote.
  void expect(std::string_view bytes);
  /// The offset up to which bytes came from the real master.
  [[nodiscard]] std::int64_t received_offset() const { return received_offset_; }

  struct Mismatch {
    std::string simulated;  ///< a request as text; empty: none
    std::string real;
  };
  /// The first request in which the streams differ. REQUIRES: all that the real master has written
  /// was received.
  [[nodiscard]] std::optional<Mismatch> compare();
  /// Requests found equal so far.
  [[nodiscard]] std::uint64_t equal_requests() const { return equal_requests_; }

  /// The real bytes that the replica gets when the simulated one gets `simulated_bytes`, including
  /// the answer if it was not delivered yet. REQUIRES: compare() found none.
  [[nodiscard]] std::string hand_over(std::string_view simulated_bytes);
  /// The replica's offset once it has applied what was delivered.
  [[nodiscard]] std::int64_t handed_over_offset() const { return handed_over_offset_; }
  /// The simulated replica's acknowledgement reached its master: the real offset to acknowledge.
  [[nodiscard]] std::int64_t acknowledge(std::int64_t simulated_offset);
  [[nodiscard]] std::int64_t real_offset_of(std::int64_t simulated_offset) const;
  /// The real offset to acknowledge next, if the replica has acknowledged everything except what
  /// the real master added by itself. REQUIRES: compare() found none.
  [[nodiscard]] std::optional<std::int64_t> acknowledge_housekeeping();

 private:
  struct Request {
    std::string bytes;
    std::string text;
    bool is_housekeeping;
    std::int64_t offset_after;
  };
  /// Cuts bytes of a stream into requests.
  static void cut(std::string& bytes, std::int64_t& offset, std::deque<Request>& requests);

  std::string answer_;
  std::string real_bytes_;       // of a request that is not complete
  std::string simulated_bytes_;  // the same
  std::string wanted_bytes_;     // the same, of what is handed over
  std::int64_t received_offset_;
  std::int64_t real_offset_;       // after the last complete request
  std::int64_t simulated_offset_;  // the same
  std::int64_t handed_over_offset_;
  std::deque<Request> real_;       // to be compared
  std::deque<Request> simulated_;  // to be compared
  std::deque<Request> ready_;      // compared, to be handed over
  struct Offsets {
    std::int64_t simulated;
    std::int64_t real;
  };

  std::vector<Offsets> offsets_;   // at the beginning and after each request compared, ascending
  std::int64_t acknowledged_ = 0;  // of the simulated stream
  std::int64_t real_acknowledged_ = 0;  // of the real one
  std::uint64_t equal_requests_ = 0;
};

}  // namespace lockstep::confirm
