#include "sim/versions.h"

namespace lockstep {

const int model_version = 10;
const int trace_file_version = 1;
const int search_record_version = 6;
const int corpus_entry_version = 1;
const int exploration_file_version = 5;
const int survival_table_version = 1;
const int run_document_version = 1;
const int fuzz_document_version = 1;
const int explore_document_version = 1;
const int shrink_document_version = 1;
const int check_document_version = 1;
const int replay_document_version = 1;
const int confirm_document_version = 1;
const int conform_document_version = 1;
const int corpus_document_version = 1;
const int contract_document_version = 1;
const int html_data_version = 1;

}  // namespace lockstep
