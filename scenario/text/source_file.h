// The files of a scenario: itself and its bases.
//
//   base = "family.toml"      beside the file that says so; a base may have a base
//
// A base need not be a whole scenario. A file's own keys override its base's; toml_merge.h says
// how.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::scenario {

struct SourceFile {
  std::string path;  ///< as messages name it
  std::string text;  ///< its bytes
};

/// A scenario and fifteen bases.
inline constexpr std::size_t source_files_max = 16;

/// Reads a file, its base, the base's base, … in that order. Throws InputError for a file that
/// can't be read or is not TOML, and for a cycle.
[[nodiscard]] std::vector<SourceFile> read_source_files(const std::string& path);

/// Throws InputError if the file is empty or not text.
void require_scenario_text(const SourceFile& file);

/// Whether a file is a scenario, by its name: not lock.toml, nor NAME.base.toml.
[[nodiscard]] bool is_scenario_file(const std::filesystem::path& path);

}  // namespace lockstep::scenario
