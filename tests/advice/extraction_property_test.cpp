// Any Lua, spelt as a literal in any style and in any pieces, comes out unchanged; no text at all
// makes the reader fall over.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "advice/script_extraction.h"

namespace lockstep::advice {
namespace {

using Strings = std::vector<std::string>;

std::vector<HostLanguage> all_languages() {
  std::vector<HostLanguage> list;
  for (std::size_t i = 0; i < host_languages; ++i) list.push_back(static_cast<HostLanguage>(i));
  return list;
}

/// What a script may be made of, and what is hard to quote.
const Strings& fragments() {
  static const Strings list = {"redis.call('get', KEYS[1])",
                               "return ",
                               "\n",
                               "\"",
                               "'",
                               "`",
                               "\\",
                               "${",
                               "}",
                               "$",
                               "\t",
                               "-- it's a comment",
                               "/* no */",
                               "//",
                               "+",
                               "\xC3\xA4",
                               "\xF0\x9F\x94\x92",
                               "\"\"\"",
                               " ",
                               "  \n",
                               "7",
                               "\\n",
                               "\\u0041",
                               "[[",
                               "]]",
                               ",",
                               "n",
                               "u0041",
                               "\r"};
  return list;
}

rc::Gen<Strings> pieces() {
  return rc::gen::map(rc::gen::container<Strings>(rc::gen::elementOf(fragments())),
                      [](Strings list) {
                        list.insert(list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2),
                                    "redis.call('del', KEYS[1])");
                        return list;
                      });
}

enum class Style : std::uint8_t { java, text_block, single, quoted, template_literal };

std::string octal(char letter) {
  std::string text = "\\000";
  const auto code = static_cast<unsigned char>(letter);
  text[1] = static_cast<char>('0' + code / 64);
  text[2] = static_cast<char>('0' + code / 8 % 8);
  text[3] = static_cast<char>('0' + code % 8);
  return text;
}

/// One character inside a literal. `variant` chooses between spellings of the same.
std::string spelt(char letter, Style style, int variant) {
  const std::string plain(1, letter);
  if (letter == '\\') return "\\\\";
  if (letter == '\n') {
    if (style == Style::template_literal && variant % 2 == 0) return "\n";
    return variant % 3 == 0 && style == Style::java ? "\\012" : "\\n";
  }
  if (letter == '\r') return "\\r";
  if (letter == '"') return style == Style::single && variant % 2 == 0 ? "\"" : "\\\"";
  if (letter == '\'') return style == Style::single || variant % 2 == 0 ? "\\'" : "'";
  if (letter == '`' && style == Style::template_literal) return "\\`";
  if (letter == '$' && style == Style::template_literal) return "\\$";
  if (letter == '\t') return variant % 2 == 0 ? "\t" : "\\t";
  const bool is_letter = letter >= 'a' && letter <= 'z';
  if (!is_letter || variant % 7 != 0) return plain;
  if (style == Style::java || style == Style::text_block) return octal(letter);
  return variant % 2 == 0 ? "\\u{" + std::string(letter < 'p' ? "6" : "7") +
                                std::string(1, "0123456789abcdef"[letter % 16]) + "}"
                          : plain;
}

std::string literal(const std::string& text, Style style) {
  const std::string quotes = style == Style::single             ? "'"
                             : style == Style::template_literal ? "`"
                             : style == Style::text_block       ? "\"\"\""
                                                                : "\"";
  std::string result = quotes;
  if (style == Style::text_block) result += " \n";
  for (const char letter : text) {
    const int variant = *rc::gen::inRange(0, 20);
    // A text block drops blanks before a line's end, so there they are spelt as escapes.
    if (style == Style::text_block && letter == ' ') {
      result += "\\040";
    } else if (style == Style::text_block && letter == '\t') {
      result += "\\t";
    } else {
      result += spelt(letter, style, variant);
    }
  }
  return result + quotes;
}

std::string joint() {
  return *rc::gen::element<std::string>(" + ", "+", "\n    + // it's \"one\"\n", " /* + ' */ + ");
}

RC_GTEST_PROP(Extraction, GivesBackWhatWasQuoted, ()) {
  const Strings parts = *pieces();
  const bool is_java = *rc::gen::arbitrary<bool>();
  const std::vector<Style> styles =
      is_java ? std::vector{Style::java, Style::text_block}
              : std::vector{Style::single, Style::quoted, Style::template_literal};
  std::string text;
  std::string source = is_java ? "class A { Object take() { return f(" : "const take = () => { f(";
  std::string chunk;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += parts[i];
    chunk += parts[i];
    const bool ends = i + 1 == parts.size() || *rc::gen::inRange(0, 3) == 0;
    if (!ends) continue;
    source += literal(chunk, *rc::gen::elementOf(styles));
    if (i + 1 < parts.size()) source += joint();
    chunk.clear();
  }
  source += ", 1); } }";
  RC_LOG() << source;
  const Extraction found =
      extract_scripts(source, is_java ? HostLanguage::java : HostLanguage::javascript);
  RC_ASSERT(found.complaints.empty());
  RC_ASSERT(found.scripts.size() == 1U);
  RC_ASSERT(found.scripts[0].body == text);
  RC_ASSERT(found.scripts[0].short_name == "take");
  RC_ASSERT(found.scripts[0].holes.empty());
}

