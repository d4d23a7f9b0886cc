"""The rules of the house that a machine can check: imports, sources of nondeterminism, length.

Reads files as text: C++ with comments and literals blanked out, so that a word in a comment is no
finding. It knows no macros and follows no include; what an include names is what it judges.
"""

import os
import re
from collections import Counter
from pathlib import Path

# A room, and the rooms it may include from (itself apart). docs/architecture.md has the drawing.
IMPORTS = {
    "sim": (),
    "checker": (),
    "lua": ("sim",),
    "redis": ("lua", "sim"),
    "scenario": ("redis", "checker", "sim"),
    "model": ("scenario", "redis", "lua", "checker", "sim"),
    "search": ("model", "scenario", "checker", "sim"),
    "reports": ("search", "model", "scenario", "checker", "sim"),
    "live": ("model", "scenario", "sim"),
    "confirm": ("redis", "lua", "sim"),
    "serve": ("redis", "lua", "sim"),
    "advice": ("model", "scenario", "redis", "lua", "sim"),
    "app": ("reports", "live", "confirm", "search", "serve", "advice", "model", "scenario", "redis", "lua",
            "checker", "sim"),
}

# Inside a room: folders that know nothing of others beside them.
FORBIDDEN_FOLDERS = {
    "lua/source": ("lua/interpreter",),
    "redis/protocol": ("redis/values", "redis/server", "redis/commands", "redis/scripting",
                       "redis/replication", "redis/persistence"),
    "redis/values": ("redis/server", "redis/commands", "redis/scripting", "redis/replication",
                     "redis/persistence"),
    "redis/replication": ("redis/commands", "redis/scripting"),
    "redis/persistence": ("redis/commands", "redis/scripting"),
    "scenario/text": ("scenario/file", "scenario/faults"),
    "model/lock": ("model/client", "model/cluster", "model/sentinel", "model/node",
                   "model/observers", "model/faults", "model/engine"),
    "model/cluster": ("model/client", "model/lock", "model/sentinel", "model/node",
                      "model/observers", "model/faults", "model/engine"),
    "model/sentinel": ("model/client", "model/lock", "model/cluster", "model/node",
                       "model/observers", "model/faults", "model/engine"),
    "model/client": ("model/cluster", "model/node", "model/observers", "model/faults",
                     "model/engine"),
    "model/node": ("model/client", "model/lock", "model/sentinel", "model/observers",
                   "model/faults", "model/engine"),
    "model/observers": ("model/faults", "model/engine"),
    "model/faults": ("model/engine",),
    "search/runs": ("search/fuzz", "search/explore", "search/shrink"),
    "search/explore": ("search/fuzz", "search/shrink"),
    "reports/trace": ("reports/cause", "reports/scene", "reports/timeline", "reports/html"),
    "reports/drawing": ("reports/trace", "reports/cause", "reports/scene", "reports/timeline",
                        "reports/html", "reports/formats"),
    "checker/linearizability": ("checker/properties", "checker/recorded"),
    "checker/properties": ("checker/recorded",),
    "app/output": ("app/scenarios", "app/findings", "app/search", "app/session", "app/commands"),
    "app/scenarios": ("app/findings", "app/search", "app/session", "app/commands"),
    "app/findings": ("app/scenarios", "app/search", "app/session", "app/commands"),
    "app/search": ("app/session", "app/commands"),
    "app/session": ("app/output", "app/scenarios", "app/findings", "app/search", "app/commands"),
}

# A folder is looked through at a glance.
FILES_IN_A_FOLDER_MAX = 40

# Rooms whose runs must be a function of scenario and choices alone, and what would break that.
DETERMINISTIC_ROOMS = ("sim", "lua", "redis", "scenario", "model", "search")
NONDETERMINISM = re.compile(
    r"#\s*include\s*<(chrono|random|thread|future|mutex|unordered_map|unordered_set|ctime|time\.h"
    r"|sys/time\.h)>"
    r"|\brandom_device\b"
    r"|\bmt19937(_64)?\b"
    r"|\bdefault_random_engine\b"
    r"|\b\w+_distribution\b"
    r"|\bstd::(shuffle|sample)\b"
    r"|\b(system|steady|high_resolution)_clock\b"
    r"|\bs?rand\s*\("
    r"|\bgettimeofday\b"
    r"|\bclock_gettime\b"
    r"|\btime\s*\(\s*(nullptr|NULL|0|&\w+)\s*\)"
    r"|\bstd::j?thread\b"
    r"|\bstd::async\b"
    r"|\bpthread_\w+"
    r"|\bunordered_(multi)?(map|set)\b"
)

