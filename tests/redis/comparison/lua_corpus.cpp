#include "tests/redis/comparison/lua_corpus.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"
#include "tests/support/source_folder.h"

namespace lockstep::redis::test {
namespace {

std::string corpus_folder() { return source_folder() + "/tests/redis/lua_corpus"; }

CorpusProgram read_program(std::string text) {
  constexpr std::string_view mark = "--! ";
  CorpusProgram program;
  if (text.starts_with(mark)) {
    const std::size_t end = text.find('\n');
    program.known_reply = text.substr(mark.size(), end - mark.size());
    text.erase(0, end + 1);
  }
  program.text = std::move(text);
  return program;
}

}  // namespace

std::vector<CorpusProgram> corpus_programs(const std::string& file_name) {
  constexpr std::string_view border = "--%%\n";
  constexpr std::string_view opening_border = "--%% before each\n";
  std::ifstream file(corpus_folder() + "/" + file_name + ".lua");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<CorpusProgram> programs;
  std::size_t begin = text.find(border);
  const std::size_t opening = text.find(opening_border);
  const std::string before_each =
      opening < begin
          ? text.substr(opening + opening_border.size(), begin - opening - opening_border.size())
          : std::string();
  while (begin != std::string::npos) {
    begin += border.size();
    const std::size_t end = text.find(border, begin);
    std::string program = text.substr(begin, end - begin);
    if (program.ends_with('\n')) program.pop_back();
    programs.push_back(read_program(std::move(program)));
    programs.back().text.insert(0, before_each);
    begin = end;
  }
  return programs;
}

std::vector<std::string> corpus_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus_folder())) {
    files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Reply run_corpus_program(const std::string& text, ServerVersion version) {
  SimulatedServer server(options_of(version));
  server.run({"SET", "s", "x"});
  return server.run({"EVAL", text, "0"});
}

}  // namespace lockstep::redis::test
