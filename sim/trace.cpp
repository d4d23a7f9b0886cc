#include "sim/trace.h"

#include <array>
#include <cassert>
#include <cstring>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lockstep::sim {
namespace {

constexpr std::size_t usual_event_bytes = 512;

template <typename Number>
unsigned char* put_number(unsigned char* out, Number number) {
  for (std::size_t byte = 0; byte < sizeof number; ++byte) {  // compiles to one store
    out[byte] = static_cast<unsigned char>(number >> (8 * byte));
  }
  return out + sizeof number;
}

unsigned char* put_text(unsigned char* out, std::string_view text) {
  out = put_number(out, static_cast<std::uint32_t>(text.size()));
  if (!text.empty()) std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

unsigned char* put_field(unsigned char* out, const Field& field) {
  out = put_text(out, field.name);
  *out++ = static_cast<unsigned char>(field.value.index());
  if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
    return put_number(out, static_cast<std::uint64_t>(*number));
  }
  return put_text(out, *std::get_if<std::string_view>(&field.value));
}

/// At least as many bytes as the encoding takes.
std::size_t room_for(std::string_view kind, std::initializer_list<Field> fields) {
  constexpr std::size_t event_bytes = 8 + 4 + 4 + 4;
  constexpr std::size_t field_bytes = 4 + 1 + 8;
  std::size_t bytes = event_bytes + kind.size();
  for (const Field& field : fields) {
    bytes += field_bytes + field.name.size();
    if (const auto* text = std::get_if<std::string_view>(&field.value)) bytes += text->size();
  }
  return bytes;
}

}  // namespace

ActorId Trace::add_actor(Actor actor) {
  assert(actors_.size() < static_cast<std::uint32_t>(no_actor));
  actors_.push_back(std::move(actor));
  return ActorId{static_cast<std::uint32_t>(actors_.size() - 1)};
}

void Trace::emit(TimeNs at, std::string_view kind, ActorId actor,
                 std::initializer_list<Field> fields) {
  std::array<unsigned char, usual_event_bytes> usual_event;
  unsigned char* begin = usual_event.data();
  if (const std::size_t bytes = room_for(kind, fields); bytes > usual_event.size()) {
    if (large_event_.size() < bytes) large_event_.resize(bytes);
    begin = large_event_.data();
  }
  unsigned char* end = put_number(begin, static_cast<std::uint64_t>(at));
  end = put_number(end, static_cast<std::uint32_t>(actor));
  end = put_text(end, kind);
  end = put_number(end, static_cast<std::uint32_t>(fields.size()));
  for (const Field& field : fields) end = put_field(end, field);
  hash_ = XXH3_64bits_withSeed(begin, static_cast<std::size_t>(end - begin), hash_);
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
