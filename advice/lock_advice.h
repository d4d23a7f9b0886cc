// Lints a whole lock, one of its files, or a lone script.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "advice/rules.h"

namespace lockstep::model {
struct LockPackage;
}

namespace lockstep::advice {

/// Lints a lock's client model and its server scripts, each as the client model calls it. Throws
/// InputError if one of them does not compile.
[[nodiscard]] std::vector<LintFinding> advise_on_lock(const model::LockPackage& lock);

/// Lints a file: a server script or a client model, recognized by its globals. If it lies beside a
/// lock.toml that names it, it is linted as part of that lock. Throws InputError if it can't be
/// read or does not compile.
[[nodiscard]] std::vector<LintFinding> advise_on_file(
    const std::filesystem::path& path, const std::vector<std::filesystem::path>& script_folders);

/// Lints what `name` refers to: a lock's folder, its lock.toml, `folder/variant`, a lock below the
/// folders of scripts ("plain/unlatched"), or a file. Throws InputError if there is none.
[[nodiscard]] std::vector<LintFinding> advise_on(
    const std::string& name, const std::vector<std::filesystem::path>& script_folders);

}  // namespace lockstep::advice
