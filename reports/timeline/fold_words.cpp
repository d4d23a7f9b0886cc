#include "reports/timeline/fold_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/text.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t actors_named_max = 2;
constexpr std::size_t folded_notes_characters_max = 110;
constexpr std::size_t round_min = 3;

struct NoteKindWords {
  NoteKind kind;
  std::string_view one;
  std::string_view many;
};

constexpr auto note_kind_words = std::to_array<NoteKindWords>({
    {NoteKind::wrong, "thing that went wrong", "things that went wrong"},
    {NoteKind::fault, "sign of a fault", "signs of faults"},
    {NoteKind::belief, "change of a belief", "changes of beliefs"},
    {NoteKind::majority, "change of a majority", "changes of a majority"},
    {NoteKind::grant, "grant", "grants"},
    {NoteKind::node_grant, "single-node grant", "single-node grants"},
    {NoteKind::taking_away, "lock taken away", "locks taken away"},
    {NoteKind::expiry, "lease that ends", "leases that end"},
    {NoteKind::lease_cut, "lease cut by another", "leases cut by others"},
    {NoteKind::release, "release", "releases"},
    {NoteKind::node_release, "single-node release", "single-node releases"},
    {NoteKind::loss, "lock lost", "locks lost"},
    {NoteKind::count, "change of the count", "changes of the count"},
    {NoteKind::queue, "change of the queue", "changes of the queue"},
    {NoteKind::write, "write", "writes"},
    {NoteKind::read, "read", "reads"},
    {NoteKind::failed_step, "failed step", "failed steps"},
    {NoteKind::ineffective_call, "release in vain", "releases in vain"},
    {NoteKind::renewal, "renewal", "renewals"},
    {NoteKind::refused_attempt, "refused try", "refused tries"},
    {NoteKind::watch, "step of watching the nodes", "steps of watching the nodes"},
});

std::string counted_notes(const Row& row, const NoteKindWords& words) {
  std::size_t times = 0;
  std::string actors;
  std::size_t named = 0;
  for (const FoldedNotes& each : row.folded_notes) {
    if (each.kind != words.kind) continue;
    times += each.times;
    ++named;
    if (each.actor.empty()) continue;
    actors += (actors.empty() ? "" : " and ") + each.actor;
  }
  if (times == 0) return {};
  std::string text = fmt::format("{} {}", times, times == 1 ? words.one : words.many);
  if (!actors.empty() && named <= actors_named_max) text += " of " + actors;
  return text;
}

/// " at n1, n3": which nodes' leases are new is seen nowhere else.
std::string where_renewed(const Row& row) {
  constexpr std::size_t nodes_named_max = 3;
  std::set<std::string> nodes;
  for (const FoldedNotes& each : row.folded_notes) {
    if (each.kind == NoteKind::renewal) nodes.insert(each.nodes.begin(), each.nodes.end());
  }
  std::string words;
  if (nodes.size() > nodes_named_max) return words;
  for (const std::string& node : nodes) words += (words.empty() ? " at " : ", ") + node;
  return words;
}

/// ", every 1,000 ms", where it is only one who does it again and again.
std::string how_often(const Row& row) {
  const auto is_renewal = [](const FoldedNotes& each) { return each.kind == NoteKind::renewal; };
  const auto found = std::find_if(row.folded_notes.begin(), row.folded_notes.end(), is_renewal);
  if (found == row.folded_notes.end() || found->times < round_min) return {};
  if (std::count_if(row.folded_notes.begin(), row.folded_notes.end(), is_renewal) > 1) return {};
  const auto rounds = static_cast<std::int64_t>(found->times) - 1;
  const sim::DurationNs apart = (found->last_ns - found->first_ns) / rounds;
  return ", every " + checker::milliseconds(apart);
}

}  // namespace

std::string folded_in_words(const Row& row, FoldWords words) {
  const bool is_one = row.folded == 1;
  const std::string moments = fmt::format("{} moment{}", row.folded, is_one ? "" : "s");
  const std::string until = is_one || words == FoldWords::few
                                ? ""
                                : ", until " + milliseconds_number(row.until_ns) + " ms";
  std::string folded_notes;
  for (const NoteKindWords& counted : note_kind_words) {
    std::string text = counted_notes(row, counted);
    if (text.empty()) continue;
    if (counted.kind == NoteKind::renewal) text += where_renewed(row) + how_often(row);
    if (!folded_notes.empty()) folded_notes += ", ";
    if (folded_notes.size() + text.size() > folded_notes_characters_max) {
      folded_notes += "\u2026";
      break;
    }
    folded_notes += text;
  }
  if (folded_notes.empty() && row.has_messages) {
    return moments + " of messages on their way" + until;
  }
  if (folded_notes.empty()) {
    return moments + " without effect on the lock" + until;
  }
  if (words == FoldWords::few) return folded_notes;
  return fmt::format("{} ({}{})", folded_notes, moments, until);
}

}  // namespace lockstep::reports
