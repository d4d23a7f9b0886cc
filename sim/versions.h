// All versions that Lockstep writes into files and documents, and checks when it reads them again.
//
// Include it from .cpp files only: a raised version then recompiles a handful of files. The version
// of recorded histories is the exception: checker/ is a library of its own and keeps it in
// checker/recorded/formats/history_builder.cpp.
#pragma once

namespace lockstep {

/// The model's semantics. Raise it whenever the trace of any run changes (a golden hash differs).
/// Traces, corpora, search records and saved explorations of another version are not replayed.
inline constexpr int model_version = 7;

// Files that Lockstep reads again. Raise one when a file of the older layout can't be read as the
// new one, or would mean something else. Readers refuse every version but this one.
inline constexpr int trace_file_version = 1;        ///< docs/trace.md
inline constexpr int search_record_version = 5;     ///< of a part of a search, for `merge`
inline constexpr int corpus_entry_version = 1;      ///< choices kept by `fuzz --corpus`
inline constexpr int exploration_file_version = 4;  ///< an interrupted `explore`
inline constexpr int survival_table_version = 1;    ///< docs/fuzz.md, for `fuzz --against`

// JSON documents for other programs, as "schema". Raise one when something is taken away or changes
// its meaning; new members leave it alone. docs/reports.md and docs/schemas describe them.
inline constexpr int run_document_version = 1;
inline constexpr int fuzz_document_version = 1;
inline constexpr int explore_document_version = 1;
inline constexpr int shrink_document_version = 1;
inline constexpr int check_document_version = 1;
inline constexpr int replay_document_version = 1;
inline constexpr int confirm_document_version = 1;
inline constexpr int conform_document_version = 1;
inline constexpr int corpus_document_version = 1;

/// The data inside an HTML report, which its own scripts read. Raise it with a change of its
/// layout.
inline constexpr int html_data_version = 1;

}  // namespace lockstep
