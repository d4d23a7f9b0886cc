#include "reports/timeline/timeline_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

namespace lockstep::reports {
namespace {

bool arrives(const Flight& flight) {
  return flight.fate == Fate::arrived || flight.fate == Fate::waits;
}

bool crosses(const Scene& scene, const Flight& flight) {
  const auto is_client = [&](LaneIndex lane) {
    return scene.lanes[lane].kind == LaneKind::client_thread;
  };
  return is_client(flight.from) != is_client(flight.to);
}

class LabelWriter {
 public:
  LabelWriter(const Scene& scene, const model::RecordedTrace& trace, const Rows& rows)
      : scene_(scene), trace_(trace), rows_(rows), labels_(scene.flights.size()) {}

  std::vector<std::string> write() {
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      if (!is_drawn(scene_.flights[i])) continue;
      labels_[i] = scene_.flights[i].label;
      if (scene_.flights[i].fate == Fate::waits) labels_[i] += ", read later";
    }
    join_bunches();
    join_what_lies_on_each_other();
    return std::move(labels_);
  }

 private:
  [[nodiscard]] std::size_t row_of(EventIndex event) const {
    return rows_.row_at(trace_.events[event].at);
  }
  [[nodiscard]] bool is_drawn(const Flight& flight) const {
    if (rows_.all().empty()) return false;
    const auto is_folded = [&](EventIndex event) {
      return rows_.is_folded(trace_.events[event].at);
    };
    return !is_folded(flight.sent) && (!arrives(flight) || !is_folded(flight.ended));
  }

  void join_bunches() {
    using Bunch = std::tuple<LaneIndex, std::size_t, Fate, std::string>;
    std::map<Bunch, std::vector<std::size_t>> bunches;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const Flight& flight = scene_.flights[i];
      if (flight.is_reply || labels_[i].empty()) continue;
      bunches[{flight.from, row_of(flight.sent), flight.fate, labels_[i]}].push_back(i);
    }
    if (bunches.empty()) return;
    // Also those that are not drawn, since their ends are folded away.
    std::map<std::tuple<LaneIndex, std::size_t, std::string>, std::set<LaneIndex>> sent_to;
    for (const Flight& flight : scene_.flights) {
      if (flight.is_reply || rows_.is_folded(trace_.events[flight.sent].at)) continue;
      sent_to[{flight.from, row_of(flight.sent), flight.label}].insert(flight.to);
    }
    for (const auto& [bunch, members] : bunches) {
      const Flight& first = scene_.flights[members.front()];
      const auto& receivers = sent_to[{first.from, row_of(first.sent), first.label}];
      if (members.size() < 2 || receivers.size() < 2) continue;
      for (const std::size_t i : members) labels_[i].clear();
      // Of what was lost the last has the most room, beyond what stands at the sender.
      const bool is_lost = std::get<Fate>(bunch) == Fate::lost;
      std::string& label = labels_[is_lost ? members.back() : members.front()];
      label = std::get<std::string>(bunch);
      const bool is_to_clients = scene_.lanes[*receivers.begin()].kind == LaneKind::client_thread;
      if (is_lost) continue;
      label += fmt::format(" to {} {}", receivers.size(), is_to_clients ? "clients" : "nodes");
    }
  }

  void join_what_lies_on_each_other() {
    std::set<std::tuple<std::size_t, std::size_t, bool, std::string>> known;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const Flight& flight = scene_.flights[i];
      if (labels_[i].empty() || !arrives(flight) || !crosses(scene_, flight)) continue;
      const bool is_from_client = scene_.lanes[flight.from].kind == LaneKind::client_thread;
      const bool is_new =
          known.emplace(row_of(flight.sent), row_of(flight.ended), is_from_client, labels_[i])
              .second;
      if (!is_new) labels_[i].clear();
    }
  }

  const Scene& scene_;
  const model::RecordedTrace& trace_;
  const Rows& rows_;
  std::vector<std::string> labels_;
};

}  // namespace

std::vector<std::string> labels_of(const Scene& scene, const model::RecordedTrace& trace,
                                   const Rows& rows) {
  return LabelWriter(scene, trace, rows).write();
}

std::int64_t common_area(const Box& one, const Box& other) {
  const Tenths width = std::min(one.right, other.right) - std::max(one.left, other.left);
  const Tenths height = std::min(one.bottom, other.bottom) - std::max(one.top, other.top);
  return width <= 0 || height <= 0 ? 0 : std::int64_t{width} * height;
}

Point place_on_slope(Point from, Point to, Tenths width, Tenths height,
                     const std::vector<Box>& taken) {
  constexpr Tenths steps = 12;
  const Tenths whole = std::abs(to.x - from.x);
  const Tenths first = std::min(width / 2 + 20, whole / 2);  // from an end to the label's middle
  Point best = from;
  std::int64_t least = -1;
  // On the slope, else a little above or below it.
  for (const Tenths aside : {0, -height / 2, height / 2, -height, height}) {
    for (Tenths step = 0; step <= steps; ++step) {
      const Tenths along = first + (whole - 2 * first) * step / steps;
      const Tenths x = to.x > from.x ? from.x + along : from.x - along;
      const Tenths slope =
          whole == 0 ? 0 : static_cast<Tenths>(std::int64_t{to.y - from.y} * along / whole);
      const Tenths y = from.y + slope + aside;
      const Box box{x - width / 2, y - height / 2, x + width / 2, y + height / 2};
      std::int64_t covered = 0;
      for (const Box& each : taken) covered += common_area(box, each);
      if (covered == 0) return {x, y};
      if (least < 0 || covered < least) {
        least = covered;
        best = {x, y};
      }
    }
  }
  return best;
}

}  // namespace lockstep::reports
