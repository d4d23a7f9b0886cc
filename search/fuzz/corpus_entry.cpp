#include "search/fuzz/corpus_entry.h"

#include <array>
#include <charconv>

#include "scenario/file/write_scenario.h"
#include "sim/versions.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace lockstep::search {
namespace {

constexpr std::string_view entry_format = "lockstep choices ";
constexpr int hexadecimal = 16;
constexpr std::size_t digest_digits = 16;

std::string digits_of(std::uint64_t digest) {
  constexpr unsigned bits_of_digit = 4;
  std::string digits(digest_digits, '0');
  for (std::size_t i = digest_digits; i-- > 0; digest >>= bits_of_digit) {
    digits[i] = "0123456789abcdef"[digest & 0xfU];
  }
  return digits;
}

/// Takes words off the front of an entry's first line.
class HeaderWords {
 public:
  explicit HeaderWords(std::string_view line) : rest_(line) {}

  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool take_decimal(int& number) {
    const char* const end = rest_.data() + rest_.size();
    const auto [stopped_at, error] = std::from_chars(rest_.data(), end, number);
    if (error != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(stopped_at - rest_.data()));
    return true;
  }
  bool take_digest(std::uint64_t& digest) {
    if (rest_.size() < digest_digits) return false;
    const char* const end = rest_.data() + digest_digits;
    const auto [stopped_at, error] = std::from_chars(rest_.data(), end, digest, hexadecimal);
    if (error != std::errc{} || stopped_at != end) return false;
    rest_.remove_prefix(digest_digits);
    return true;
  }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

bool take_track(std::string_view& bytes, ChoiceTrack& track) {
  std::uint64_t purpose = 0;
  std::uint64_t owner = 0;
  std::uint64_t count = 0;
  if (!take_number(bytes, purpose) || !take_number(bytes, owner) || !take_number(bytes, count)) {
    return false;
  }
  // Each value is one byte at least: no count makes this reserve more than there is.
  if (purpose > static_cast<std::uint64_t>(sim::last_purpose) || owner > UINT32_MAX ||
      count > bytes.size()) {
    return false;
  }
  track.stream = {static_cast<sim::Purpose>(purpose), static_cast<std::uint32_t>(owner)};
  track.values.resize(count);
  for (std::uint64_t& value : track.values) {
    if (!take_number(bytes, value)) return false;
  }
  return true;
}

std::uint64_t checksum_of(std::string_view header, std::string_view body) {
  std::string all(header);
  all += body;
  return digest_of(all);
}

}  // namespace

std::uint64_t digest_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::uint64_t digest_of(const scenario::Scenario& scenario) {
  return digest_of(std::string_view(scenario::write_scenario(scenario)));
}

std::string entry_name(std::string_view bytes) { return digits_of(digest_of(bytes)); }

std::string write_entry(const CorpusEntry& entry) {
  std::string body;
  for (const ChoiceTrack& track : entry.tracks) {
    append_number(body, static_cast<std::uint64_t>(track.stream.purpose));
    append_number(body, track.stream.owner);
    append_number(body, track.values.size());
    for (const std::uint64_t value : track.values) append_number(body, value);
  }
  std::string bytes(entry_format);
  bytes += std::to_string(corpus_entry_version);
  bytes += " model=";
  bytes += std::to_string(model_version);
  bytes += " scenario=";
  bytes += digits_of(entry.scenario_digest);
  bytes += " lock=";
  bytes += digits_of(entry.lock_digest);
  bytes += " checksum=";
  bytes += digits_of(checksum_of(bytes, body));
  bytes += '\n';
  bytes += body;
  return bytes;
}

ReadEntry read_entry(std::string_view bytes) {
  ReadEntry read;
  const auto refuse = [&read](std::string_view why) {
    read.entry = {};
    read.complaint = why;
    return read;
  };
  if (bytes.empty()) return refuse("it is empty");
  if (bytes.size() > entry_bytes_max) return refuse("it is larger than any entry");
  const std::size_t line_feed = bytes.find('\n');
  HeaderWords words(bytes.substr(0, line_feed));
  int format = 0;
  int version = 0;
  if (line_feed == std::string_view::npos || !words.take(entry_format) ||
      !words.take_decimal(format)) {
    return refuse("it is no entry of a corpus");
  }
  if (format != corpus_entry_version) return refuse("its format is another");
  if (!words.take(" model=") || !words.take_decimal(version) || !words.take(" scenario=") ||
      !words.take_digest(read.entry.scenario_digest) || !words.take(" lock=") ||
      !words.take_digest(read.entry.lock_digest) || !words.take(" checksum=") ||
      words.rest().size() != digest_digits) {
    return refuse("its first line is damaged");
  }
  std::string_view body = bytes.substr(line_feed + 1);
  const std::string_view header = bytes.substr(0, line_feed - digest_digits);
  if (digits_of(checksum_of(header, body)) != words.rest()) {
    return refuse("it is damaged: its checksum does not fit");
  }
  if (version != model_version) {
    return refuse("it was made by version " + std::to_string(version) + " of the model; this is " +
                  std::to_string(model_version));
  }
  while (!body.empty()) {
    if (!take_track(body, read.entry.tracks.emplace_back())) {
      return refuse("it is damaged: its choices are cut short");
    }
  }
  return read;
}

}  // namespace lockstep::search
