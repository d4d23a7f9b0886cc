#include "reports/rows.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>

namespace lockstep::reports {
namespace {

constexpr std::size_t essential_rows_for_each_row = 4;

using Instants = std::map<sim::TimeNs, Importance>;

void show(Instants& instants, sim::TimeNs at, Importance importance) {
  Importance& known = instants.emplace(at, Importance::routine).first->second;
  if (importance == Importance::essential) known = importance;
}

Instants instants_of(const Scene& scene, const model::RecordedTrace& trace) {
  Instants instants;
  const auto at = [&](EventIndex event) { return trace.events[event].at; };
  for (const Note& note : scene.notes) {
    if (!note.text.empty()) show(instants, at(note.event), note.importance);
  }
  for (const Flight& flight : scene.flights) {
    show(instants, at(flight.sent), flight.importance);
    const bool arrived = flight.fate == Fate::arrived || flight.fate == Fate::waits;
    if (arrived) show(instants, at(flight.ended), flight.importance);
  }
  for (const Bar& bar : scene.bars) {
    show(instants, at(bar.from), Importance::essential);
    if (bar.until) show(instants, at(*bar.until), Importance::essential);
  }
  if (scene.overlap) {
    show(instants, scene.overlap->from_ns, Importance::essential);
    show(instants, scene.overlap->until_ns, Importance::essential);
  }
  return instants;
}

/// The moment that a reader came for: where the overlap begins, else the last bad news, else the
/// end.
sim::TimeNs focus_of(const Scene& scene, const model::RecordedTrace& trace) {
  if (scene.overlap) return scene.overlap->from_ns;
  for (auto note = scene.notes.rbegin(); note != scene.notes.rend(); ++note) {
    if (note->tone == Tone::bad) return trace.events[note->event].at;
  }
  return trace.events.empty() ? 0 : trace.events.back().at;
}

}  // namespace

Rows::Rows(const Scene& scene, const model::RecordedTrace& trace, std::size_t rows_max) {
  std::vector<Moment> moments;
  for (const auto& [at, importance] : instants_of(scene, trace)) {
    moments.push_back({at, importance});
  }
  if (moments.size() > rows_max) {
    narrow(moments, focus_of(scene, trace), essential_rows_for_each_row * rows_max);
    fold(moments);
  } else {
    for (const Moment& moment : moments) rows_.push_back({moment.at, moment.at});
  }
}

/// Leaves only the essential moments nearest to the focus essential.
void Rows::narrow(std::vector<Moment>& moments, sim::TimeNs focus, std::size_t essential_max) {
  const auto is_essential = [](const Moment& moment) {
    return moment.importance == Importance::essential;
  };
  const auto essential = std::count_if(moments.begin(), moments.end(), is_essential);
  if (static_cast<std::size_t>(essential) <= essential_max) return;
  const auto after_focus =
      std::find_if(moments.begin(), moments.end(), [&](const Moment& m) { return m.at > focus; });
  const auto keep = [&](auto begin, auto end, std::size_t count) {
    for (auto moment = begin; moment != end; ++moment) {
      if (!is_essential(*moment)) continue;
      if (count > 0) {
        --count;
      } else {
        moment->importance = Importance::routine;
      }
    }
  };
  // What led there matters more than what followed: three quarters before, the rest after.
  keep(std::make_reverse_iterator(after_focus), moments.rend(), essential_max - essential_max / 4);
  keep(after_focus, moments.end(), essential_max / 4);
}

void Rows::fold(const std::vector<Moment>& moments) {
  for (std::size_t i = 0; i < moments.size();) {
    std::size_t end = i;
    while (end < moments.size() && moments[end].importance == Importance::routine) ++end;
    if (end - i >= 2) {
      rows_.push_back({moments[i].at, moments[end - 1].at, end - i});
      i = end;
    } else {
      rows_.push_back({moments[i].at, moments[i].at});
      ++i;
    }
  }
}

std::size_t Rows::folded() const {
  std::size_t count = 0;
  for (const Row& row : rows_) count += row.folded;
  return count;
}

std::size_t Rows::row_at(sim::TimeNs at) const {
  assert(!rows_.empty());
  const auto after =
      std::upper_bound(rows_.begin(), rows_.end(), at,
                       [](sim::TimeNs instant, const Row& row) { return instant < row.from_ns; });
  if (after == rows_.begin()) return 0;
  return static_cast<std::size_t>(after - rows_.begin()) - 1;
}

}  // namespace lockstep::reports
