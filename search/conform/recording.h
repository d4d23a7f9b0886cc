// What a real library sent to servers on somebody's machine, as lockstep record keeps it.
//
// A file of JSON lines. The first says what the file is, and may have the story that the clients
// were to play; each other one is a request that was answered:
//
//     {"lockstep_recording": 1, "story": "title = …", "path": "story.toml"}
//     {"at_us": 1500, "client": "a", "server": "n1", "request": ["SET", …], "reply": "OK"}
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/program/script_labels.h"
#include "search/conform/requests.h"

namespace lockstep::search {

inline constexpr int recording_version = 1;

struct RecordedRequest {
  std::string client;
  std::string server;
  std::int64_t at_us = 0;
  std::vector<std::string> words;
  bool is_unknown_script = false;  ///< the answer was NOSCRIPT
};

struct Recording {
  std::string path;
  std::string story;       ///< a scenario file's text; empty: nobody said what the clients did
  std::string story_path;  ///< of that file
  std::vector<RecordedRequest> requests;  ///< in the order of their sending
};

/// Reads the text of such a file. Throws InputError with the line that is wrong.
[[nodiscard]] Recording parse_recording(const std::string& path, std::string_view text);

/// Of one client, named as the lock calls its scripts.
[[nodiscard]] std::vector<ExecutedRequest> executed_in(const Recording& recording,
                                                       std::string_view client,
                                                       model::ScriptLabels& labels);

}  // namespace lockstep::search
