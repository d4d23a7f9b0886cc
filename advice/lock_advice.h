// Advice on a whole lock, on one of its files, or on a lone script: reads, checks, advises.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "advice/rules.h"
#include "model/lock/lock_package.h"

namespace lockstep::advice {

/// Everything that a lock runs: its server scripts, each as its client model calls it, and the
/// client model. Throws InputError where one of them does not compile.
[[nodiscard]] std::vector<LintFinding> advise_on_lock(const model::LockPackage& lock);

/// A file: a server script or a client model, which is told by what it calls. Where it lies beside
/// a lock.toml that names it, what that lock says of it counts. Throws InputError where it can't be
/// read or does not compile.
[[nodiscard]] std::vector<LintFinding> advise_on_file(
    const std::filesystem::path& path, const std::vector<std::filesystem::path>& script_folders);

/// What is named: a lock's folder, its lock.toml, `folder/variant`, a lock below the folders of
/// scripts ("plain/unlatched"), or a file. Throws InputError where there is none.
[[nodiscard]] std::vector<LintFinding> advise_on(
    const std::string& name, const std::vector<std::filesystem::path>& script_folders);

}  // namespace lockstep::advice
