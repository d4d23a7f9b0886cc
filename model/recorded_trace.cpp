#include "model/recorded_trace.h"

namespace lockstep::model {

std::int64_t RecordedEvent::number(std::string_view field, std::int64_t otherwise) const {
  for (const auto& [name, value] : fields) {
    if (name == field) {
      const auto* found = std::get_if<std::int64_t>(&value);
      return found != nullptr ? *found : otherwise;
    }
  }
  return otherwise;
}

std::string_view RecordedEvent::text(std::string_view field) const {
  for (const auto& [name, value] : fields) {
    if (name == field) {
      const auto* found = std::get_if<std::string>(&value);
      return found != nullptr ? std::string_view(*found) : std::string_view();
    }
  }
  return {};
}

void TraceRecorder::on_event(const sim::EventView& event) {
  RecordedEvent& recorded = events_.emplace_back();
  recorded.at = event.at;
  recorded.kind = event.kind;
  recorded.actor = event.actor;
  recorded.hash = event.hash;
  recorded.fields.reserve(event.fields.size());
  for (const sim::Field& field : event.fields) {
    std::variant<std::int64_t, std::string> value;
    if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
      value = *number;
    } else {
      value = std::string(std::get<std::string_view>(field.value));
    }
    recorded.fields.emplace_back(std::string(field.name), std::move(value));
  }
}

}  // namespace lockstep::model
