// A file keeps what was synced through a power failure, and all that was written through a crash.
#include "sim/disk_file.h"

#include <gtest/gtest.h>

namespace lockstep::sim {
namespace {

TEST(DiskFile, KeepsWhatWasSyncedThroughAPowerFailure) {
  DiskFile file;
  file.append("synced");
  file.sync();
  file.append(" and not");
  EXPECT_EQ(file.bytes(), "synced and not") << "whoever reads it finds what was written";
  EXPECT_EQ(file.unsynced_bytes(), 8U);
  file.lose_unsynced();
  EXPECT_EQ(file.bytes(), "synced");
  EXPECT_EQ(file.unsynced_bytes(), 0U);
}

TEST(DiskFile, IsReplacedForGood) {
  DiskFile file;
  file.append("old, never synced");
  file.replace_by("new");
  file.lose_unsynced();
  EXPECT_EQ(file.bytes(), "new");
}

TEST(DiskFile, LosesEverythingThatWasNeverSynced) {
  DiskFile file;
  file.append("all of it");
  file.lose_unsynced();
  EXPECT_EQ(file.bytes(), "");
  file.append("again");
  file.sync();
  file.clear();
  EXPECT_EQ(file.bytes(), "");
  EXPECT_EQ(file.unsynced_bytes(), 0U);
}

}  // namespace
}  // namespace lockstep::sim
