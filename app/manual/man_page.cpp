#include "app/manual/man_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace lockstep::app {
namespace {

/// Text as roff takes it literally: a backslash or hyphen means something else there, and so does a
/// full stop or an apostrophe that begins a line.
std::string literal(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    const bool begins_line = escaped.empty() || escaped.back() == '\n';
    if (begins_line && (character == '.' || character == '\'')) escaped += "\\&";
    if (character == '\\') {
      escaped += "\\e";
    } else if (character == '-') {
      escaped += "\\-";
    } else {
      escaped += character;
    }
  }
  return escaped;
}

std::string in_capitals(std::string_view text) {
  std::string capitals(text);
  std::transform(capitals.begin(), capitals.end(), capitals.begin(), [](char character) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(character)));
  });
  return capitals;
}

std::string title(std::string_view page, std::string_view summary) {
  return fmt::format(
      ".TH \"{}\" \"1\" \"\" \"lockstep {}\" \"User Commands\"\n"
      ".SH NAME\n{} \\- {}\n",
      literal(in_capitals(page)), LOCKSTEP_VERSION, literal(page), literal(summary));
}

std::string entry_of(const OptionText& option) {
  std::string names;
  for (const std::string& name : option.names) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", literal(name));
  }
  const std::string value =
      option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", literal(option.value));
  return fmt::format(".TP\n{}{}\n{}\n", names, value, literal(option.summary));
}

std::string entries_of(std::string_view heading, std::span<const OptionText> options) {
  if (options.empty()) return {};
  std::string text = fmt::format(".SH {}\n", heading);
  for (const OptionText& option : options) text += entry_of(option);
  return text;
}

/// Lines as they stand.
std::string verbatim(std::string_view lines) {
  return fmt::format(".nf\n{}\n.fi\n", literal(lines));
}

std::string synopsis_of(const CommandPage& command) {
  std::string text = fmt::format(".SH SYNOPSIS\n\\fBlockstep {}\\fR", literal(command.text.name));
  if (!command.options.empty()) text += " [\\fIOPTION\\fR]...";
  for (const OptionText& argument : command.arguments) {
    text += fmt::format(" \\fI{}\\fR", literal(argument.names.front()));
  }
  return text + "\n";
}

/// "Exit codes: 0 as expected": the section's title says the first two words.
std::string_view without_label(std::string_view exit_codes) {
  constexpr std::string_view label = "Exit codes: ";
  return exit_codes.substr(exit_codes.starts_with(label) ? label.size() : 0);
}

}  // namespace

std::string program_man_page(std::span<const CommandPage> commands) {
  std::string text = title("lockstep", "find out whether a Redis lock really locks");
  text +=
      ".SH SYNOPSIS\n\\fBlockstep\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
      ".SH DESCRIPTION\n"
      "Runs a lock's Lua scripts, and the client protocol around them, in a simulated cluster with "
      "every fault under control, and tells who held the lock at the same time as whom, and why.\n"
      ".SH COMMANDS\n";
  for (const CommandPage& command : commands) {
    text += fmt::format(".TP\n\\fBlockstep\\-{}\\fR(1)\n{}\n", literal(command.text.name),
                        literal(command.text.summary));
  }
  text += fmt::format(".SH EXIT STATUS\n{}\n", literal(without_label(usual_exit_codes)));
  text += ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nIf set, no colours are used.\n";
  return text;
}

std::string command_man_page(const CommandPage& command) {
  std::string text = title("lockstep-" + command.text.name, command.text.summary);
  text += synopsis_of(command);
  text += entries_of("ARGUMENTS", command.arguments);
  text += entries_of("OPTIONS", command.options);
  text += ".SH EXAMPLES\n" + verbatim("  " + command.text.examples);
  text += fmt::format(".SH EXIT STATUS\n{}\n", literal(without_label(command.text.exit_codes)));
  text += ".SH SEE ALSO\n\\fBlockstep\\fR(1)\n";
  return text;
}

}  // namespace lockstep::app
