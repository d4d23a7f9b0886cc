#include "reports/fold_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/text.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t doers_named_max = 2;
constexpr std::size_t deeds_characters_max = 110;
constexpr std::size_t round_min = 3;

struct DeedWords {
  Deed deed;
  std::string_view one;
  std::string_view many;
};

constexpr auto deed_words = std::to_array<DeedWords>({
    {Deed::wrong, "thing that went wrong", "things that went wrong"},
    {Deed::fault, "sign of a fault", "signs of faults"},
    {Deed::belief, "change of a belief", "changes of beliefs"},
    {Deed::majority, "change of a majority", "changes of a majority"},
    {Deed::grant, "grant", "grants"},
    {Deed::taking_away, "lock taken away", "locks taken away"},
    {Deed::expiry, "lease that ends", "leases that end"},
    {Deed::release, "release", "releases"},
    {Deed::loss, "lock lost", "locks lost"},
    {Deed::count, "change of the count", "changes of the count"},
    {Deed::queue, "change of the queue", "changes of the queue"},
    {Deed::write, "write", "writes"},
    {Deed::read, "read", "reads"},
    {Deed::vain_call, "release in vain", "releases in vain"},
    {Deed::renewal, "renewal", "renewals"},
    {Deed::refused_try, "refused try", "refused tries"},
    {Deed::watch, "step of watching the nodes", "steps of watching the nodes"},
});

std::string counted_deeds(const Row& row, const DeedWords& words) {
  std::size_t times = 0;
  std::string doers;
  std::size_t named = 0;
  for (const FoldedDeed& each : row.deeds) {
    if (each.deed != words.deed) continue;
    times += each.times;
    ++named;
    if (each.doer.empty()) continue;
    doers += (doers.empty() ? "" : " and ") + each.doer;
  }
  if (times == 0) return {};
  std::string text = fmt::format("{} {}", times, times == 1 ? words.one : words.many);
  if (!doers.empty() && named <= doers_named_max) text += " of " + doers;
  return text;
}

/// ", every 1,000 ms", where it is only one who does it again and again.
std::string how_often(const Row& row) {
  const auto is_renewal = [](const FoldedDeed& each) { return each.deed == Deed::renewal; };
  const auto found = std::find_if(row.deeds.begin(), row.deeds.end(), is_renewal);
  if (found == row.deeds.end() || found->times < round_min) return {};
  if (std::count_if(row.deeds.begin(), row.deeds.end(), is_renewal) > 1) return {};
  const auto rounds = static_cast<std::int64_t>(found->times) - 1;
  const sim::DurationNs apart = (found->last_ns - found->first_ns) / rounds;
  return ", every " + checker::milliseconds(apart);
}

}  // namespace

std::string folded_in_words(const Row& row) {
  const std::string until = milliseconds_number(row.until_ns);
  std::string deeds;
  for (const DeedWords& words : deed_words) {
    std::string text = counted_deeds(row, words);
    if (text.empty()) continue;
    if (words.deed == Deed::renewal) text += how_often(row);
    if (!deeds.empty()) deeds += ", ";
    if (deeds.size() + text.size() > deeds_characters_max) {
      deeds += "\u2026";
      break;
    }
    deeds += text;
  }
  if (deeds.empty() && row.has_messages) {
    return fmt::format("{} moments of messages on their way, until {} ms", row.folded, until);
  }
  if (deeds.empty()) {
    return fmt::format("{} moments without effect on the lock, until {} ms", row.folded, until);
  }
  return fmt::format("{} ({} moments, until {} ms)", deeds, row.folded, until);
}

}  // namespace lockstep::reports
