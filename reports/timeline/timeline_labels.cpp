#include "reports/timeline/timeline_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <tuple>

#include "reports/drawing/picture_dot.h"
#include "reports/text.h"

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
    find_rounds();
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

  /// Requests of one sender that say the same and go to one receiver each, one soon after the
  /// other.
  void find_rounds() {
    constexpr sim::DurationNs apart_max = 5 * sim::millisecond_ns;
    struct Round {
      std::size_t number = 0;
      sim::TimeNs last_ns = 0;
      EventIndex last = 0;
      std::set<LaneIndex> receivers;
    };
    std::map<LaneIndex, std::vector<EventIndex>> replies;  // by who got them, when
    for (const Flight& flight : scene_.flights) {
      if (flight.is_reply && arrives(flight)) replies[flight.to].push_back(flight.ended);
    }
    for (auto& [lane, ended] : replies) std::sort(ended.begin(), ended.end());
    const auto got_reply = [&](LaneIndex lane, EventIndex after, EventIndex before) {
      const std::vector<EventIndex>& ended = replies[lane];
      const auto next = std::upper_bound(ended.begin(), ended.end(), after);
      return next != ended.end() && *next < before;
    };
    std::map<std::pair<LaneIndex, std::string>, Round> open;
    std::size_t rounds = 0;
    rounds_.reserve(scene_.flights.size());
    for (const Flight& flight : scene_.flights) {
      Round& round = open[{flight.from, flight.label}];
      const sim::TimeNs at = trace_.events[flight.sent].at;
      const bool goes_on = !round.receivers.empty() && at - round.last_ns <= apart_max &&
                           !round.receivers.contains(flight.to) &&
                           !got_reply(flight.from, round.last, flight.sent);
      if (!goes_on) round = {++rounds, at, flight.sent, {}};
      round.last_ns = at;
      round.last = flight.sent;
      round.receivers.insert(flight.to);
      rounds_.push_back(round.number);
    }
  }

  void join_bunches() {
    using Bunch = std::tuple<LaneIndex, std::size_t, Fate, std::string>;
    std::map<Bunch, std::vector<std::size_t>> bunches;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const Flight& flight = scene_.flights[i];
      if (flight.is_reply || labels_[i].empty()) continue;
      bunches[{flight.from, rounds_[i], flight.fate, labels_[i]}].push_back(i);
    }
    if (bunches.empty()) return;
    // Also those that are not drawn, since their ends are folded away.
    std::map<std::tuple<LaneIndex, std::size_t, std::string>, std::set<LaneIndex>> sent_to;
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const Flight& flight = scene_.flights[i];
      if (flight.is_reply || rows_.is_folded(trace_.events[flight.sent].at)) continue;
      sent_to[{flight.from, rounds_[i], flight.label}].insert(flight.to);
    }
    for (const auto& [bunch, members] : bunches) {
      const Flight& first = scene_.flights[members.front()];
      std::set<LaneIndex> receivers = sent_to[{first.from, std::get<1>(bunch), first.label}];
      if (first.fate == Fate::under_way) {  // what is said of these is not so of the others
        receivers.clear();
        for (const std::size_t i : members) receivers.insert(scene_.flights[i].to);
      }
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
  std::vector<std::size_t> rounds_;  // by flight
};

}  // namespace

std::vector<std::string> labels_of(const Scene& scene, const model::RecordedTrace& trace,
                                   const Rows& rows) {
  return LabelWriter(scene, trace, rows).write();
}

std::string flight_words(const Flight& flight, const std::string& label) {
  return flight.fate == Fate::under_way && !label.empty() ? label + " does not arrive" : label;
}

std::optional<Point> place_on_slope(Point from, Point to, Tenths width, Tenths height,
                                    const Obstacles& taken, std::int64_t owner) {
  constexpr Tenths steps = 24;
  const Tenths whole = std::abs(to.x - from.x);
  const Tenths first = std::min(width / 2 + 20, whole / 2);  // from an end to the label's middle
  // On the slope, else a little above or below it.
  const Tenths beside = height / 2 + 25;
  for (const Tenths aside : {0, -beside, beside, -2 * beside, 2 * beside}) {
    for (Tenths step = 0; step <= steps; ++step) {
      const Tenths along = first + (whole - 2 * first) * step / steps;
      const Tenths x = to.x > from.x ? from.x + along : from.x - along;
      const Tenths slope =
          whole == 0 ? 0 : static_cast<Tenths>(std::int64_t{to.y - from.y} * along / whole);
      const Tenths y = from.y + slope + aside;
      const Box box{x - width / 2, y - height / 2, x + width / 2, y + height / 2};
      if (taken.is_free(box, owner)) return Point{x, y};
    }
  }
  return std::nullopt;
}

std::vector<std::string> wrapped_to_width(const std::string& words, Tenths width, Tenths size,
                                          Weight weight) {
  constexpr std::size_t characters_min = 8;
  std::size_t characters = std::max(words.size(), characters_min);
  for (;; --characters) {
    std::vector<std::string> lines = wrapped(words, characters);
    const bool fits = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return boxed_width(line, size, weight) <= width;
    });
    if (fits) return lines;
    if (characters == characters_min) return {};
  }
}

}  // namespace lockstep::reports
