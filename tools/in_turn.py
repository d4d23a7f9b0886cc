"""What CI looks at in turn: a part of a long list with each commit, so that in some commits all had theirs.

Not for what must be seen in every commit. Without Git's history it is the first part each time.
"""

import subprocess
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


def part_of(items, parts):
    """Every `parts`-th of a list, beginning with another one at each commit."""
    counted = subprocess.run(["git", "rev-list", "--count", "HEAD"], cwd=REPOSITORY, capture_output=True,
                             text=True, check=False)
    commits = int(counted.stdout) if counted.returncode == 0 else 0
    return items[commits % parts::parts]
