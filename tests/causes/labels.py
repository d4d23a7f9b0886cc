"""What the program says of the cause of a violation, beside what a person labelled from the trace.

    tests/causes/labels.py [--wrong] [--field F]   counts right, vague and wrong ones, and of the right ones the fields

A label (labels/*.toml) names the kinds that a careful colleague would accept. The program's first cause is
*right* where its kind is one of them, *vague* where the program says that it does not know, and else *wrong*.

A story whose first line is `# With the mistake "NAME" of tests/mutants.` is run with that mutant of its lock.
"""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
LABELS = Path(__file__).resolve().parent / "labels"
VAGUE = "unknown"
FIELDS = ("victim", "culprit", "operation", "server", "at_ms")
# Readers round, and take the sending or the execution.
INSTANT_TOLERANCE_MS = 1

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
        beside = Path(folder) / Path(scenario).stem
        search_mutants.copy_scripts(REPOSITORY / "scripts", beside / "scripts")
        search_mutants.write(mutants[mistake], beside / "scripts")
        copy = beside / Path(scenario).name
        copy.write_text(re.sub(r'^lock( *)= "', r'lock\1= "./scripts/', text, flags=re.MULTILINE), encoding="utf-8")
        found[str(copy)] = scenario
    return found


def told(program, runs):
    """(scenario, seed, property) → the verdict, with its causes."""
    by_seed = {}
    for scenario, seed in runs:
        by_seed.setdefault(seed, set()).add(scenario)
    found = {}
    for seed, scenarios in by_seed.items():
        with tempfile.TemporaryDirectory() as folder:
            paths = with_mistakes(sorted(scenarios), folder)
            result = subprocess.run([str(program), "run", *paths, "--seed", str(seed), "--format", "json",
                                     "--out", f"{folder}/out"],
                                    cwd=REPOSITORY, capture_output=True, text=True, check=False)
        for scenario in json.loads(result.stdout)["scenarios"]:
            for verdict in (scenario.get("example") or {"verdicts": []})["verdicts"]:
                if verdict["result"] == "violated":
                    found[paths[scenario["path"]], seed, verdict["property"]] = verdict
    return found


def over_at_ns(verdict):
    """When the last of what the verdict tells was over; infinite: it goes on, or is one instant."""
    ends = [evidence.get("until_ns") for evidence in verdict["evidence"]]
    return math.inf if None in ends else max(ends, default=math.inf)


def judge(label, causes):
    """right, vague, wrong; none where the violation does not happen any more."""
    if causes is None:
        return "gone"
    kind = causes[0]["kind"] if causes else VAGUE
    if kind in label["kind"]:
        return "right"
    return "vague" if kind == VAGUE else "wrong"


def judge_field(field, label, causes):
    """right; told, in words alone; missing: nothing is said of it; other. None where the label does not give it.

    Of those causes whose kind the label accepts. A host that a label calls the culprit is the cause's server.
    """
    value = label.get(field)
    if value in (None, ""):
        return None
    accepted = [cause for cause in causes if cause["kind"] in label["kind"]]
    words = " ".join(sentence for cause in accepted for sentence in cause["says"])
    if field == "at_ms":
        if any(abs(cause["at_ns"] / 1e6 - value) <= INSTANT_TOLERANCE_MS for cause in accepted):
            return "right"
        instants = [float(number.replace(",", "")) for number in re.findall(r"([\d,]+(?:\.\d+)?) ms", words)]
        return "told" if any(abs(instant - value) <= INSTANT_TOLERANCE_MS for instant in instants) else "other"
    is_host = field == "culprit" and "/" not in value
    given = [cause["server" if is_host else field] for cause in accepted]
    if value in given:
        return "right"
    if value in words.replace("'s", " ").replace(",", " ").replace(".", " ").split():
        return "told"
    return "other" if any(given) else "missing"


def compare(program):
    """(label, causes, judgement) of each label; and those causes that come after what they are to explain."""
    known = labels()
    verdicts = told(program, {(label["scenario"], label.get("seed", 1)) for label in known})
    compared = []
    for label in known:
        verdict = verdicts.get((label["scenario"], label.get("seed", 1), label["property"]))
        its = verdict and verdict["causes"]
        compared.append((label, its, judge(label, its)))
    too_late = [(*place, cause) for place, verdict in verdicts.items() for cause in verdict["causes"]
                if cause["at_ns"] > over_at_ns(verdict)]
    return compared, too_late


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="list those that are vague or wrong")
    parser.add_argument("--field", choices=FIELDS, help="list those in which it is missing or another one")
    parser.add_argument("--lockstep", default=os.environ.get("LOCKSTEP_BINARY", str(REPOSITORY / "tools/lockstep")))
    arguments = parser.parse_args()
    counts = {}
    fields = {field: Counter() for field in FIELDS}
    for label, causes, judgement in compare(arguments.lockstep)[0]:
        counts[judgement] = counts.get(judgement, 0) + 1
        if judgement == "right":
            for field in FIELDS:
                fields[field][judge_field(field, label, causes)] += 1
                if arguments.field == field and judge_field(field, label, causes) in ("missing", "other"):
                    print(f"{label['scenario']} {label['property']}: {label[field]}; {label['says']}")
                    print(*("  " + " ".join(cause["says"]) for cause in causes), sep="\n")
        if not arguments.wrong or judgement == "right":
            continue
        print(f"{judgement}: {label['scenario']} {label['property']}: {', '.join(label['kind'])}")
        print(f"  label  {label['says']}")
        for cause in causes or []:
            print(f"  {cause['kind']}  {' '.join(cause['says'])}")
    print(", ".join(f"{counts.get(kind, 0)} {kind}" for kind in ("right", "vague", "wrong", "gone")))
    for field, judged in fields.items():
        print(f"{field}: " + ", ".join(f"{judged[kind]} {kind}" for kind in ("right", "told", "missing", "other")))


if __name__ == "__main__":
    sys.exit(main())
