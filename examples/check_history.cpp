// check_history FILE MODEL: the checker as a library, without the simulator.
//
// Links lockstep::checker alone. Reads a history, decides it, and prints an order that explains it
// or why there is none.
#include <cstdio>
#include <fstream>
#include <string>

#include "checker/recorded/decide.h"
#include "checker/recorded/formats/read_history.h"

namespace recorded = lockstep::checker::recorded;

namespace {

void print_order(const recorded::History& history, const recorded::KeyDecision& part) {
  std::puts("linearizable: this order explains it");
  for (const std::uint32_t index : part.order) {
    std::printf("  %s\n", recorded::describe(history, history.operations[index]).c_str());
  }
}

int decide_and_print(const recorded::History& history, recorded::Model model) {
  if (const auto complaint = recorded::find_misfit(history, model)) {
    std::fprintf(stderr, "%s\n", complaint->what.c_str());
    return 2;
  }
  const recorded::Decision decision = recorded::decide(history, model);
  for (const recorded::KeyDecision& part : decision.parts) {
    if (part.answer == recorded::Answer::linearizable) {
      print_order(history, part);
    } else {
      std::printf("%s\n%s", std::string(recorded::to_string(part.answer)).c_str(),
                  recorded::in_words(history, part.explanation).c_str());
    }
  }
  return decision.answer == recorded::Answer::linearizable ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  const auto model = count == 3 ? recorded::model_from(words[2]) : std::nullopt;
  if (!model) {
    std::fputs("usage: check_history FILE MODEL\n", stderr);
    return 2;
  }
  std::ifstream file(words[1], std::ios::binary);
  try {
    return decide_and_print(recorded::read_history(file).history, *model);
  } catch (const recorded::ReadError& error) {
    std::fprintf(stderr, "%s:%llu: %s\n", words[1],
                 static_cast<unsigned long long>(error.place().line), error.what());
    return 2;
  } catch (const recorded::HistoryTooLarge& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
