"""The texts that tests have as literals in their C++ and Python files, for tools/same.

Scripts, scenarios, histories and templates of commands are taken from any test, wherever it stands.
"""

import ast
import re

_TOKEN = re.compile(
    r'R"(?P<mark>[^(\s"]*)\((?P<raw>.*?)\)(?P=mark)"'
    r'|"(?P<text>(?:\\.|[^"\\\n])*)"'
    r"|//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\\n])+'", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def _unescaped(text):
    def character(match):
        word = match[1]
        return chr(int(word[1:], 16)) if len(word) > 1 else _ESCAPES.get(word, word)
    return re.sub(r"\\(x[0-9a-fA-F]{1,2}|.)", character, text, flags=re.DOTALL)


def _of_cpp(source):
    """Literals with only blanks between them are one."""
    texts, end = [], -1
    for match in _TOKEN.finditer(source):
        if match["raw"] is None and match["text"] is None:
            continue
        text = match["raw"] if match["raw"] is not None else _unescaped(match["text"])
        if texts and not source[end:match.start()].strip():
            texts[-1] += text
        else:
            texts.append(text)
        end = match.end()
    return texts


def literals_of(path):
    """All of them, in the file's order."""
    source = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix != ".py":
        return _of_cpp(source)
    try:
        tree = ast.parse(source)
    except SyntaxError:  # what a test has lint read need not be right
        return []
    return [node.value for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def kind_of(text):
    """What it looks like: a scenario, a script, a history, a program that has scripts; or ""."""
    if "⟦" in text or re.search(r"^\[\[?(client|fault|faults|redis|options|clocks|limits|expect|link"
                                r"|resource|liveness|parameters|case|heal|scripts)\]", text, re.M):
        return "scenario"
    if re.search(r":type,? :invoke|\"type\": ?\"invoke\"|\t:invoke", text):
        return "history"
    if "redis.call" in text or "KEYS[" in text:
        return "program" if re.search(r"\bclass \w|\beval\(|\bconst \w+ ?=", text) else "script"
    return ""
