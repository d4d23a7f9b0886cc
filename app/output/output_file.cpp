#include "app/output/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void complain_unwritable(const fs::path& path, std::string_view why) {
  throw scenario::InputError::about(path.string(), fmt::format("cannot write it: {}", why));
}

void make_folder_of(const fs::path& path) {
  const fs::path folder = path.parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) complain_unwritable(path, error.message());
  if (fs::is_directory(path, error)) complain_unwritable(path, "it is a folder");
}

/// A file that is removed unless it is put in place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& path)
      : path_(path),
        temporary_(path.parent_path() / fmt::format(".{}.{}", path.filename().string(), getpid())),
        stream_(temporary_, std::ios::binary | std::ios::trunc) {
    if (!stream_) complain_unwritable(path_, std::system_category().message(errno));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    std::error_code error;
    if (!is_in_place_) fs::remove(temporary_, error);
  }

  [[nodiscard]] std::ostream& stream() { return stream_; }

  void put_in_place() {
    stream_.close();
    if (!stream_) complain_unwritable(path_, std::system_category().message(errno));
    std::error_code error;
    fs::rename(temporary_, path_, error);
    if (error) complain_unwritable(path_, error.message());
    is_in_place_ = true;
  }

 private:
  fs::path path_;
  fs::path temporary_;
  std::ofstream stream_;
  bool is_in_place_ = false;
};

}  // namespace

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  make_folder_of(path);
  TemporaryFile file(path);
  write(file.stream());
  file.put_in_place();
}

}  // namespace lockstep::app
