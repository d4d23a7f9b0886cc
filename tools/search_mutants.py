"""Mutants of whole locks, for tools/mutate-search: those written by hand, and those made by operators.

By hand: tests/mutants/LOCK.toml, a [[mutant]] for each.

    name        unique among all, begins with the lock's
    what        what went wrong, as a colleague would say it
    file        relative to the lock's folder; another lock's where this one uses it ("../plain/place.lua")
    within      (optional) the beginning of a function, in which alone is looked: "function model.lock("
    replace     what is replaced; it occurs once. A list where several places change at once
    with        what stands there instead; a list as long
    changes     words of which a cause must name one: the client function, the script, the step
    properties  what can break; the lock promises all of it
    equivalent  (optional) why no client can tell; then `properties` is empty

By operators: tools/lua_mutants.py on the client models, libraries and server scripts of all locks, but
for what tests/mutants/unjudged.toml names: an [[unjudged]] has file, text (occurs once) and reason. Its
[[equivalent]] has the names of such mutants, or a file and a text that they are in, and the reason why no
client can tell; they stay in the draw, so that others stay where they are. A [[tried_on]] has file, text and
the lock that is searched for mutants in it: one that comes there, as that of the file does not.
"""

import hashlib
import random
import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

import lua_mutants

KEYS = ("name", "what", "file", "within", "replace", "with", "changes", "properties", "equivalent")
OPTIONAL = ("within", "equivalent")


@dataclass(frozen=True)
class Mutant:
    """A lock with one mistake: `texts` has the files that differ, relative to scripts/."""

    name: str
    lock: str
    what: str
    texts: tuple
    changes: tuple
    properties: tuple = ()
    equivalent: str = ""
    by_hand: bool = True

    @property
    def half(self):
        """By a hash of the name, so that nobody chooses."""
        return "second" if hashlib.sha256(self.name.encode()).digest()[0] >> 7 else "first"

    @property
    def digest(self):
        """Of what is changed: a result counts for just this text."""
        parts = [self.lock, *(part for text in self.texts for part in text)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def names_its_change(self, cause):
        """Whether a cause has one of the words, as a whole word, whatever the case."""
        return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", cause, re.IGNORECASE)
                   for word in self.changes)


def locks_in(scripts):
    return [path.parent.name for path in sorted(scripts.glob("*/lock.toml"))]


def client_texts_of(scripts, lock):
    """Of the client model, its libraries and its base's, by path relative to scripts/."""
    table = described(scripts, lock)
    texts = client_texts_of(scripts, table["base"]) if "base" in table else {}
    for each in filter(None, [*table.get("libraries", {}).values(), table.get("client")]):
        path = (scripts / lock / each).resolve()
        texts[path.relative_to(scripts.resolve()).as_posix()] = path.read_text(encoding="utf-8")
    return texts


def requests_of(scripts, lock):
    """The names of its server scripts, and of those of the lock that it is made of."""
    table = described(scripts, lock)
    base = requests_of(scripts, table["base"]) if "base" in table else frozenset()
    return base | frozenset(table.get("scripts", {}))


def described(scripts, lock):
    return tomllib.loads((scripts / lock / "lock.toml").read_text(encoding="utf-8"))


# -- By hand ----------------------------------------------------------------------------------------


def only_place(text, what, begin=0, end=None):
    """Where `what` is in the text, or in a part of it; it occurs there once."""
    found = text.count(what, begin, end)
    if found != 1:
        raise ValueError(f"{what!r} occurs {found} times, not once")
    return text.index(what, begin)


def function_span(text, beginning):
    """From where a function begins to its `end`, which stands at the beginning of a line."""
    begin = only_place(text, beginning)
    end = text.find("\nend\n", begin)
    if end < 0:
        raise ValueError(f"{beginning!r} has no end")
    return begin, end + 1


