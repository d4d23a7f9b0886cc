"""Whether what lockstep fuzz saves agrees with what it tells, and with what the program makes of it.

complaints(program, document) judges the JSON of a search, scenario files' or locks'. As a command
it makes the searches itself: LOCKSTEP_BINARY=… tests/app/saved_findings.py "plain --runs 400" …
"""

import json
import re
import shlex
import sys
from pathlib import Path

from program import Program


def json_of(result, wanted):
    """The JSON that a command printed; none where it ended otherwise."""
    return json.loads(result.stdout) if result.returncode == wanted else None


class SavedFinding:
    """One finding of a search's JSON, and its files."""

    def __init__(self, program, finding):
        self.program = program
        self.finding = finding
        self.name = Path(finding["scenario"]).name.removesuffix(".toml")
        self.text = (program.folder / finding["scenario"]).read_text(encoding="utf-8")
        self.wrong = []

    def expect(self, is_so, *words):
        if not is_so:
            self.wrong.append(f"{self.finding['scenario']}: " + " ".join(map(str, words)))
        return is_so

    def check_names(self):
        """Headline, title, name and scenario have the same faults."""
        finding = self.finding
        written = sorted(set(re.findall(r"(?m)^\[\[fault\]\]\n(\w+)", self.text)))
        self.expect(written == sorted(finding["kinds"]), "told", finding["kinds"], "written", written)
        name = "-".join([finding["property"], *finding["kinds"]])
        self.expect(re.search(rf"-{name}(-\d+)?$", self.name), "its name lacks", name)
        title = re.search(r'(?m)^title *= "(.*)"$', self.text).group(1)
        self.expect(title.startswith(finding["property"]), "its title is", title)
        self.expect("never" not in finding["needs"],
                    "not needed:", list(zip(finding["faults"], finding["needs"])))

    def check_run(self):
        """The scenario breaks the property, for the reason that is told."""
        result = self.program.run("run", self.finding["scenario"], "--no-files", "--format", "json")
        document = json_of(result, 0)
        if not self.expect(document, "run ended", result.returncode, result.stdout, result.stderr):
            return
        scenario, = document["scenarios"]
        if "expects nothing" in self.text:
            self.expect(not self.finding["breaks_always"], "it expects nothing")
            return
        counts = {each["property"]: each for each in scenario["properties"]}
        self.expect(counts[self.finding["property"]]["violated"] > 0, "nothing breaks in its run")
        why = scenario["example"]["why"]
        for sentence in self.finding.get("cause", [])[:2]:
            self.expect(sentence in why, "the cause told is", sentence, "the run's", why)

    def check_traces(self):
        """They replay, and show the violation."""
        finding = self.finding
        if not finding["trace"]:
            return
        for trace in (finding["trace"], finding["found_trace"]):
            result = self.program.run("replay", trace)
            self.expect(result.returncode == 0, "replay ended", result.returncode, result.stderr)
            with open(self.program.folder / trace, encoding="utf-8") as lines:
                verdicts = [json.loads(line) for line in lines if line.startswith('{"verdict"')]
            broken = [each["verdict"] for each in verdicts if each["result"] == "violated"]
            self.expect(finding["property"] in broken, trace, "shows", broken)

    def check_picture(self):
        if self.finding["timeline"]:
            picture = (self.program.folder / self.finding["timeline"]).read_text(encoding="utf-8")
            self.expect(f"Violated: {self.finding['property']}" in picture or
                        self.finding["property"] in picture, "its picture does not tell it")

    def check(self):
        self.check_names()
        self.check_run()
        self.check_traces()
        self.check_picture()
        return self.wrong


def header_complaints(program, texts):
    """Each file says who found it; that can be run, and finds something."""
    wrong = []
    commands = {}
    for text in texts:
        found = re.match(r"# Found by lockstep (fuzz .+): run (\d+), [\w-]+\.\n", text)
        if not found:
            wrong.append(f"nobody found it: {text.splitlines()[0]}")
            continue
        words, run = shlex.split(found.group(1)), found.group(2)
        if words[-2:] != ["--runs", run]:
            wrong.append(f"its runs end before run {run}: {words}")
        commands.setdefault(tuple(words[:-2]), []).append(int(run))
    for words, runs in commands.items():
        result = program.run(*words, "--runs", str(min(runs)), "--jobs", "1", "--format", "json",
                             "--out", "again")
        document = json.loads(result.stdout) if result.returncode in (0, 1, 3) else None
        again = [each["run"] for target in document["targets"]
                 for each in target["findings"] + target["incidents"]] if document else []
        if min(runs) not in again:
            wrong.append(f"{shlex.join(words)} --runs {min(runs)} ended {result.returncode}, found in runs "
                         f"{again}: {result.stderr}")
    return wrong


def complaints(program, document):
    """What is wrong with what a search saved, a sentence each."""
    wrong = []
    texts = []
    for target in document["targets"]:
        for finding in target["findings"]:
            if not finding["scenario"]:
                continue
            saved = SavedFinding(program, finding)
            texts.append(saved.text)
            wrong += saved.check()
        for incident in target["incidents"]:
            texts.append((program.folder / incident["scenario"]).read_text(encoding="utf-8"))
            for command in (("run", incident["scenario"], "--no-files"),
                            ("replay", incident["found_trace"])):
                result = program.run(*command)
                if result.returncode not in (0, 1, 3) or result.stderr:
                    wrong.append(f"{' '.join(command)}: {result.stderr}")
    return wrong + header_complaints(program, texts)


def main():
    program = Program()
    failed = False
    try:
        for search in sys.argv[1:]:
            words = shlex.split(search)
            words[0] = str(Path(words[0]).resolve()) if Path(words[0]).exists() else words[0]
            result = program.run("fuzz", *words, "--out", "out", "--format", "json")
            if result.returncode not in (0, 1, 3):
                print(f"== {search}: ended {result.returncode}: {result.stderr}")
                failed = True
                continue
            document = json.loads(result.stdout)
            count = sum(len(target["findings"]) for target in document["targets"])
            wrong = complaints(program, document)
            print(f"== {search}: {count} findings, {len(wrong)} wrong", *wrong, sep="\n   ", flush=True)
            failed = failed or bool(wrong)
    finally:
        program.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
