#include "checker/properties/harm.h"

#include <fmt/format.h>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

std::string_view who_made(const Names& names, const Access& access) {
  return name_of(names, thread_of(access));
}

std::string describe_lost_update(const Names& names, const Access& write, const Access& last) {
  return fmt::format(
      "{} wrote resource \"{}\" at {} on the basis of version {}, but {} had made it version {} at "
      "{}: that update is lost",
      who_made(names, write), name_of(names, write.resource), milliseconds(write.at.at_ns),
      write.version_seen, last.owner == write.owner ? "it" : who_made(names, last),
      last.version_after, milliseconds(last.at.at_ns));
}

std::string describe_interleaving(const Names& names, const Access& write, const Access& last,
                                  const Access& read) {
  return fmt::format(
      "{} wrote resource \"{}\" at {}, between {}'s read at {} and the write at {} that belongs to "
      "it",
      who_made(names, last), name_of(names, write.resource), milliseconds(last.at.at_ns),
      who_made(names, write), milliseconds(read.at.at_ns), milliseconds(write.at.at_ns));
}

std::string describe_stale_token(const Names& names, const Access& write, const Access& highest) {
  return fmt::format(
      "resource \"{}\" accepted {}'s write with token {} at {}, though it had seen {}'s token {} "
      "at {}",
      name_of(names, write.resource), who_made(names, write), *write.token,
      milliseconds(write.at.at_ns), who_made(names, highest), *highest.token,
      milliseconds(highest.at.at_ns));
}

/// What the other access was, as evidence beside the write that did the harm.
std::string describe_other(const Names& names, const Access& other) {
  const std::string_view who = who_made(names, other);
  if (other.kind == AccessKind::read) return fmt::format("{} read it", who);
  return fmt::format("{} wrote it: version {}", who, other.version_after);
}

}  // namespace

void Harm::Foremost::put_first(const Access& next) {
  if (access != nullptr && access->owner != next.owner) of_others = access;
  access = &next;
}

const Access* Harm::Foremost::against(const Access& write) const {
  const bool is_by_another_thread_of_it =
      access != nullptr && access->owner == write.owner && thread_of(*access) != thread_of(write);
  return is_by_another_thread_of_it ? of_others : access;
}

void Harm::judge(const Run& run, Verdict& verdict) {
  resources_.clear();
  reads_.clear();
  violations_ = 0;
  for (const Access& access : run.observations.accesses) {
    if (access.kind == AccessKind::write) judge_write(run, access, verdict);
    reads_.at(thread_of(access), access.resource) =
        access.kind == AccessKind::read ? &access : nullptr;
    if (access.kind == AccessKind::refused_write) continue;
    Resource& resource = resources_.at(access.resource, no_name);
    if (access.kind == AccessKind::write) resource.last_write.put_first(access);
    if (access.token) note_token(resource.highest_token, access);
  }
  verdict.summary += in_all(violations_, "harmful writes");
}

void Harm::note_token(Foremost& highest, const Access& access) {
  if (highest.access == nullptr || *access.token > *highest.access->token) {
    highest.put_first(access);
    return;
  }
  const bool is_highest_of_others =
      access.owner != highest.access->owner &&
      (highest.of_others == nullptr || *access.token > *highest.of_others->token);
  if (is_highest_of_others) highest.of_others = &access;
}

void Harm::judge_write(const Run& run, const Access& write, Verdict& verdict) {
  const Resource& resource = resources_.at(write.resource, no_name);
  const Access* read = reads_.at(thread_of(write), write.resource);
  const Access* last = resource.last_write.against(write);
  const Access* highest = resource.highest_token.against(write);
  // Of what others wrote before its own process did the version that it saw may be a later one.
  const bool is_last_of_all = last == resource.last_write.access;
  const bool is_lost =
      last != nullptr && (is_last_of_all ? write.version_seen != last->version_after
                                         : write.version_seen < last->version_after);
  if (write.token && highest != nullptr && *write.token < *highest->token) {
    add_violation(run, write, *highest, read, describe_stale_token(run.names, write, *highest),
                  verdict);
  } else if (is_lost) {
    add_violation(run, write, *last, read, describe_lost_update(run.names, write, *last), verdict);
  } else if (last != nullptr && last->owner != write.owner && read != nullptr &&
             read->at < last->at) {
    add_violation(run, write, *last, read, describe_interleaving(run.names, write, *last, *read),
                  verdict);
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