def changed(text, mutant):
    """The text with what a [[mutant]] says; ValueError where it doesn't fit."""
    begin, end = function_span(text, mutant["within"]) if "within" in mutant else (0, len(text))
    places, replacements = mutant["replace"], mutant["with"]
    if isinstance(places, str):
        places, replacements = [places], [replacements]
    if len(places) != len(replacements):
        raise ValueError("`replace` and `with` differ in length")
    spans = []
    for place, replacement in zip(places, replacements):
        at = only_place(text, place, begin, end)
        spans.append((at, at + len(place), replacement))
    result = text
    for start, stop, replacement in sorted(spans, reverse=True):
        result = result[:start] + replacement + result[stop:]
    if result == text:
        raise ValueError("nothing is changed")
    return result


def read_mutant(entry, lock, scripts):
    """A Mutant of a [[mutant]] table; ValueError says what is wrong with it."""
    unknown = [key for key in entry if key not in KEYS]
    missing = [key for key in KEYS if key not in OPTIONAL and key not in entry]
    if unknown or missing:
        raise ValueError(f"unknown keys {unknown}, missing keys {missing}")
    if not entry["name"].startswith(f"{lock}-"):
        raise ValueError(f"the name begins with {lock}-")
    promised = described(scripts, lock)["promises"]
    for name in entry["properties"]:
        if name not in promised:
            raise ValueError(f"{lock} does not promise {name}: nobody would notice")
    if not entry["changes"]:
        raise ValueError("`changes` is empty")
    if bool(entry["properties"]) == bool(entry.get("equivalent")):
        raise ValueError("either some property can break, or the mutant is equivalent")
    path = (scripts / lock / entry["file"]).resolve()
    text = changed(path.read_text(encoding="utf-8"), entry)
    if not lua_mutants.is_lua(text):
        raise ValueError("it is no Lua any more")
    return Mutant(entry["name"], lock, entry["what"],
                  ((path.relative_to(scripts.resolve()).as_posix(), text),),
                  tuple(entry["changes"]), tuple(entry["properties"]), entry.get("equivalent", ""))


def by_hand(folder, scripts):
    """All that are written by hand, and what is wrong with the others, one sentence each."""
    mutants, complaints, seen = [], [], set()
    for path in sorted(folder.glob("*.toml")):
        if path.name == "unjudged.toml":
            continue
        for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]:
            name = entry.get("name", "a mutant without a name")
            try:
                if name in seen:
                    raise ValueError("the name is taken")
                seen.add(name)
                mutants.append(read_mutant(entry, path.stem, scripts))
            except (OSError, ValueError) as error:
                complaints.append(f"{path.name}: {name}: {error}")
    return mutants, complaints


# -- By operators -----------------------------------------------------------------------------------


def files_of(scripts, lock):
    """(path relative to scripts/, the server script's name or None) of what the lock is made of, of
    its own; what only a variant uses is left out."""
    table = described(scripts, lock)
    found = {path: name for name, path in table.get("scripts", {}).items()}
    client_files = [*table.get("libraries", {}).values(), table.get("client")]
    found.update((path, None) for path in client_files if path)
    return [(f"{lock}/{path}", name) for path, name in sorted(found.items()) if "/" not in path]


# What a cause calls by its name: operations as histories have them, and what is asked of a server.
_OPERATION = re.compile(r'\.invoke\("(\w+)"')
_OPERATION_IN_FIELD = re.compile(r"\.invoke\(\w+\.(\w+)")
_COMMAND = re.compile(r'\.command\([^"]*"([A-Z]+)"')
_FUNCTION = re.compile(r"^(?:local )?function ([\w.]+)", re.MULTILINE)
_FIELD = re.compile(r'\b(\w+) = "(\w+)"')
_STRING = re.compile(r'"(\w+)"')
_TASK = re.compile(r'\.spawn\("(\w+)"')


