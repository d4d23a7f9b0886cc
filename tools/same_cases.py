"""What tools/same asks of lockstep: a list of cases, and the files that they are about.

A case is a shell script; `try COMMAND` shows the command, what it says, and its exit code. Everything
is made from what git has of a checkout, found by what files are called and what is in them, not by
where they stand, and from what its program says of itself. The same checkout gives the same cases.
"""

import json
import random
import re
import shutil
import subprocess
from pathlib import Path

import same_talks
from same_literals import kind_of, literals_of

INPUTS = (".toml", ".lua", ".edn", ".jsonl", ".log", ".java", ".js", ".ts")
HEAD = {"title": '"One of many"', "lock": '"plain"', "expect": '{ holds = ["harm"] }'}
CLIENTS = '\n[[client]]\nname = "a"\nrun = ["lock lease=10s", "write", "unlock"]\n\n' \
          '[[client]]\nname = "b"\nrun = ["lock lease=10s", "write", "unlock"]\n'
# The operations that a random history is made of.
OPERATIONS = {
    "mutex": "acquire release", "owned-mutex": "acquire release force-release",
    "reentrant-mutex": "acquire acquire release", "leased-mutex": "acquire release renew",
    "fifo-mutex": "acquire release", "semaphore": "acquire release",
    "read-write-lock": "read-acquire read-release write-acquire write-release",
    "latch": "set-count count-down await", "fenced-lock": "acquire release",
    "register": "read write", "cas-register": "read write cas", "key-value": "read write append"}
STEPS = "faults; clocks; violation; state; back 3; next 2; find lock; go 1ms; without 1; last; state"


