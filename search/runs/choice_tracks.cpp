#include "search/runs/choice_tracks.h"

#include <algorithm>

namespace lockstep::search {
namespace {

constexpr unsigned bits_of_group = 7;
constexpr std::uint64_t group_mask = 0x7f;
constexpr std::uint64_t more_groups = 0x80;

template <typename Tracks>
auto track_of(Tracks& tracks, sim::Stream stream) {
  return std::find_if(tracks.begin(), tracks.end(),
                      [stream](const ChoiceTrack& each) { return each.stream == stream; });
}

}  // namespace

std::vector<ChoiceTrack> tracks_of(std::span<const sim::Choice> record) {
  std::vector<ChoiceTrack> tracks;
  for (const sim::Choice& choice : record) {
    auto track = track_of(tracks, choice.stream);
    if (track == tracks.end()) track = tracks.insert(tracks.end(), ChoiceTrack{choice.stream, {}});
    track->values.push_back(choice.value);
  }
  return tracks;
}

void append_number(std::string& bytes, std::uint64_t number) {
  for (; number > group_mask; number >>= bits_of_group) {
    bytes += static_cast<char>((number & group_mask) | more_groups);
  }
  bytes += static_cast<char>(number);
}

bool take_number(std::string_view& bytes, std::uint64_t& number) {
  std::uint64_t taken = 0;
  unsigned shift = 0;
  for (std::size_t i = 0; i < bytes.size() && shift < 64; ++i, shift += bits_of_group) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    const std::uint64_t group = byte & group_mask;
    if ((group << shift) >> shift != group) return false;
    taken |= group << shift;
    if ((byte & more_groups) != 0) continue;
    bytes.remove_prefix(i + 1);
    number = taken;
    return true;
  }
  return false;
}

void TrackChoices::reset(std::span<const ChoiceTrack> tracks) {
  tracks_ = tracks;
  next_.assign(tracks.size(), 0);
  seeded_.reset(0);
}

std::uint64_t TrackChoices::draw(sim::Stream stream, std::uint64_t count) {
  const auto track = track_of(tracks_, stream);
  if (track == tracks_.end()) return seeded_.choose(stream, count);
  std::size_t& next = next_[static_cast<std::size_t>(track - tracks_.begin())];
  if (next == track->values.size()) return seeded_.choose(stream, count);
  return track->values[next++] % count;
}

}  // namespace lockstep::search
