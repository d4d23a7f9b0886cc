"""Which file of the repository includes which: read as text, nothing is compiled.

For tools/rooms and the tests of the architecture. It knows no macros: an include within #if counts.
"""

import re
import subprocess
from collections import Counter, defaultdict
from pathlib import PurePosixPath

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
# Rooms hold the program; these use it.
USERS = ("tests", "bench", "examples")


class IncludeGraph:
    """The includes among the files that Git knows below a folder."""

    def __init__(self, root):
        listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard",
                                 "*.h", "*.cpp"], cwd=root, capture_output=True, text=True, check=True)
        self.files = sorted(path for path in set(listed.stdout.split()) if (root / path).is_file())
        known = set(self.files)
        self.included = {}
        for path in self.files:
            text = (root / path).read_text(encoding="utf-8")
            beside = PurePosixPath(path).parent
            names = (name if name in known else str(beside / name) for name in INCLUDE.findall(text))
            self.included[path] = sorted({name for name in names if name in known})

    def units(self):
        """The translation units: all .cpp files."""
        return [path for path in self.files if path.endswith(".cpp")]

    def reach(self):
        """For each header how many translation units read it, directly or through others."""
        reached = Counter()
        for unit in self.units():
            seen, waiting = set(), [unit]
            while waiting:
                for header in self.included[waiting.pop()]:
                    if header not in seen:
                        seen.add(header)
                        waiting.append(header)
            reached.update(seen)
        return reached

    def room_imports(self, room_of):
        """How many includes lead from one room to another; room_of gives a path's room, or None."""
        imports = defaultdict(Counter)
        for path, headers in self.included.items():
            room = room_of(path)
            for header in headers:
                target = room_of(header)
                if room and target and room != target:
                    imports[room][target] += 1
        return imports


def room_of(path):
    """The room of a file, model's folders each as one; None for what only uses the rooms."""
    parts = path.split("/")
    if len(parts) < 2 or parts[0] in USERS:
        return None
    if parts[0] == "model":
        return "/".join(parts[:2]) if len(parts) > 2 else "model"
    return parts[0]