class Maker:
    """Puts the inputs of all cases into a folder, and the cases into a list."""

    def __init__(self, tree, lockstep, inputs):
        self.lockstep = lockstep
        self.inputs = inputs
        self.cases = []
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree, stdout=subprocess.PIPE, check=True)
        self.sources = [tree / name for name in sorted(listed.stdout.decode().split("\0"))
                        if name and (tree / name).is_file()]
        self.files = [path.relative_to(tree).as_posix() for path in self.sources
                      if path.suffix in INPUTS or "corpus" in path.parts]
        for name in self.files:
            self._write(name, (tree / name).read_bytes())
        self.scenarios = [name for name in self.files if re.match(r"scenarios/.*\.toml$", name)]
        self.locks = [lock["name"] for lock in self._list("locks")]
        self.models = [model["name"] for model in self._list("models")]
        self.literals = {}  # by kind: pairs of the file's name and a text
        for path in self.sources:
            if path.suffix in (".cpp", ".h", ".py"):
                for text in dict.fromkeys(literals_of(path)):
                    self.literals.setdefault(kind_of(text), []).append((path.stem, text))

    def make(self):
        for each in (self._explore, self._fuzz, self._searches, self._league, self._hashes, self._runs,
                     self._traces, self._checks, self._advice, self._words, self._wrong_scenarios,
                     self._serve):
            each()
        return self.cases

    def _say(self, *words):
        result = subprocess.run([self.lockstep, *words], cwd=self.inputs, stdin=subprocess.DEVNULL,
                                capture_output=True, text=True, check=False)
        return result.stdout + result.stderr

    def _list(self, what):
        return json.loads(self._say("list", what, "--format", "json"))[what]

    def _write(self, name, content):
        path = self.inputs / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else
                         content.encode("utf-8", errors="replace"))
        return name

    def _add(self, subject, name, *lines):
        self.cases.append({"subject": subject, "name": name, "script": "\n".join(lines)})

    def _of_kind(self, kind, suffix):
        """Files with the literals of a kind; by the name of the file that has them."""
        groups = {}
        for stem, text in self.literals.get(kind, ()):
            group = groups.setdefault(stem, [])
            group.append(self._write(f"literals/{kind}/{stem}/{len(group):03}{suffix}", text))
        return groups

    def _explore(self):
        for name in self.scenarios:
            if name.startswith("scenarios/explore/"):
                explore = f"try lockstep explore {name} --deviations 2 --jobs 1 --out out"
                self._add("explore", name, explore, f"{explore} --format json",
                          f"[ $code != 3 ] || {explore} --no-merging --format json",
                          f"try lockstep explore {name} --jobs 1 --faults 1 --delay-steps 3 --deviations 1"
                          " --keep-going --out more --format json")

    def _fuzz(self):
        folders = [name.removesuffix("/lock.toml") for name in self.files
                   if name.endswith("/lock.toml") and not name.startswith("scripts/")]
        opened = [name for name in self.scenarios if name.startswith("scenarios/open")]
        for target in self.locks + folders + opened:
            fuzz = f"try lockstep fuzz {target} --jobs 1"
            self._add("fuzz", target, f"{fuzz} --runs 300 --out out --format json --junit out/junit.xml",
                      f"{fuzz} --runs 100 --keep-going --seed 2 --out more")

    def _searches(self):
        strategies = "uniform swarm pct partial-order delay-bounded mutation branching"
        for target in ("gc-pause", "slow-nodes-unchecked", "lost-deadlines"):
            target = f"scenarios/open/{target}.toml"
            fuzz = f"try lockstep fuzz {target} --jobs 1 --runs 120"
            self._add("searches", f"shards-{target}", f"{fuzz} --shard 1/2 --out a", f"{fuzz} --shard 2/2 --out b",
                      "try lockstep merge a b --out out --format json --html out/report.html",
                      "try lockstep merge a b --out text")
            self._add("searches", f"corpus-{target}", f"{fuzz} --corpus corpus --keep-going --out out",
                      f"try lockstep corpus {target} --corpus corpus --few --format json",
                      f"try lockstep corpus {target} --corpus corpus",
                      "for each in out/*.toml; do try lockstep keep $each --to kept; done")
            self._add("searches", f"strategies-{target}", f"for strategy in {strategies}; do",
                      f"  {fuzz} --strategy $strategy --out $strategy --format json", "done")
        for name in self.scenarios:
            if name.startswith("scenarios/known-bugs/"):
                self._add("shrink", name, f"try lockstep shrink {name} --runs 30 --out out --format json")

    def _league(self):
        for name in self.scenarios:
            if name.startswith("scenarios/open"):
                self._add("league", name, f"try lockstep_league --roots 2 --runs 1000 --format json {name}")

    def _hashes(self):
        for folder in sorted({name.rsplit("/", 1)[0] for name in self.scenarios}):
            self._add("hashes", folder, f"try lockstep_hashes {folder}")

    def _runs(self):
        for name in self.scenarios:
            run = f"try lockstep run {name} --no-files"
            self._add("run", name, f"{run} --seeds 5 --format json", f"{run} --seed 11 --seeds 30",
                      f"{run} --seed 5 -v --annotations github", f"{run} --dry-run")

    def _traces(self):
        for name in self.scenarios:
            self._add(
                "traces", name,
                f"try lockstep run {name} --seed 2 --out out --html out/r.html --junit out/junit.xml",
                "for trace in out/*.jsonl; do", '  [ -f "$trace" ] || continue',
                '  try lockstep replay "$trace" --format json',
                '  try lockstep replay "$trace"',
                '  try lockstep export "$trace" -o "$trace.edn"',
                f"  for model in {' '.join(self.models)}; do",
                '    try lockstep check "$trace.edn" --model $model', "  done",
                '  try lockstep timeline "$trace" -o "$trace.mmd"',
                '  try lockstep timeline "$trace" -o "$trace.dot" --full',
                '  try lockstep timeline "$trace" -o "$trace.hero.svg" --hero',
                '  try lockstep timeline "$trace" -o "$trace.focus.svg" --focus violation',
                f'  try lockstep step "$trace" --commands "{STEPS}"', "done")

    def _checks(self):
        histories = [name for name in self.files
                     if name.startswith("histories/") or "/corpus/history/" in name]
        groups = {name: [name] for name in histories} | self._of_kind("history", ".history")
        for name, files in groups.items():
            self._add("check", name, f"for file in {' '.join(files)}; do",
                      f"  for model in {' '.join(self.models)}; do",
                      "    try lockstep check $file --model $model --witness --out out.dot",
                      "    try lockstep check $file --model $model --format json", "  done", "done")
        for model in self.models:
            files = [self._write(f"histories-made/{model}/{seed:03}.jsonl", _random_history(model, seed))
                     for seed in range(80)]
            self._add("check", f"made-{model}", f"for file in {' '.join(files)}; do",
                      f"  try lockstep check $file --model {model} --witness --out out.dot",
                      f"  try lockstep check $file --model {model} --failed-acquire observed"
                      " --failed-cas ignored --format json", "done")

    def _advice(self):
        scripts = {name: [name] for name in self.files if name.endswith(".lua")}
        for name, files in (scripts | self._of_kind("script", ".lua")).items():
            self._add("lint", name, f"for file in {' '.join(files)}; do", "  try lockstep lint $file",
                      "  try lockstep lint $file --format json", "done")
        for name in self.locks:
            self._add("lint", f"lock-{name}", f"try lockstep lint {name} --format json",
                      f"try lockstep lint {name}")
        programs = {name: [name] for name in self.files if name.endswith((".java", ".js", ".ts"))}
        for suffix in (".java", ".js"):
            programs |= {name + suffix: files for name, files in self._of_kind("program", suffix).items()}
        for name, files in programs.items():
            self._add("extract", name, f"for file in {' '.join(files)}; do",
                      "  try lockstep extract $file --format json", "  try lockstep extract $file", "done")

    def _words(self):
        commands = re.findall(r"[a-z]+", self._say().split("expected")[1].split("\n")[0])
        commands = [name for name in commands if name != "or"]
        for what in ("locks", "scenarios", "faults", "properties", "models", "commands", ""):
            self._add("words", f"list-{what or 'all'}", f"try lockstep list {what}",
                      f"try lockstep list {what} --format json")
        self._add("words", "lockstep", "try lockstep", "try lockstep --help", "try lockstep --version",
                  "try lockstep schema", "try lockstep lint --rules", "try lockstep lint --rules --format json",
                  *(f"try lockstep {_misspelt(name)}" for name in commands))
        self._add("words", "code-of-reports",  # without its comments, which may name source files
                  "try lockstep run scenarios/known-bugs/gc-pause.toml --no-files --html report.html",
                  "sed -e '/^ *\\/\\//d' -e \"s/'sha256-[^']*'//g\" report.html >report.txt")
        for lock in self.locks:
            self._add("words", f"new-{lock}", f"try lockstep new lock mine --from {lock}",
                      f"for topology in standalone replicated independent sentinel cluster; do",
                      f"  try lockstep new scenario s-$topology --lock {lock} --topology $topology",
                      "  try lockstep run s-$topology.toml --no-files", "done")
        targets = {"check": "histories/register.log --model register", "fuzz": "plain --runs 20",
                   "explore": "scenarios/explore/pause.toml --deviations 1", "serve": "",
                   "lint": "plain", "list": "faults", "new": "lock mine", "schema": ""}
        for name in commands:
            target = targets.get(name, "scenarios/known-bugs/gc-pause.toml")
            lines = [f"try lockstep {name} --help", f"try lockstep {name}" + " nothing" * (name != "serve")]
            for option in dict.fromkeys(re.findall(r"--[a-z][a-z-]+", self._say(name, "--help"))):
                lines.append(f"try lockstep {name} {target} {_misspelt(option)}")
                lines.append(f"try lockstep {name} {target} {option}")
                if name != "serve":  # it would begin
                    lines.append(f"try lockstep {name} {target} {option} x")
            self._add("words", f"options-{name}", *lines)

    def _wrong_scenarios(self):
        for name in self.scenarios:
            text = (self.inputs / name).read_text(encoding="utf-8")
            files = [self._write(f"wrong/{name.removesuffix('.toml')}-{seed}.toml", _wrong(text, seed))
                     for seed in range(6)]
            self._add("mistakes", name, f"for file in {' '.join(files)}; do",
                      "  try lockstep run $file --no-files", "done")
        for stem, texts in self._of_kind("scenario", ".toml").items():
            for name in texts:
                text = (self.inputs / name).read_text(encoding="utf-8").replace("⟦", "")
                head = [f"{key} = {value}" for key, value in HEAD.items()
                        if not re.search(rf"^({key} *=|\[{key}\])", text, re.M)]
                self._write(name, "\n".join([*head, text]) + CLIENTS * ("[[client]]" not in text))
            self._add("mistakes", f"literals-{stem}", f"for file in {' '.join(texts)}; do",
                      "  try lockstep run $file --no-files --seeds 2 --format json", "done")

    def _serve(self):
        scripts = [text for _, text in self.literals.get("script", ())]
        known = {each["name"] for each in self._list("commands")}
        for name, talk in same_talks.make(self.sources, scripts, known):
            path = self._write(f"talks/{name}.json", json.dumps(talk))
            self._add("serve", name, f"talk {path}")


