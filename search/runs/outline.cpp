#include "search/runs/outline.h"

#include <variant>

#include "model/trace_vocabulary.h"
#include "sim/mixing.h"

namespace lockstep::search {
namespace {

namespace model_kind = model::trace_kind;

std::uint64_t taken_in(std::uint64_t hash, std::string_view text) {
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 1099511628211U;  // FNV-1a
  }
  return sim::mix(hash);
}

bool varies(std::string_view field) { return field == "arguments" || field == "reply"; }

}  // namespace

void OutlineSink::on_event(const sim::EventView& event) {
  begin(event.kind, event.actor);
  for (const sim::Field& field : event.fields) {
    const auto* text = std::get_if<std::string_view>(&field.value);
    if (text != nullptr) add(field.name, *text);
  }
  end(event.at);
}

void OutlineSink::begin(std::string_view kind, sim::ActorId actor) {
  what_ = taken_in(static_cast<std::uint32_t>(actor), kind);
  is_change_ = kind == model_kind::lock_changed || kind == model_kind::queue_changed;
  place_ = what_;
}

void OutlineSink::add(std::string_view field, std::string_view text) {
  if (varies(field)) return;
  what_ = taken_in(what_, text);
  if (field == "lock") place_ = taken_in(place_, text);
  if (field == "holders" || field == "owners") owners_ = taken_in(0, text);
}

void OutlineSink::end(sim::TimeNs at) {
  if (is_change_) {
    std::uint64_t& before = owners_at_[place_];
    what_ = sim::mixed(what_, before);
    before = owners_;
  }
  outline_.push_back({what_, at});
}

}  // namespace lockstep::search
