#include "model/faults/strike_effects.h"

#include <algorithm>

#include "checker/check.h"
#include "model/client/client.h"

namespace lockstep::model {

std::uint64_t StrikeEffects::bit_of(std::size_t place) {
  return std::uint64_t{1} << std::min<std::size_t>(place, 63);
}

const std::vector<Mattered>& StrikeEffects::judge(const StrikeFacts& facts,
                                                  std::span<const StrikeSpan> spans,
                                                  std::size_t fault_count) {
  mattered_.assign(fault_count, Mattered::no);
  if (spans.empty()) return mattered_;
  bits_of_owner_.assign(facts.run.names.size(), 0);
  for (std::size_t client = 0; client < facts.clients.size(); ++client) {
    for (std::size_t thread = 0; thread < facts.clients[client]->thread_count(); ++thread) {
      const checker::NameId owner = facts.clients[client]->owner(thread);
      bits_of_owner_[static_cast<std::size_t>(owner)] = bit_of(client);
    }
  }
  for (const StrikeSpan& span : spans) {
    Mattered& known = mattered_[span.fault];
    if (known == Mattered::to_holders) continue;
    known = std::max(known, mattered({facts, span, spans, bits_of_owner_, waited_until_}));
  }
  return mattered_;
}

bool StrikeQuestion::concerns(checker::NameId owner) const {
  if (span.clients == 0) return true;
  const auto place = static_cast<std::size_t>(owner);
  return place < bits_of_owner.size() && (bits_of_owner[place] & span.clients) != 0;
}

bool StrikeQuestion::meets(const checker::Moment& from, const checker::Moment& until) const {
  return from.at_ns <= span.until_ns && span.from_ns <= until.at_ns;
}

sim::TimeNs StrikeQuestion::since(const checker::Moment& from) const {
  return std::max(from.at_ns, span.from_ns);
}

}  // namespace lockstep::model