def _misspelt(word):
    return word[:-2] + word[-1] + word[-2]


def _random_history(model, seed):
    dice = random.Random(f"{model} {seed}")
    lines, waiting, time = ['{"format":"lockstep-history","version":1}'], {}, 0
    for _ in range(dice.randrange(6, 24)):
        time += dice.randrange(1, 4) * 1_000_000
        process = dice.randrange(3)
        event = {"process": process, "time": time}
        if process in waiting:
            event |= {"type": dice.choice(["ok"] * 8 + ["fail", "info"]), "f": waiting.pop(process)}
            if event["f"] == "read":
                event["value"] = dice.randrange(2)
            if model == "fenced-lock" and event["f"] == "acquire":
                event["token"] = len(lines) + dice.choice((0, 0, 0, -4))
        else:
            waiting[process] = dice.choice(OPERATIONS.get(model, "acquire release").split())
            event |= {"type": "invoke", "f": waiting[process]}
            event["value"] = {"write": dice.randrange(2), "cas": [dice.randrange(2), 1],
                              "append": "x", "set-count": 1}.get(waiting[process])
            event |= {"lease_ms": 5} if model == "leased-mutex" else {}
            event |= {"key": "k"} if model == "key-value" else {}
        lines.append(json.dumps(event))
    return "\n".join(lines) + "\n"


def _wrong(text, seed):
    """The text of a scenario with a small mistake in it, another for each seed."""
    dice = random.Random(f"{text} {seed}")
    lines = text.split("\n")
    place = dice.choice([i for i, line in enumerate(lines) if re.match(r"\[|\w+ *=", line)] or [0])
    key, equals, value = lines[place].partition("=")
    letter = dice.randrange(max(len(value), 1))
    lines[place] = dice.choice([
        _misspelt(key.strip() or "xx") + " =" + value, key + equals + value[:letter] + value[letter + 1:],
        key + equals + dice.choice([" 7", ' "x"', ' "-1s"', " []", " true", ' { x = 1 }', " "]),
        f"{lines[place]}\n{lines[place]}", "", f'{lines[place]}\nunknown = "x"',
        lines[place].replace("]", "", 1).replace("=", "= =", 1)])
    return "\n".join(lines)


def make(tree, lockstep, inputs):
    """Writes the inputs of this checkout's cases into a folder. Returns the cases."""
    shutil.rmtree(inputs, ignore_errors=True)
    Path(inputs).mkdir(parents=True)
    return Maker(Path(tree), str(lockstep), Path(inputs)).make()