/// A literal with escapes in each language, and how two are joined.
struct Spelling {
  HostLanguage language;
  std::string before;
  std::string behind;
  char quote;
  std::string joint;
};

const std::vector<Spelling>& spellings() {
  static const std::vector<Spelling> list = {
      {HostLanguage::java, "class A { Object take() { return f(", ", 1); } }", '"', " + "},
      {HostLanguage::kotlin, "class A { fun take() = f(", ", 1) }", '"', " +\n  "},
      {HostLanguage::javascript, "const take = () => { f(", ", 1); }", '\'', "\n + "},
      {HostLanguage::python, "def take(self):\n    return f(", ", 1)\n", '"', "\n        "},
      {HostLanguage::go, "func (a *A) take() {\n f(", ", 1)\n}", '"', " +\n"},
      {HostLanguage::csharp, "class A { object take() { return f(", ", 1); } }", '"', "\n + "},
      {HostLanguage::php, "<?php function take() { return f(", ", 1); }", '"', " . "},
      {HostLanguage::ruby, "def take\n  f(", ", 1)\nend\n", '"', " \\\n  "},
      {HostLanguage::rust, "fn take() { f(concat!(", ")); }", '"', ", "},
  };
  return list;
}

/// Spelt with the escapes that all languages share.
std::string escaped(const std::string& text, const Spelling& spelling) {
  const bool has_dollars =
      spelling.language == HostLanguage::kotlin || spelling.language == HostLanguage::php;
  std::string result(1, spelling.quote);
  for (const char letter : text) {
    if (letter == '\n') {
      result += "\\n";
    } else if (letter == '\r') {
      result += "\\r";
    } else if (letter == '\\' || letter == spelling.quote || (letter == '$' && has_dollars)) {
      result += '\\';
      result += letter;
    } else {
      result += letter;
    }
  }
  return result + spelling.quote;
}

RC_GTEST_PROP(Extraction, GivesBackWhatWasQuotedInEveryLanguage, ()) {
  const Spelling spelling = *rc::gen::elementOf(spellings());
  const Strings parts = *pieces();
  std::string text;
  std::string source = spelling.before;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += parts[i];
    source += escaped(parts[i], spelling);
    if (i + 1 < parts.size()) source += spelling.joint;
  }
  source += spelling.behind;
  RC_LOG() << source;
  const Extraction found = extract_scripts(source, spelling.language);
  RC_ASSERT(found.complaints.empty());
  RC_ASSERT(found.scripts.size() == 1U);
  RC_ASSERT(found.scripts[0].body == text);
  RC_ASSERT(found.scripts[0].short_name == "take");
  RC_ASSERT(found.scripts[0].holes.empty());
}

