#include "scenario/text/source_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/text_file.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {
namespace {

namespace fs = std::filesystem;

/// The same file under whatever name.
std::string identity_of(const fs::path& path) {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(path, error);
  return error ? path.lexically_normal().string() : whole.string();
}

/// Refuses a base that is among the files already, with the way that leads round.
void require_no_circle(const std::vector<SourceFile>& files, const LocatedText& base,
                       const std::string& path) {
  const std::string wanted = identity_of(path);
  const auto same = std::find_if(files.begin(), files.end(), [&](const SourceFile& file) {
    return identity_of(file.path) == wanted;
  });
  if (same == files.end()) return;
  std::string peer_group;
  for (auto file = same; file != files.end(); ++file)
    peer_group += fmt::format("{} → ", file->path);
  base.complain(fmt::format("the bases go round in a circle: {}{}", peer_group, same->path));
}

void require_file(const LocatedText& base, const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    base.complain(fmt::format("there is no file {}", in_quotes(path)));
  }
}

}  // namespace

std::vector<SourceFile> read_source_files(const std::string& path) {
  std::vector<SourceFile> files = {{path, read_text_file(path)}};
  for (;;) {
    const SourceFile& last = files.back();
    require_scenario_text(last);
    const TomlDocument document(last.path, last.text);
    const auto base = TableReader(document, "a scenario").text("base");
    if (!base) return files;
    if (base->text.empty()) base->complain("the path is empty; expected as in \"family.toml\"");
    const std::string base_path = (fs::path(last.path).parent_path() / base->text).string();
    require_no_circle(files, *base, base_path);
    require_file(*base, base_path);
    if (files.size() == source_files_max) {
      base->complain(fmt::format("this is the {}th base of a scenario; there can be {}",
                                 source_files_max, source_files_max - 1));
    }
    files.push_back({base_path, read_text_file(base_path)});
  }
}

bool is_scenario_file(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.ends_with(".toml") && name != "lock.toml" && !name.ends_with(".base.toml");
}

void require_scenario_text(const SourceFile& file) {
  if (file.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw InputError(
        {file.path, 1, 1},
        "this file is empty; expected a scenario: title, lock, expect and at least one "
        "[[client]]");
  }
  require_utf8(file.path, file.text);
}

}  // namespace lockstep::scenario
