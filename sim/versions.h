// All versions that Lockstep writes into files and documents, and checks when it reads them again.
//
// The numbers are in versions.cpp, so that a raised one recompiles a single file. The version
// of recorded histories is the exception: checker/ is a library of its own and keeps it in
// checker/recorded/formats/history_builder.cpp.
#pragma once

namespace lockstep {

/// The model's semantics. Raise it whenever the trace of any run changes (a golden hash differs).
/// Traces, corpora, search records and saved explorations of another version are not replayed.
extern const int model_version;

// Files that Lockstep reads again. Raise one when a file of the older layout can't be read as the
// new one, or would mean something else. Readers refuse every version but this one.
extern const int trace_file_version;        ///< docs/trace.md
extern const int search_record_version;     ///< of a part of a search, for `merge`
extern const int corpus_entry_version;      ///< choices kept by `fuzz --corpus`
extern const int exploration_file_version;  ///< an interrupted `explore`
extern const int survival_table_version;    ///< docs/fuzz.md, for `fuzz --against`

// JSON documents for other programs, as "schema". Raise one when something is taken away or changes
// its meaning; new members leave it alone. docs/reports.md and docs/schemas describe them.
extern const int run_document_version;
extern const int fuzz_document_version;
extern const int explore_document_version;
extern const int shrink_document_version;
extern const int check_document_version;
extern const int replay_document_version;
extern const int confirm_document_version;
extern const int conform_document_version;
extern const int corpus_document_version;
extern const int contract_document_version;

/// The data inside an HTML report, which its own scripts read. Raise it with a change of its
/// layout.
extern const int html_data_version;

}  // namespace lockstep
