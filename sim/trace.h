// What happened: structured events with a rolling 64-bit hash.
//
// Every event feeds the hash (XXH3 of a canonical little-endian encoding, chained through the
// seed), so two runs with equal hashes went the same way. Text is kept only if a sink is attached;
// without one an event costs some tens of nanoseconds and no allocation.
//
// The kernel knows no vocabulary: an event's kind and fields are names that the emitter chooses.
// sim/trace_kinds.h lists what the kernel itself emits, model/trace_vocabulary.h everything.
//
// The encoding of an event that is hashed, all numbers little-endian:
//   event := time:i64 actor:u32 text(kind) fields:u32 field…
//   field := text(name) 0:u8 number:i64 | text(name) 1:u8 text(value)
//   text  := length:u32 byte…
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/time.h"

namespace lockstep::sim {

/// Who an event is about: a host, a thread, a resource, the faults. Index into Trace::actors().
enum class ActorId : std::uint32_t {};
/// Nobody: an event of the simulation itself.
inline constexpr ActorId no_actor{UINT32_MAX};

/// A lane of the timeline.
struct Actor {
  std::string name;   ///< unique: "a/1", "n1", "resource", "faults"
  std::string kind;   ///< "client", "client-thread", "redis", "resource", "faults"
  std::string group;  ///< lanes of one group are drawn side by side: the client, the shard
};

/// A named value of an event. The name is a literal; text is copied by sinks, not by the event.
struct Field {
  std::string_view name;
  std::variant<std::int64_t, std::string_view> value;

  template <std::integral Number>
  Field(std::string_view field_name, Number number)
      : name(field_name), value(static_cast<std::int64_t>(number)) {}
  Field(std::string_view field_name, std::string_view text) : name(field_name), value(text) {}
  Field(std::string_view field_name, const char* text)
      : name(field_name), value(std::string_view(text)) {}
  Field(std::string_view field_name, const std::string& text)
      : name(field_name), value(std::string_view(text)) {}
};

/// An event as sinks see it; views are valid during the call only.
struct EventView {
  std::uint64_t sequence;  ///< 0, 1, 2, …
  TimeNs at;
  std::string_view kind;
  ActorId actor;
  std::span<const Field> fields;
  std::uint64_t hash;  ///< the rolling hash after this event
};

class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void on_event(const EventView& event) = 0;
};

class Trace {
 public:
  /// Adds a lane; actors stay over reset().
  ActorId add_actor(Actor actor);
  [[nodiscard]] const std::vector<Actor>& actors() const { return actors_; }
  [[nodiscard]] const Actor& actor(ActorId id) const {
    return actors_[static_cast<std::uint32_t>(id)];
  }
  void clear_actors() { actors_.clear(); }

  void emit(TimeNs at, std::string_view kind, ActorId actor, std::initializer_list<Field> fields);

  [[nodiscard]] std::uint64_t hash() const { return hash_; }
  [[nodiscard]] std::uint64_t event_count() const { return event_count_; }
  /// True where text is wanted: an emitter may skip costly descriptions otherwise, but never a
  /// field that feeds the hash. (Fields that differ with and without a sink would make hashes
  /// differ.)
  [[nodiscard]] bool has_sink() const { return sink_ != nullptr; }
  /// At most one; null takes it away. Does not own it.
  void set_sink(TraceSink* sink) { sink_ = sink; }
  /// Starts a new run's hash; keeps actors and sink.
  void reset();

 private:
  std::vector<Actor> actors_;
  std::vector<unsigned char> large_event_;  // the encoding of an event that is larger than usual
  std::uint64_t hash_ = 0;
  std::uint64_t event_count_ = 0;
  TraceSink* sink_ = nullptr;
};

}  // namespace lockstep::sim
