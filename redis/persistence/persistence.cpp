#include "redis/persistence/persistence.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "redis/persistence/stored_expiry.h"
#include "redis/protocol/integer_text.h"

namespace lockstep::redis {
namespace {

constexpr std::int64_t ms_per_s = 1000;
constexpr std::int64_t tick_ms = 100;

std::int64_t whole_seconds(std::int64_t unix_time_ms) {
  return unix_time_ms / ms_per_s - static_cast<std::int64_t>(unix_time_ms % ms_per_s < 0);
}

void copy(const Databases& from, Databases& to) {
  for (std::size_t i = 0; i < database_count; ++i) to[i].copy_from(from[i]);
}

}  // namespace

void Persistence::start(StoredFiles* files, std::int64_t now_ms) {
  files_ = files;
  logs_ = false;
  is_unsynced_ = files != nullptr && files->append_only.unsynced_bytes() > 0;
  effects_.begin();
  effects_.forget_database();
  started_ms_ = now_ms;
  last_sync_s_ = whole_seconds(now_ms);
  last_save_s_ = last_sync_s_;
  dirty_when_saved_ = 0;
}

void Persistence::set_logging(bool logs) {
  logs_ = logs;
  effects_.begin();
  effects_.forget_database();
}

void Persistence::log_with_moments(std::uint8_t database, std::span<const std::string_view> words,
                                   std::int64_t now_ms) {
  const std::optional<StoredExpiry> stored = stored_expiry(words, now_ms);
  if (!stored) return log(database, words);
  if (stored->set) log(database, *stored->set);
  const IntegerText moment(stored->moment_ms);
  log(database, std::array<std::string_view, 3>{"PEXPIREAT", stored->key, moment.view()});
}

void Persistence::write(AppendFsync fsync, std::int64_t now_ms) {
  assert(logs_);
  const std::string_view effects = effects_.finish();
  if (files_ != nullptr) files_->append_only.append(effects);
  is_unsynced_ = true;
  effects_.begin();
  const bool opens_a_second =
      fsync == AppendFsync::everysec && whole_seconds(now_ms) > last_sync_s_;
  if (fsync == AppendFsync::always || opens_a_second) sync_at(now_ms);
}

void Persistence::rewrite(const Databases& databases, std::vector<std::string> libraries) {
  is_unsynced_ = false;
  effects_.forget_database();
  if (files_ == nullptr) return;
  files_->has_append_only = true;
  files_->append_only_base.exists = true;
  copy(databases, files_->append_only_base.databases);
  files_->append_only_base.libraries = std::move(libraries);
  files_->append_only.replace_by({});
}

void Persistence::sync() {
  is_unsynced_ = false;
  if (files_ != nullptr) files_->append_only.sync();
}

void Persistence::sync_at(std::int64_t now_ms) {
  sync();
  last_sync_s_ = whole_seconds(now_ms);
}

void Persistence::save(const Databases& databases, std::vector<std::string> libraries,
                       const std::optional<StreamPosition>& position, std::uint64_t dirty,
                       std::int64_t now_ms) {
  if (files_ != nullptr) {
    files_->snapshot.exists = true;
    copy(databases, files_->snapshot.databases);
    files_->snapshot.libraries = std::move(libraries);
    files_->snapshot.position = position;
  }
  dirty_when_saved_ = dirty;
  last_save_s_ = whole_seconds(now_ms);
}

std::int64_t Persistence::next_due_ms(const Config& config, std::uint64_t dirty,
                                      std::int64_t now_ms) const {
  std::int64_t due_ms = never_ms;
  if (logs_ && is_unsynced_ && config.append_fsync == AppendFsync::everysec) {
    due_ms = (last_sync_s_ + 1) * ms_per_s;
  }
  for (const SavePoint& point : config.save) {
    if (files_ == nullptr) break;
    if (static_cast<std::int64_t>(changes_since_save(dirty)) < point.changes) continue;
    due_ms = std::min(due_ms, (last_save_s_ + point.seconds + 1) * ms_per_s);
  }
  if (due_ms == never_ms) return never_ms;
  due_ms = std::max(due_ms, now_ms + 1);
  const std::int64_t ticks = (due_ms - started_ms_ + tick_ms - 1) / tick_ms;
  return started_ms_ + ticks * tick_ms;
}

bool Persistence::sync_is_due(const Config& config, std::int64_t now_ms) const {
  return logs_ && is_unsynced_ && config.append_fsync == AppendFsync::everysec &&
         whole_seconds(now_ms) > last_sync_s_;
}

bool Persistence::save_is_due(const Config& config, std::uint64_t dirty,
                              std::int64_t now_ms) const {
  return std::any_of(config.save.begin(), config.save.end(), [&](const SavePoint& point) {
    return static_cast<std::int64_t>(changes_since_save(dirty)) >= point.changes &&
           whole_seconds(now_ms) - last_save_s_ > point.seconds;
  });
}

}  // namespace lockstep::redis
