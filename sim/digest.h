// A digest of a state of the simulation: what the rest of a run depends on, as one 128-bit number.
//
// Each owner of a part of the state writes it here as a sequence of words: numbers and texts by
// content, instants relative to the next event's, so that the same situation later is the same
// state. Things that have a number only as an identity (a connection, a timer, a request, a Lua
// object) are *named*: the first one written is 0, the next 1, and so on. Two states that differ
// only in such numbers are therefore the same. Pointers may identify things to be named; they never
// enter the digest themselves.
//
// A part that can't be compared soundly calls `mark_unmergeable()`: the digest then contains the
// run's history (the trace's rolling hash), and the state is merged only with those of the same
// history.
//
// A digest keeps its memory between uses: once warm, it allocates nothing.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sim/time.h"

namespace lockstep::sim {

class Network;
enum class ConnectionId : std::uint32_t;

/// What is named, each kind with names of its own. `owner` tells those of several hosts apart.
enum class NamedKind : std::uint8_t {
  connection,
  flight,
  message,
  timer,    ///< owner: the host's actor
  pause,    ///< owner: the host's actor
  request,  ///< owner: the host that asks
  fiber,    ///< owner: the client
  session,  ///< owner: the node
  history,  ///< a replication id
  strike,   ///< one time that a fault strikes
  lua_object,
};

/// Which properties of clocks and servers are observed, and hence part of the state.
struct DigestGrain {
  /// Wall clocks that read the same modulo this are alike; 0: nobody may be told another time.
  DurationNs wall_clock_ns = millisecond_ns;
  /// Clocks of hosts are compared: how much they are off is part of it.
  bool compares_wall_clocks = false;
  /// Monotonic clocks are read, too: their readings are part of the state.
  bool reads_monotonic_clocks = false;
  /// What a server tells of itself and of its connections (INFO, CLIENT LIST) is part of it.
  bool asks_servers = false;
  /// Texts may decide an order (SORT, HGETALL): no part of the state; clients of which it matters
  /// whose token is the less are not alike.
  bool orders_texts = false;
  /// The same where members of a sorted set have the same score (ZRANGE, ZRANK, ZPOPMIN).
  bool orders_scores = false;
  /// SCAN and its like: where members of a set have their places.
  bool scans = false;
  /// Some wall clock may be set back: what is over by it may lie ahead again.
  bool clocks_go_back = true;
  /// Somebody may want a stream of changes: how far it is matters.
  bool replicates = true;
};

class Digest {
 public:
  struct Value {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
  };
  /// A part of what was written: from this word on.
  struct Part {
    std::string_view name;
    std::size_t begin;
  };

  /// Starts a new digest. `now`: the instant that others are relative to. `history`: the trace's
  /// hash.
  void begin(TimeNs now, std::uint64_t history, const Network& network, const DigestGrain& grain);
  [[nodiscard]] Value value() const;

  [[nodiscard]] TimeNs now() const { return now_; }
  [[nodiscard]] const DigestGrain& grain() const { return grain_; }
  /// For the hosts that follow.
  void set_wall_clock_grain(DurationNs grain_ns) { grain_.wall_clock_ns = grain_ns; }
  [[nodiscard]] const Network& network() const { return *network_; }

  template <std::integral Number>
  void add(Number number) {
    words_.push_back(static_cast<std::uint64_t>(number));
  }
  template <typename Enum>
  requires std::is_enum_v<Enum>
  void add(Enum value) { words_.push_back(static_cast<std::uint64_t>(value)); }
  void add(double number);
  void add(std::string_view text);
  template <typename Value>
  void add(const std::optional<Value>& value) {
    add(value.has_value());
    if (value) add(*value);
  }
  /// An instant of true time, relative to now. All past instants are alike.
  void add_instant(TimeNs at) {
    words_.push_back(at == never_ns ? ~std::uint64_t{0}
                     : at <= now_   ? 0
                                    : static_cast<std::uint64_t>(at - now_));
  }

  /// Counts that only grow (of a stream's bytes) are relative to an origin, and nobody will ask for
  /// what came before `oldest`.
  void set_stream(std::int64_t origin, std::int64_t oldest) {
    origin_ = origin;
    oldest_ = oldest;
  }
  void add_offset(std::int64_t offset) {
    add(offset < 0 ? ~std::int64_t{0} >> 1 : offset - origin_);
  }
  [[nodiscard]] std::int64_t oldest_offset() const { return oldest_; }

  /// The name of a thing.
  void name(NamedKind kind, std::uint64_t owner, std::uint64_t number);
  void name(NamedKind kind, std::uint64_t number) { name(kind, 0, number); }
  /// A connection by its name, and what there is to say of it where it had none (network.h).
  void add_connection(ConnectionId connection);
  void add_connection(const std::optional<ConnectionId>& connection) {
    add(connection.has_value());
    if (connection) add_connection(*connection);
  }
  /// The name of a request, by its number and the connection that it went by; 0 is none.
  void add_request(ConnectionId connection, std::uint64_t number);
  /// The same, and whether this is its first time here: then its content is to follow, once.
  [[nodiscard]] bool is_new(NamedKind kind, std::uint64_t number);
  /// The name of a thing that has one.
  [[nodiscard]] std::optional<std::uint32_t> find_name(NamedKind kind, std::uint64_t number) const;
  /// Keeps this state apart from all with another history.
  void mark_unmergeable() { is_unmergeable_ = true; }

  /// Scratch memory for sorting before writing: empty; one user at a time.
  [[nodiscard]] std::vector<std::uint32_t>& memory() {
    memory_.clear();
    return memory_;
  }

  /// What follows is of this part, by a literal: so that two states can be compared part by part.
  void begin_part(std::string_view part) { parts_.push_back({part, words_.size()}); }
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }
  /// The digest of one of the parts alone.
  [[nodiscard]] std::uint64_t value_of_part(std::size_t part) const;
  [[nodiscard]] bool is_unmergeable() const { return is_unmergeable_; }

 private:
  struct Entry {
    std::uint64_t owner = 0;
    std::uint64_t number = 0;
    std::uint32_t use = 0;  // the use of this digest that named it; of an earlier one: free
    std::uint32_t name = 0;
    NamedKind kind = {};
  };
  struct Found {
    std::uint32_t name;
    bool is_new;
  };
  static constexpr std::size_t kinds = static_cast<std::size_t>(NamedKind::lua_object) + 1;

  Found find(NamedKind kind, std::uint64_t owner, std::uint64_t number);
  void grow();

  TimeNs now_ = 0;
  std::uint64_t history_ = 0;
  const Network* network_ = nullptr;
  DigestGrain grain_;
  std::int64_t origin_ = 0;
  std::int64_t oldest_ = 0;
  bool is_unmergeable_ = false;
  std::vector<std::uint64_t> words_;
  std::vector<Part> parts_;
  std::vector<std::uint32_t> memory_;
  // A table with open addressing, at most half full; nothing depends on the order in it.
  std::vector<Entry> names_;
  std::size_t named_ = 0;
  std::uint32_t use_ = 0;
  std::array<std::uint32_t, kinds> next_name_{};
};

}  // namespace lockstep::sim
