#include "app/manual/command_pages.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "app/commands/all_commands.h"

namespace lockstep::app {
namespace {

OptionText text_of(const CLI::Option& option) {
  OptionText text;
  for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
  if (text.names.empty()) text.names.push_back(option.get_name(true));
  if (option.get_items_expected_max() != 0) text.value = option.get_type_name();
  text.summary = option.get_description();
  return text;
}

CommandPage page_of(const CommandDescription& description) {
  CLI::App parser(description.text.summary, description.text.name);
  // The options write into it.
  const std::unique_ptr<CommandCall> call = description.add_options(parser);
  CommandPage page{description.text, {}, {}};
  for (const CLI::Option* const option :
       std::as_const(parser).get_options([](const CLI::Option*) { return true; })) {
    auto& texts = option->nonpositional() ? page.options : page.arguments;
    texts.push_back(text_of(*option));
  }
  return page;
}

}  // namespace

std::vector<CommandPage> command_pages() {
  std::vector<CommandPage> pages;
  for (const CommandDescription& each : all_commands()) pages.push_back(page_of(each));
  return pages;
}

}  // namespace lockstep::app
