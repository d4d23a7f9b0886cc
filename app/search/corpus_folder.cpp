#include "app/search/corpus_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <ostream>
#include <system_error>
#include <utility>

#include "app/context.h"
#include "app/output/output_file.h"
#include "reports/text.h"
#include "scenario/text/input_error.h"

namespace lockstep::app {
namespace {

namespace fs = std::filesystem;

/// The number of ignored files that are named.
constexpr std::size_t passed_over_named_max = 20;

[[noreturn]] void complain_of_folder(const fs::path& folder, std::string_view what,
                                     const std::error_code& error) {
  throw scenario::InputError::about(folder.string(), fmt::format("{}: {}", what, error.message()));
}

/// Its bytes; nothing if it can't be read.
std::optional<std::string> content_of(const fs::path& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return std::nullopt;
  return bytes;
}

}  // namespace

CorpusFolder::CorpusFolder(fs::path folder, std::uint64_t scenario_digest, const Context& context)
    : folder_(std::move(folder)), scenario_digest_(scenario_digest), context_(context) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) complain_of_folder(folder_, "cannot make this folder", error);
}

CorpusFolder::Contents CorpusFolder::read() const {
  std::vector<fs::path> files;
  std::error_code error;
  fs::directory_iterator each(folder_, error);
  for (; !error && each != fs::directory_iterator(); each.increment(error)) {
    // Temporary files begin with a dot, and so do those of editors and git.
    if (!each->path().filename().string().starts_with('.')) files.push_back(each->path());
  }
  if (error) complain_of_folder(folder_, "cannot read this folder", error);
  std::sort(files.begin(), files.end());
  Contents all;
  for (const fs::path& file : files) read_into(all, file);
  if (all.passed_over > passed_over_named_max) {
    context_.errors << fmt::format("{}: {} more are passed over\n",
                                   reports::sanitized(folder_.string()),
                                   all.passed_over - passed_over_named_max);
  }
  return all;
}

void CorpusFolder::read_into(Contents& all, const fs::path& file) const {
  std::error_code error;
  const bool is_file = fs::is_regular_file(file, error);
  if (!is_file) return pass_over(all, file, error ? error.message() : "it is no file");
  if (fs::file_size(file, error) > search::entry_bytes_max) {
    return pass_over(all, file, error ? error.message() : "it is larger than any entry");
  }
  const std::optional<std::string> bytes = content_of(file);
  if (!bytes) return pass_over(all, file, std::system_category().message(errno));
  search::ReadEntry read = search::read_entry(*bytes);
  if (!read.complaint.empty()) return pass_over(all, file, read.complaint);
  if (read.entry.scenario_digest != scenario_digest_) {
    return pass_over(all, file, "it is of another scenario, or this one has changed");
  }
  all.files.push_back(file);
  all.entries.push_back(std::move(read.entry));
}

void CorpusFolder::pass_over(Contents& all, const fs::path& file, std::string_view why) const {
  if (all.passed_over++ >= passed_over_named_max) return;
  context_.errors << fmt::format("{}: passed over: {}\n", reports::sanitized(file.string()), why);
}

bool CorpusFolder::add(const search::CorpusEntry& entry) const {
  const std::string bytes = search::write_entry(entry);
  if (bytes.size() > search::entry_bytes_max) return false;
  const fs::path file = folder_ / search::entry_name(bytes);
  std::error_code error;
  // Repairs a damaged file that has the name of a good one.
  if (fs::is_regular_file(file, error) && content_of(file) == bytes) return false;
  write_file(file, [&bytes](std::ostream& stream) { stream << bytes; });
  return true;
}

}  // namespace lockstep::app