RC_GTEST_PROP(Extraction, TakesAnyBytes, (const std::string& bytes)) {
  for (const HostLanguage language : all_languages()) {
    const Extraction found = extract_scripts(bytes, language);
    RC_ASSERT(found.scripts.size() <= bytes.size());
    RC_ASSERT(found.complaints.size() <= bytes.size());
  }
}

RC_GTEST_PROP(Extraction, TakesAnyOrderOfWords, ()) {
  static const Strings words = {"\"redis.call[\"",
                                "'redis.call['",
                                "`redis.call[",
                                "${",
                                "}",
                                "`",
                                "(",
                                ")",
                                "[",
                                "]",
                                "{",
                                "+",
                                ",",
                                ";",
                                "=",
                                "=>",
                                ":",
                                "?",
                                ".",
                                "join",
                                "String",
                                "\"\"\"",
                                "\n",
                                "//",
                                "/*",
                                "*/",
                                "\\",
                                "\"",
                                "'",
                                "/",
                                "name",
                                "function",
                                "async",
                                "return",
                                "class",
                                "new",
                                "<",
                                ">",
                                "if",
                                "1",
                                "def",
                                "fn",
                                "func",
                                "<<~A",
                                "\nA\n",
                                "<<<A",
                                "%q(",
                                "r#\"",
                                "\"#",
                                "@\"",
                                "$\"",
                                "$$\"\"\"",
                                "#{",
                                "{",
                                "f'",
                                "'''",
                                "%s",
                                "+=",
                                ".=",
                                ".append(",
                                "<?php ",
                                "?>",
                                ".eval(",
                                "format(",
                                "=begin\n",
                                "impl",
                                "\n  ",
                                "b",
                                "a",
                                "s"};
  const Strings list = *rc::gen::container<Strings>(rc::gen::elementOf(words));
  std::string source;
  for (const std::string& word : list) source += word + (*rc::gen::inRange(0, 3) == 0 ? "" : " ");
  for (const HostLanguage language : all_languages()) {
    for (const ExtractedScript& each : extract_scripts(source, language).scripts) {
      RC_ASSERT(!each.name.empty());
      RC_ASSERT(each.place.line > 0U);
    }
  }
}

TEST(Extraction, ReadsMuchOfAnythingInTime) {
  for (const std::string word : {"(",
                                 "[",
                                 "{",
                                 "`${",
                                 "'redis.call['+",
                                 "('redis.call['+",
                                 "[['redis.call[',",
                                 "=/",
                                 "a=>{",
                                 "/*",
                                 "f(x)+",
                                 "\"redis.call[\" + f(",
                                 "if(a){'redis.call[';",
                                 "s = s + 'redis.call['\n",
                                 "s += 'redis.call['\n",
                                 "a = b + b\nb = a + a;",
                                 "def f():\n",
                                 "class A {",
                                 "<<A\n",
                                 "<<~A <<~A\nA\n",
                                 "\"#{",
                                 "f\"{",
                                 "$\"{",
                                 "r#\"",
                                 "%q(",
                                 "redis.eval(s, 1)\n",
                                 "x.append('redis.call[');",
                                 "format('redis.call[%s',",
                                 "'a' 'b' ",
                                 "f(f(",
                                 "=> {",
                                 "s = ('redis.call['",
                                 "\"${",
                                 "'redis.call[' % ("}) {
    std::string source;
    while (source.size() < 1'500) source += word;
    for (const HostLanguage language : all_languages()) {
      EXPECT_LE(extract_scripts(source, language).scripts.size(), source.size()) << word;
    }
  }
}

}  // namespace
}  // namespace lockstep::advice
