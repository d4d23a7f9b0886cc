// When a fork server would read other files than it did.
#include "live/loaded_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace lockstep::live {
namespace {

namespace fs = std::filesystem;

class LoadedFilesTest : public ::testing::Test {
 protected:
  LoadedFilesTest() {
    std::string pattern = ::testing::TempDir() + "lockstep-loaded-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    write("worker.py", "print(1)");
  }
  ~LoadedFilesTest() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  void load(const std::string& name) {
    const int descriptor = open((folder_ / name).c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(descriptor, 0) << name;
    files_.add(descriptor);
    close(descriptor);
  }
  /// Gives the file a time long ago, as most files have.
  void make_old(const std::string& name) const {
    fs::last_write_time(folder_ / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  fs::path folder_;
  LoadedFiles files_;
};

TEST_F(LoadedFilesTest, AreAsTheyWere) {
  EXPECT_TRUE(files_.are_on_disk()) << "nothing was read";
  load("worker.py");
  EXPECT_TRUE(files_.are_on_disk());
  write("worker.py", "print(1)  # longer");
  EXPECT_FALSE(files_.are_on_disk());
}

TEST_F(LoadedFilesTest, ChangeWithoutAnotherSizeOrTime) {
  load("worker.py");
  const fs::file_time_type written = fs::last_write_time(folder_ / "worker.py");
  write("worker.py", "print(2)");
  fs::last_write_time(folder_ / "worker.py", written);
  EXPECT_FALSE(files_.are_on_disk());
}

TEST_F(LoadedFilesTest, MayBeReplacedByAnEditor) {
  make_old("worker.py");
  load("worker.py");
  EXPECT_TRUE(files_.are_on_disk());
  write("new.tmp", "print(2)");
  make_old("new.tmp");
  fs::rename(folder_ / "new.tmp", folder_ / "worker.py");
  EXPECT_FALSE(files_.are_on_disk());
}

TEST_F(LoadedFilesTest, MayGo) {
  load("worker.py");
  fs::remove(folder_ / "worker.py");
  EXPECT_FALSE(files_.are_on_disk());
}

TEST_F(LoadedFilesTest, MayGetANeighbourThatWouldBeRead) {
  write("helper.js", "");
  load("worker.py");
  write("helper.py", "x = 1");
  EXPECT_FALSE(files_.are_on_disk());
  fs::remove(folder_ / "helper.py");
  EXPECT_TRUE(files_.are_on_disk()) << "it is as it was";
  write("helper/__init__.py", "x = 1");
  EXPECT_FALSE(files_.are_on_disk()) << "a package";
}

TEST_F(LoadedFilesTest, MayGetALogBesideThem) {
  load("worker.py");
  write("worker.log", "begun");
  write("__pycache__/worker.cpython-311.pyc", "compiled");
  write(".hidden.py", "");
  EXPECT_TRUE(files_.are_on_disk());
}

TEST_F(LoadedFilesTest, OfPythonsCompiledFilesAreTheSources) {
  write("__pycache__/worker.cpython-311.pyc", "compiled");
  load("__pycache__/worker.cpython-311.pyc");
  write("__pycache__/worker.cpython-311.pyc", "compiled again");
  EXPECT_TRUE(files_.are_on_disk());
  write("worker.py", "print(2)");
  EXPECT_FALSE(files_.are_on_disk());
}

}  // namespace
}  // namespace lockstep::live
