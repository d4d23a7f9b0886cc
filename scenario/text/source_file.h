// The files that a scenario is read from: itself, and the bases that it is built on.
//
//   base = "family.toml"      beside the file that says so; a base may have a base
//
// A base need not be a whole scenario. What the file says itself goes before its base's; how the
// two become one is in toml_merge.h.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::scenario {

struct SourceFile {
  std::string path;  ///< as complaints name it
  std::string text;  ///< its bytes
};

/// No family needs more: a scenario and fifteen bases.
inline constexpr std::size_t source_files_max = 16;

/// Reads a file and its bases: the file first, then its base, then the base's. Throws InputError: a
/// file that can't be read, is no TOML, or is its own base's base.
[[nodiscard]] std::vector<SourceFile> read_source_files(const std::string& path);

/// Throws InputError where the text is empty or no text.
void require_scenario_text(const SourceFile& file);

/// Whether a file of a folder is a scenario, by its name: lock.toml is none, nor are files that are
/// bases only, which are named NAME.base.toml.
[[nodiscard]] bool is_scenario_file(const std::filesystem::path& path);

}  // namespace lockstep::scenario
