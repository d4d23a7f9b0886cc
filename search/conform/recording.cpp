#include "search/conform/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"

namespace lockstep::search {
namespace {

using Json = nlohmann::json;

class RecordingReader {
 public:
  explicit RecordingReader(const std::string& path) { recording_.path = path; }

  void read_line(std::string_view text) {
    ++line_;
    if (text.empty()) return;
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) complain("it is no JSON object");
    has_begun_ ? read_request(json) : read_head(json);
    has_begun_ = true;
  }

  Recording take() {
    if (!has_begun_) complain("it is empty; expected a file that lockstep record has made");
    std::stable_sort(recording_.requests.begin(), recording_.requests.end(),
                     [](const auto& one, const auto& other) { return one.at_us < other.at_us; });
    return std::move(recording_);
  }

 private:
  [[noreturn]] void complain(const std::string& what) const {
    throw scenario::InputError(
        scenario::SourceLocation{recording_.path, static_cast<std::uint32_t>(std::max(line_, 1)),
                                 1},
        what);
  }

  /// A text, or {"hex": …} where its bytes are no UTF-8.
  std::string word(const Json& json) const {
    if (json.is_string()) return json.get<std::string>();
    const auto digits = json.is_object() ? json.find("hex") : json.end();
    if (digits == json.end() || !digits->is_string()) {
      complain("it lacks \"request\", a list of texts");
    }
    const auto hex = digits->get<std::string>();
    if (hex.size() % 2 != 0 || hex.find_first_not_of("0123456789abcdef") != hex.npos) {
      complain("\"hex\" has other letters than pairs of hexadecimal digits");
    }
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
  }

  std::string text(const Json& json, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) {
      complain(fmt::format("it lacks \"{}\", a text", key));
    }
    return found->get<std::string>();
  }

  void read_head(const Json& json) {
    const auto version = json.find("lockstep_recording");
    if (version == json.end() || !version->is_number_integer()) {
      complain("it is no recording; expected a file that lockstep record has made");
    }
    if (*version != recording_version) {
      complain(fmt::format("it is a recording of version {}; expected {}", version->dump(),
                           recording_version));
    }
    if (!json.contains("story")) return;
    recording_.story = text(json, "story");
    recording_.story_path = text(json, "path");
  }

  void read_request(const Json& json) {
    RecordedRequest request;
    request.client = text(json, "client");
    request.server = text(json, "server");
    const auto at = json.find("at_us");
    if (at == json.end() || !at->is_number_integer() || at->get<std::int64_t>() < 0 ||
        at->get<std::int64_t>() > INT64_MAX / sim::microsecond_ns) {
      complain("it lacks \"at_us\", a number of microseconds");
    }
    request.at_us = at->get<std::int64_t>();
    const auto words = json.find("request");
    if (words == json.end() || !words->is_array() || words->empty()) {
      complain("it lacks \"request\", a list of texts");
    }
    for (const Json& each : *words) request.words.push_back(word(each));
    request.is_unknown_script = text(json, "reply").find("NOSCRIPT") != std::string::npos;
    recording_.requests.push_back(std::move(request));
  }

  Recording recording_;
  int line_ = 0;
  bool has_begun_ = false;
};

bool is_script(std::string_view command) {
  constexpr std::string_view eval = "eval";
  return command.size() >= eval.size() &&
         std::equal(eval.begin(), eval.end(), command.begin(),
                    [](char lower, char c) { return lower == c || lower == c + ('a' - 'A'); });
}

}  // namespace

Recording parse_recording(const std::string& path, std::string_view text) {
  RecordingReader reader(path);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

std::vector<ExecutedRequest> executed_in(const Recording& recording, std::string_view client,
                                         model::ScriptLabels& labels) {
  std::vector<ExecutedRequest> executed;
  labels.start_run();
  for (const RecordedRequest& recorded : recording.requests) {
    const std::vector<std::string_view> words(recorded.words.begin(), recorded.words.end());
    const std::string label(labels.label_of(words));
    if (recorded.client != client || recorded.is_unknown_script) continue;
    ExecutedRequest request;
    request.server = recorded.server;
    request.at_ns = recorded.at_us * sim::microsecond_ns;
    request.label = label;
    request.is_script = is_script(words.front());
    const std::size_t named = request.is_script ? 2 : 1;  // a script itself is no argument
    for (std::size_t i = named; i < recorded.words.size(); ++i) {
      request.arguments.push_back(recorded.words[i]);
    }
    executed.push_back(std::move(request));
  }
  return executed;
}

}  // namespace lockstep::search