# Rooms that talk to other processes; no other room knows what a socket is.
ROOMS_WITH_SOCKETS = ("confirm", "live", "serve")
SOCKETS = re.compile(
    r"#\s*include\s*<(sys/(socket|epoll|un|signalfd)|netinet/\w+|arpa/inet|netdb|poll)\.h>")

LINES_MAX = 600
CODE_SUFFIXES = (".cpp", ".h")
LENGTH_SUFFIXES = CODE_SUFFIXES + (".py", ".lua", ".toml", ".bash", ".cmake")
SKIPPED_FOLDERS = re.compile(r"^(\.(?!ci$).*|build.*|out|lockstep-out|__pycache__)$")

# Literals first, so that "//" in a string is no comment.
_BLANKED = re.compile(
    r'R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])+'"
    r"|//[^\n]*"
    r"|/\*.*?\*/",
    re.DOTALL,
)
_INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)


def code_without_literals(text):
    """The text with comments and literals blanked out; lines keep their numbers."""
    return _BLANKED.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def _line_of(text, position):
    return text.count("\n", 0, position) + 1


def _is_below(path, folder):
    return path.startswith(folder + "/")


def _include_complaints(root, path, text):
    room = path.split("/")[0]
    for match in _INCLUDE.finditer(text):
        mark, included = match.groups()
        target_room = included.split("/")[0]
        where = f"{path}:{_line_of(text, match.start(2))}"
        is_ours = "/" in included and target_room in IMPORTS
        if mark == "<":
            if is_ours and (root / included).is_file():
                yield f'{where}: <{included}> is ours: write "{included}"'
            continue
        if room not in IMPORTS and ((root / path).parent / included).is_file():
            continue  # tests may name what lies beside them
        if not (root / included).is_file():
            yield f'{where}: "{included}" is no file of the repository (paths start at its root)'
            continue
        if room in IMPORTS and target_room not in (room, *IMPORTS[room]):
            yield f"{where}: {room}/ must not include {included}: imports run downhill"
        for folder, forbidden in FORBIDDEN_FOLDERS.items():
            if _is_below(path, folder) and any(_is_below(included, other) for other in forbidden):
                yield f"{where}: {folder}/ must not include {included}"


def _nondeterminism_complaints(path, text):
    if path.split("/")[0] not in DETERMINISTIC_ROOMS:
        return
    code = code_without_literals(text)
    for match in NONDETERMINISM.finditer(code):
        yield (f"{path}:{_line_of(code, match.start())}: '{match.group()}' is a source of "
               f"nondeterminism: use sim::ChoiceSource, integer time, ordered containers")


def _socket_complaints(path, text):
    room = path.split("/")[0]
    if room not in IMPORTS or room in ROOMS_WITH_SOCKETS:
        return
    for match in SOCKETS.finditer(text):
        yield (f"{path}:{_line_of(text, match.start())}: '{match.group()}': sockets belong to "
               f"serve/ and confirm/")


def _length_complaints(path, text):
    lines = text.count("\n")
    if lines > LINES_MAX:
        yield f"{path}: {lines} lines; a file has at most {LINES_MAX}: split it by ideas"


def _crowd_complaints(paths):
    """Folders of a room with too many files of code in them."""
    crowds = Counter(Path(path).parent.as_posix() for path in paths
                     if path.endswith(CODE_SUFFIXES) and path.split("/")[0] in IMPORTS)
    for folder, count in sorted(crowds.items()):
        if count > FILES_IN_A_FOLDER_MAX:
            yield (f"{folder}/: {count} files; a folder has at most {FILES_IN_A_FOLDER_MAX}: "
                   "give what belongs together a folder of its own")


def _has_length_limit(path):
    return path.endswith(LENGTH_SUFFIXES) or ("." not in Path(path).name and
                                              _is_below(path, "tools"))


def files_below(root):
    """Paths of all files, relative to the root, sorted; build folders and Git's are left out."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if not SKIPPED_FOLDERS.match(name))
        for name in sorted(names):
            yield (Path(folder) / name).relative_to(root).as_posix()


def complaints(root):
    """What breaks a rule below root, one sentence each, with file and line."""
    root = Path(root)
    yield from _crowd_complaints(files_below(root))
    for path in files_below(root):
        is_code = path.endswith(CODE_SUFFIXES)
        if not is_code and not _has_length_limit(path):
            continue
        text = (root / path).read_text(encoding="utf-8")
        yield from _length_complaints(path, text)
        if is_code:
            yield from _include_complaints(root, path, text)
            yield from _nondeterminism_complaints(path, text)
            yield from _socket_complaints(path, text)