def functions_of(text):
    """(name, where it begins, its text) of each function, in order: its `end` stands at the beginning of
    a line, or at the end of its only one."""
    found = []
    for match in _FUNCTION.finditer(text):
        first = text[match.start():text.find("\n", match.start())]
        body = first if first.endswith(" end") else text[match.start():text.find("\nend", match.start())]
        found.append((match.group(1), match.start(), body))
    return found


def _is_called(name, body):
    """Whether a function's text has another's name, as it is called: `ask`, or `watchdog.stop`."""
    last = name.split(".")[-1]
    pattern = rf"\w\.{last}\(" if "." in name else rf'(?<![\w."]){last}\b(?!"|\s*=)'
    return re.search(pattern, body) is not None


def _named_in(body, requests):
    """The operations and requests that a function's text names, in order."""
    scripts = [word for word in _STRING.findall(body) if word in requests]
    return _OPERATION.findall(body) + _COMMAND.findall(body) + scripts


def _in_fields(body, fields):
    """The operations that a function takes from a field of a table, where `fields` has what stands."""
    return [value for field in _OPERATION_IN_FIELD.findall(body) for value in fields.get(field, ())]


def _nearest_named(function, functions, requests, fields):
    """What a function names, or else the nearest of those that it calls, at however many removes; and on
    the way there what is in `fields`."""
    seen, ring, on_the_way = {function}, [function], []
    while ring:
        on_the_way += [word for _, body in ring for word in _in_fields(body, fields)]
        named = [word for _, body in ring for word in _named_in(body, requests)]
        if named:
            return on_the_way + named
        ring = [each for each in functions
                if each not in seen and any(_is_called(each[0], body) for _, body in ring)]
        seen.update(ring)
    return []


def words_around(path, at, texts, requests):
    """The words of which a cause of a change to a client model must name one: the function's name and
    its strings. No cause can name a function that asks nobody for anything: then also what those ask for
    that it calls, or else those that call it, however many are in between, and where it is of a library, which shares its state, the
    others there, the tasks that it spawns, and the steps of client models that call it. `texts`: of all files, by path; `requests`: the names of the lock's server scripts."""
    around = [function for function in functions_of(texts[path]) if function[1] <= at]
    if not around:
        return tuple(dict.fromkeys(_STRING.findall(texts[path])))
    name, _, body = around[-1]
    functions = [(each, inside) for text in texts.values() for each, _, inside in functions_of(text)]
    fields = {}
    for field, value in (each for text in texts.values() for each in _FIELD.findall(text)):
        fields.setdefault(field, []).append(value)
    seen, ring, named = {(name, body)}, [(name, body)], []
    while ring:
        words = {function: _nearest_named(function, functions, requests, fields) for function in ring}
        named += [word for function in ring for word in words[function]]
        ring = [each for each in functions
                if each not in seen and any(_is_called(old[0], each[1]) for old in ring if not words[old])]
        seen.update(ring)
    if not path.endswith("/client.lua"):
        named += [word for _, _, inside in functions_of(texts[path])
                  for word in [*_named_in(inside, requests), *_in_fields(inside, fields)]]
        named += _TASK.findall(texts[path])
        named += [each.removeprefix("model.") for each, inside in functions
                  if each.startswith("model.") and _is_called(name, inside)]
    return tuple(dict.fromkeys([name.split(".")[-1], *_STRING.findall(body), *named]))


@dataclass(frozen=True)
class Judgement:
    """What unjudged.toml says: by file, (begin, end, what) of spans, and of equivalent ones the reasons by
    name."""

    unjudged: dict
    equivalent: dict
    tried_on: dict
    reasons: dict

    @staticmethod
    def of_change(spans, path, change):
        """What the first span says that has the change in it, or None."""
        return next((said for start, end, said in spans.get(path, ())
                     if start <= change.start and change.end <= end), None)


def _spans_of(entries, key, scripts):
    spans = {}
    for entry in entries:
        text = (scripts / entry["file"]).read_text(encoding="utf-8")
        if not entry[key]:
            raise ValueError(f"unjudged.toml: {entry['file']}: the {key} is empty")
        at = only_place(text, entry["text"])
        spans.setdefault(entry["file"], []).append((at, at + len(entry["text"]), entry[key]))
    return spans


