// What happened: structured events with a rolling 64-bit hash.
//
// Every event feeds the hash, so two runs with equal hashes went the same way. Text is kept only if
// a sink is attached; without one an event costs some tens of nanoseconds and no allocation.
//
// The kernel knows no vocabulary: an event's kind and fields are names that the emitter chooses.
// sim/trace_kinds.h lists what the kernel itself emits, model/trace_vocabulary.h everything.
//
// The hash is a chain of words of 64 bits. One is taken in by a step that loses nothing: two runs
// that differ once never come to the same hash by the same words. Names are told apart by codes
// that the compiler works out, since hashing their text would be half of the work.
//   event := time  actor + fields · 2^32  XXH3(kind)  field…
//   field := FNV-1a(name) ^ number | FNV-1a(name) ^ XXH3(text)
//   step  := h ← (h ^ word) · 0x9e3779b97f4a7c15; h ← h ^ (h >> 32)
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/time.h"

namespace lockstep::sim {

/// The subject of an event: a host, a thread, a resource, the faults. Index into Trace::actors().
enum class ActorId : std::uint32_t {};
/// Nobody: an event of the simulation itself.
inline constexpr ActorId no_actor{UINT32_MAX};

/// A lane of the timeline.
struct Actor {
  std::string name;   ///< unique: "a/1", "n1", "resource", "faults"
  std::string kind;   ///< "client", "client-thread", "redis", "resource", "faults"
  std::string group;  ///< lanes of one group are drawn side by side: the client, the shard
};

/// A field's name with its code for the hash: FNV-1a, 64 bits.
class FieldName {
 public:
  template <std::size_t size>
  consteval FieldName(const char (&literal)[size])
      : text_(literal, size - 1), code_(code_of(text_)) {}
  constexpr FieldName(std::string_view text) : text_(text), code_(code_of(text)) {}

  [[nodiscard]] constexpr std::string_view text() const { return text_; }
  [[nodiscard]] constexpr std::uint64_t code() const { return code_; }

 private:
  [[nodiscard]] static constexpr std::uint64_t code_of(std::string_view text) {
    std::uint64_t code = 14695981039346656037ULL;
    for (const char character : text) {
      code = (code ^ static_cast<unsigned char>(character)) * 1099511628211ULL;
    }
    return code;
  }

  std::string_view text_;
  std::uint64_t code_;
};

/// A named value of an event. The name is a literal; text is copied by sinks, not by the event.
struct Field {
  std::string_view name;
  std::uint64_t name_code;
  std::variant<std::int64_t, std::string_view> value;

  template <std::integral Number>
  Field(FieldName field_name, Number number)
      : Field(field_name, Value(std::in_place_index<0>, static_cast<std::int64_t>(number))) {}
  Field(FieldName field_name, std::string_view text)
      : Field(field_name, Value(std::in_place_index<1>, text)) {}
  Field(FieldName field_name, const char* text) : Field(field_name, std::string_view(text)) {}
  Field(FieldName field_name, const std::string& text)
      : Field(field_name, std::string_view(text)) {}

 private:
  using Value = std::variant<std::int64_t, std::string_view>;
  Field(FieldName field_name, Value field_value)
      : name(field_name.text()), name_code(field_name.code()), value(field_value) {}
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
  /// Sets the sink; nullptr clears it. Does not own it.
  void set_sink(TraceSink* sink) { sink_ = sink; }
  /// Starts a new run's hash; keeps actors and sink.
  void reset();

 private:
  std::vector<Actor> actors_;
  std::uint64_t hash_ = 0;
  std::uint64_t event_count_ = 0;
  TraceSink* sink_ = nullptr;
};

}  // namespace lockstep::sim
