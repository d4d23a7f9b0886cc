#include "app/manual/completions.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace lockstep::app {
namespace {

/// What a shell offers behind an option.
enum class ValueKind : std::uint8_t { none, folder, format, other };

ValueKind kind_of(const OptionText& option) {
  if (option.value.empty()) return ValueKind::none;
  if (option.value == "DIR") return ValueKind::folder;
  if (option.value == "FORMAT" && option.names.front() == "--format") return ValueKind::format;
  return ValueKind::other;
}

constexpr std::string_view format_words = "text json";

/// Text within single quotes of a shell, in which a quote is written `'\''`.
std::string single_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char character : text) {
    if (character == '\'') {
      quoted += "'\\''";
    } else {
      quoted += character;
    }
  }
  return quoted + "'";
}

// -- bash

std::string all_names(const CommandPage& command) {
  std::string names;
  for (const OptionText& option : command.options) {
    for (const std::string& name : option.names) names += " " + name;
  }
  return names.substr(names.empty() ? 0 : 1);
}

/// The patterns `"run --out"` of all options of a kind; empty where there is none.
std::string bash_patterns(std::span<const CommandPage> commands, ValueKind kind) {
  std::string patterns;
  for (const CommandPage& command : commands) {
    for (const OptionText& option : command.options) {
      if (kind_of(option) != kind) continue;
      for (const std::string& name : option.names) {
        patterns +=
            fmt::format("{}'{} {}'", patterns.empty() ? "" : " | ", command.text.name, name);
      }
    }
  }
  return patterns;
}

std::string bash_case(const std::string& patterns, std::string_view action) {
  return patterns.empty() ? "" : fmt::format("    {})\n      {}\n      ;;\n", patterns, action);
}

/// An empty COMPREPLY leaves the word to readline's own completion of file names.
std::string bash_script(std::span<const CommandPage> commands) {
  std::string names;
  std::string options;
  for (const CommandPage& command : commands) {
    names += (names.empty() ? "" : " ") + command.text.name;
    options += fmt::format("    {}) options='{}' ;;\n", command.text.name, all_names(command));
  }
  std::string script = fmt::format(
      "# bash completion for lockstep\n"
      "_lockstep() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} options=''\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case \"${{COMP_WORDS[1]}} ${{COMP_WORDS[COMP_CWORD - 1]}}\" in\n",
      names);
  script +=
      bash_case(bash_patterns(commands, ValueKind::format),
                fmt::format("mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\") && return",
                            format_words));
  script += bash_case(bash_patterns(commands, ValueKind::folder),
                      "compopt -o filenames && mapfile -t COMPREPLY < <(compgen -d -- \"$word\") "
                      "&& return");
  script += bash_case(bash_patterns(commands, ValueKind::other), "return");
  script += fmt::format(
      "  esac\n"
      "  [[ $word == -* ]] || return\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{}"
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$options --help\" -- \"$word\")\n"
      "}}\n"
      "complete -o default -F _lockstep lockstep\n",
      options);
  return script;
}

// -- zsh

/// Text within the brackets or behind the colon of an argument's specification.
std::string zsh_text(std::string_view text) {
  std::string escaped;
  for (const char character : text) {
    if (character == '[' || character == ']' || character == ':' || character == '\\') {
      escaped += '\\';
    }
    escaped += character;
  }
  return escaped;
}

std::string zsh_value(const OptionText& option) {
  switch (kind_of(option)) {
    case ValueKind::none:
      return "";
    case ValueKind::folder:
      return fmt::format(":{}:_files -/", zsh_text(option.value));
    case ValueKind::format:
      return fmt::format(":{}:({})", zsh_text(option.value), format_words);
    case ValueKind::other:
      return fmt::format(":{}:_files", zsh_text(option.value));
  }
  return "";
}

std::string zsh_case(const CommandPage& command) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", command.text.name);
  for (const OptionText& option : command.options) {
    for (const std::string& name : option.names) {
      const std::string specification =
          fmt::format("*{}[{}]{}", name, zsh_text(option.summary), zsh_value(option));
      text += fmt::format("        {} \\\n", single_quoted(specification));
    }
  }
  return text + "        '--help[Print the help]' '*:file:_files'\n      ;;\n";
}

std::string zsh_script(std::span<const CommandPage> commands) {
  std::string summaries;
  std::string cases;
  for (const CommandPage& command : commands) {
    summaries += fmt::format(
        "    {}\n", single_quoted(command.text.name + ":" + zsh_text(command.text.summary)));
    cases += zsh_case(command);
  }
  return fmt::format(
      "#compdef lockstep\n"
      "_lockstep() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  shift words\n"
      "  ((CURRENT--))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      "compdef _lockstep lockstep\n",
      summaries, cases);
}

// -- fish

std::string fish_option(const CommandPage& command, const OptionText& option) {
  std::string line =
      fmt::format("complete -c lockstep -n '__fish_seen_subcommand_from {}'", command.text.name);
  for (const std::string& name : option.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  switch (kind_of(option)) {
    case ValueKind::none:
      break;
    case ValueKind::folder:
      line += " -x -a '(__fish_complete_directories)'";
      break;
    case ValueKind::format:
      line += fmt::format(" -x -a '{}'", format_words);
      break;
    case ValueKind::other:
      line += " -r";
      break;
  }
  return line + " -d " + single_quoted(option.summary) + "\n";
}

std::string fish_script(std::span<const CommandPage> commands) {
  std::string script = "# fish completion for lockstep\n";
  for (const CommandPage& command : commands) {
    script += fmt::format("complete -c lockstep -n __fish_use_subcommand -f -a {} -d {}\n",
                          command.text.name, single_quoted(command.text.summary));
    for (const OptionText& option : command.options) script += fish_option(command, option);
  }
  return script;
}

}  // namespace

std::string completions(Shell shell, std::span<const CommandPage> commands) {
  switch (shell) {
    case Shell::bash:
      return bash_script(commands);
    case Shell::zsh:
      return zsh_script(commands);
    case Shell::fish:
      return fish_script(commands);
  }
  return {};
}

}  // namespace lockstep::app