def judgement(folder, scripts):
    """What is said of mutants that operators make; ValueError where it doesn't fit."""
    path = folder / "unjudged.toml"
    table = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    equivalent, tried_on = table.get("equivalent", []), table.get("tried_on", [])
    for entry in tried_on:
        if entry["lock"] not in locks_in(scripts):
            raise ValueError(f"unjudged.toml: there is no lock {entry['lock']}")
    return Judgement(_spans_of(table.get("unjudged", []), "reason", scripts),
                     _spans_of([entry for entry in equivalent if "text" in entry], "reason", scripts),
                     _spans_of(tried_on, "lock", scripts),
                     {name: entry["reason"] for entry in equivalent for name in entry.get("names", ())})


def _shown(text, start, end):
    """The lines that a change touches, on one line and without comments."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    return lua_mutants.code_of(text[first:last if last >= 0 else len(text)])


def by_operators(folder, scripts):
    """All that the operators make of all locks, in order."""
    judged = judgement(folder, scripts)
    client_texts = {lock: client_texts_of(scripts, lock) for lock in locks_in(scripts)}
    requests = {lock: requests_of(scripts, lock) for lock in locks_in(scripts)}
    mutants = []
    for lock in locks_in(scripts):
        for path, script in files_of(scripts, lock):
            text = (scripts / path).read_text(encoding="utf-8")
            for change in lua_mutants.changes_of(text, wider=True):
                if judged.of_change(judged.unjudged, path, change):
                    continue
                searched = judged.of_change(judged.tried_on, path, change) or lock
                mutant = lua_mutants.apply(text, change)
                line = text.count("\n", 0, change.start) + 1
                after = _shown(mutant, change.start, change.start + len(change.text))
                what = f"{change.kind}: {_shown(text, change.start, change.end)} → {after or '(dropped)'}"
                digest = hashlib.sha256(mutant.encode()).hexdigest()[:8]
                name = f"{path}:{line}:{change.kind}:{digest}"
                changes = (script,) if script else words_around(path, change.start, client_texts[searched],
                                                                requests[searched])
                if "subscribe(" in text[change.start:change.end]:  # as a cause calls what it makes or ends
                    changes += ("subscribed", "subscription")
                reason = judged.of_change(judged.equivalent, path, change) or judged.reasons.get(name, "")
                mutants.append(Mutant(name, searched, what, ((path, mutant),), changes, equivalent=reason,
                                      by_hand=False))
    unknown = set(judged.reasons) - {mutant.name for mutant in mutants}
    if unknown:
        raise ValueError(f"unjudged.toml: there is no mutant {sorted(unknown)[0]}")
    return mutants


def sample(mutants, count, seed):
    """So many that are not equivalent; the same for the same seed, more of the same for a greater count,
    and of those that stay the same where one turns out to be equivalent."""
    order = list(mutants)
    random.Random(seed).shuffle(order)
    return [mutant for mutant in order if not mutant.equivalent][:count]


# -- On disk ----------------------------------------------------------------------------------------


def copy_scripts(scripts, target):
    """A copy of all locks that is its own: who is based on another is based on the copy."""
    shutil.copytree(scripts, target)
    for path in target.glob("*/lock.toml"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r'^base = "(\w[\w-]*)"', r'base = "../\1"', text, flags=re.MULTILINE),
                        encoding="utf-8")


def write(mutant, scripts):
    """Breaks the copy; what it returns mends it again."""
    originals = [(scripts / path, (scripts / path).read_bytes()) for path, _ in mutant.texts]
    for path, text in mutant.texts:
        Path(scripts / path).write_text(text, encoding="utf-8")

    def mend():
        for path, original in originals:
            path.write_bytes(original)

    return mend
