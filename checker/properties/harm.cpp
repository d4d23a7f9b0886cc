#include "checker/properties/harm.h"

#include <fmt/format.h>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

std::string describe_lost_update(const Names& names, const Access& write, const Access& last) {
  return fmt::format(
      "{} wrote resource \"{}\" at {} on the basis of version {}, but {} had made it version {} at "
      "{}: that update is lost",
      name_of(names, write.owner), name_of(names, write.resource), milliseconds(write.at.at_ns),
      write.version_seen, last.owner == write.owner ? "it" : name_of(names, last.owner),
      last.version_after, milliseconds(last.at.at_ns));
}

std::string describe_interleaving(const Names& names, const Access& write, const Access& last,
                                  const Access& read) {
  return fmt::format(
      "{} wrote resource \"{}\" at {}, between {}'s read at {} and the write at {} that belongs to "
      "it",
      name_of(names, last.owner), name_of(names, write.resource), milliseconds(last.at.at_ns),
      name_of(names, write.owner), milliseconds(read.at.at_ns), milliseconds(write.at.at_ns));
}

std::string describe_stale_token(const Names& names, const Access& write, const Access& highest) {
  return fmt::format(
      "resource \"{}\" accepted {}'s write with token {} at {}, though it had seen {}'s token {} "
      "at {}",
      name_of(names, write.resource), name_of(names, write.owner), *write.token,
      milliseconds(write.at.at_ns), name_of(names, highest.owner), *highest.token,
      milliseconds(highest.at.at_ns));
}

/// What the other access was, as evidence beside the write that did the harm.
std::string describe_other(const Names& names, const Access& other) {
  const std::string_view owner = name_of(names, other.owner);
  if (other.kind == AccessKind::read) return fmt::format("{} read it", owner);
  return fmt::format("{} wrote it: version {}", owner, other.version_after);
}

}  // namespace

void Harm::judge(const Run& run, Verdict& verdict) {
  resources_.clear();
  reads_.clear();
  violations_ = 0;
  const std::vector<Access>& accesses = run.observations.accesses;
  for (std::size_t index = 0; index < accesses.size(); ++index) {
    const Access& access = accesses[index];
    if (access.kind == AccessKind::write) judge_write(run, access, verdict);
    reads_.at(access.owner, access.resource) =
        access.kind == AccessKind::read ? ReadUnderWay{&access, index} : ReadUnderWay{};
    if (access.kind == AccessKind::refused_write) continue;
    Resource& resource = resources_.at(access.resource, no_name);
    if (access.kind == AccessKind::write) {
      resource.last_write = &access;
      resource.last_write_index = index;
    }
    if (access.token &&
        (resource.highest_token == nullptr || *access.token > *resource.highest_token->token)) {
      resource.highest_token = &access;
    }
  }
  verdict.summary += in_all(violations_, "harmful writes");
}

void Harm::judge_write(const Run& run, const Access& write, Verdict& verdict) {
  const Resource& resource = resources_.at(write.resource, no_name);
  const ReadUnderWay& under_way = reads_.at(write.owner, write.resource);
  const Access* last = resource.last_write;
  const Access* highest = resource.highest_token;
  if (write.token && highest != nullptr && *write.token < *highest->token) {
    add_violation(run, write, *highest, under_way.read,
                  describe_stale_token(run.names, write, *highest), verdict);
  } else if (last != nullptr && write.version_seen != last->version_after) {
    add_violation(run, write, *last, under_way.read, describe_lost_update(run.names, write, *last),
                  verdict);
  } else if (last != nullptr && last->owner != write.owner && under_way.read != nullptr &&
             under_way.index < resource.last_write_index) {
    add_violation(run, write, *last, under_way.read,
                  describe_interleaving(run.names, write, *last, *under_way.read), verdict);
  }
}

/// `by` is the access that the write should have heeded, `since` the read that the write belongs
/// to.
void Harm::add_violation(const Run& run, const Access& write, const Access& by, const Access* since,
                         std::string what, Verdict& verdict) {
  verdict.kind = VerdictKind::violated;
  if (++violations_ == 1) verdict.summary = what;
  if (violations_ > evidence_max / 2) return;
  verdict.evidence.push_back({describe_other(run.names, by), by.owner, by.at, std::nullopt});
  if (since == nullptr) {
    verdict.evidence.push_back({std::move(what), write.owner, write.at, std::nullopt});
  } else {
    verdict.evidence.push_back({std::move(what), write.owner, since->at, write.at});
  }
}

}  // namespace lockstep::checker
