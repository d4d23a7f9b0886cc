// A lock of a test's own, in a folder of its own that goes when the test ends.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace lockstep::test {

class LockFolder {
 public:
  /// The folder "<test>/locks/own", with a lock.toml for a client model in client.lua.
  LockFolder() : root_(std::filesystem::path(::testing::TempDir()) / unique_name()) {
    std::filesystem::create_directories(folder());
    write("lock.toml", lock_toml);
  }
  LockFolder(const LockFolder&) = delete;
  LockFolder& operator=(const LockFolder&) = delete;
  ~LockFolder() { std::filesystem::remove_all(root_); }

  static constexpr std::string_view lock_toml =
      "title = \"A test's own\"\nclient = \"client.lua\"\n"
      "[state]\nkey = \"{name}\"\nshape = \"holds-by-owner\"\n";

  /// The functions that a client model must have, each doing nothing, followed by what the test
  /// adds.
  static std::string client_model(const std::string& more) {
    return "local model = {}\n"
           "function model.lock(lock) return true end\n"
           "function model.try_lock(lock) return true end\n"
           "function model.unlock(lock) return true end\n"
           "function model.force_unlock(lock) return true end\n" +
           more + "\nreturn model\n";
  }

  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder() / name).parent_path());
    std::ofstream(folder() / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::filesystem::path folders() const { return root_ / "locks"; }
  [[nodiscard]] std::filesystem::path folder() const { return folders() / "own"; }
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder() / name).string();
  }

 private:
  static std::string unique_name() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("lockstep-") + test->test_suite_name() + "-" + test->name();
    for (char& letter : name) {
      if (letter == '/') letter = '-';
    }
    return name;
  }

  std::filesystem::path root_;
};

}  // namespace lockstep::test
