#include "sim/trace.h"

#include <cassert>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lockstep::sim {
namespace {

/// Takes a word in. Multiplication by an odd number and the shift can both be undone: no two hashes
/// become one.
constexpr std::uint64_t step(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32U);
}

std::uint64_t hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::uint64_t word_of(const Field& field) {
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
    return static_cast<std::uint64_t>(*number) ^ field.name_code;
  }
  return hash_of(*std::get_if<std::string_view>(&field.value)) ^ field.name_code;
}

}  // namespace

ActorId Trace::add_actor(Actor actor) {
  assert(actors_.size() < static_cast<std::uint32_t>(no_actor));
  actors_.push_back(std::move(actor));
  return ActorId{static_cast<std::uint32_t>(actors_.size() - 1)};
}

void Trace::emit(TimeNs at, std::string_view kind, ActorId actor,
                 std::initializer_list<Field> fields) {
  std::uint64_t hash = step(hash_, static_cast<std::uint64_t>(at));
  hash = step(hash, (std::uint64_t{fields.size()} << 32U) | static_cast<std::uint32_t>(actor));
  hash = step(hash, hash_of(kind));
  for (const Field& field : fields) hash = step(hash, word_of(field));
  hash_ = hash;
  const std::uint64_t sequence = event_count_++;
  if (sink_ != nullptr) {
    sink_->on_event({sequence, at, kind, actor, {fields.begin(), fields.size()}, hash_});
  }
}

void Trace::reset() {
  hash_ = 0;
  event_count_ = 0;
}

}  // namespace lockstep::sim
