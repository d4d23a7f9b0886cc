"""What the program says of the cause of a violation, beside what a person labelled from the trace.

    tests/causes/labels.py [--wrong]   counts right, vague and wrong ones; --wrong lists the last two

A label (labels/*.toml) names the kinds that a careful colleague would accept. The program's first cause is
*right* where its kind is one of them, *vague* where the program says that it does not know, and else *wrong*.

A story whose first line is `# With the mistake "NAME" of tests/mutants.` is run with that mutant of its lock.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LABELS = Path(__file__).resolve().parent / "labels"
VAGUE = "unknown"

sys.path.insert(0, str(REPOSITORY / "tools"))
import search_mutants  # noqa: E402


def labels():
    """Of all files: a list of tables."""
    found = []
    for path in sorted(LABELS.glob("*.toml")):
        found += tomllib.loads(path.read_text(encoding="utf-8"))["violation"]
    return found


def mistake_in(text):
    """The mutant's name; none: the lock is as it is."""
    first = re.match(r'# With the mistake "([\w-]+)" of tests/mutants\.\n', text)
    return first and first[1]


def with_mistakes(scenarios, folder):
    """path that is run → scenario; those with a mistake are copies beside a copy of the locks that has it."""
    found = {}
    mutants = {}
    for scenario in scenarios:
        text = (REPOSITORY / scenario).read_text(encoding="utf-8")
        mistake = mistake_in(text)
        if mistake is None:
            found[scenario] = scenario
            continue
        if not mutants:
            known, _ = search_mutants.by_hand(REPOSITORY / "tests/mutants", REPOSITORY / "scripts")
            mutants = {mutant.name: mutant for mutant in known}
        beside = Path(folder) / mistake
        search_mutants.copy_scripts(REPOSITORY / "scripts", beside / "scripts")
        search_mutants.write(mutants[mistake], beside / "scripts")
        copy = beside / Path(scenario).name
        copy.write_text(re.sub(r'^lock( *)= "', r'lock\1= "./scripts/', text, flags=re.MULTILINE), encoding="utf-8")
        found[str(copy)] = scenario
    return found


def told(program, scenarios):
    """(scenario, property) → the causes that the program tells of the run that it shows."""
    with tempfile.TemporaryDirectory() as folder:
        paths = with_mistakes(scenarios, folder)
        result = subprocess.run([str(program), "run", *paths, "--format", "json", "--out", f"{folder}/out"],
                                cwd=REPOSITORY, capture_output=True, text=True, check=False)
    found = {}
    for scenario in json.loads(result.stdout)["scenarios"]:
        for verdict in (scenario.get("example") or {"verdicts": []})["verdicts"]:
            if verdict["result"] == "violated":
                found[paths[scenario["path"]], verdict["property"]] = verdict["causes"]
    return found


def judge(label, causes):
    """right, vague, wrong; none where the violation does not happen any more."""
    if causes is None:
        return "gone"
    kind = causes[0]["kind"] if causes else VAGUE
    if kind in label["kind"]:
        return "right"
    return "vague" if kind == VAGUE else "wrong"


def compare(program):
    """(label, causes, judgement) of each label."""
    known = labels()
    scenarios = sorted({label["scenario"] for label in known})
    causes = told(program, scenarios)
    for label in known:
        its = causes.get((label["scenario"], label["property"]))
        yield label, its, judge(label, its)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="list those that are vague or wrong")
    parser.add_argument("--lockstep", default=os.environ.get("LOCKSTEP_BINARY", str(REPOSITORY / "tools/lockstep")))
    arguments = parser.parse_args()
    counts = {}
    for label, causes, judgement in compare(arguments.lockstep):
        counts[judgement] = counts.get(judgement, 0) + 1
        if not arguments.wrong or judgement == "right":
            continue
        print(f"{judgement}: {label['scenario']} {label['property']}: {', '.join(label['kind'])}")
        print(f"  label  {label['says']}")
        for cause in causes or []:
            print(f"  {cause['kind']}  {' '.join(cause['says'])}")
    print(", ".join(f"{counts.get(kind, 0)} {kind}" for kind in ("right", "vague", "wrong", "gone")))


if __name__ == "__main__":
    sys.exit(main())
