"""What tools/same says to `lockstep serve`, and how it writes down what comes back.

A talk is a list of steps: a session says a request, before which the clock may move. The server
reads its clock from a file, so that time is part of the talk; what it draws at random is left out.
"""

import random
import re
import socket
import subprocess
from pathlib import Path

from same_literals import literals_of

START_US = 1_700_000_000_000_000
SESSIONS = 3
# Draw at random, end or stop the server, or are about the machine.
LEFT_OUT = re.compile(r"(?i)^(spop|srandmember|hrandfield|zrandmember|randomkey|shutdown|debug|client "
                      r"(kill|pause)|replicaof|slaveof|monitor|psync|sync|lolwut|config rewrite)\b")
# A clock that is stepped stands still while a script runs: no time limit ends such a one.
ENDLESS = re.compile(r"\bwhile (true|1) do|\buntil (false|nil)\b")
RANDOM = re.compile(r"(?i)\b(spop|srandmember|hrandfield|zrandmember|randomkey)\b")
# Those of a process or a connection, which are others each time, how often it was pinged, and the
# length of what has that in it (INFO).
PARTICULAR = re.compile(rb"((?:run_id|master_replid2?|process_id|tcp_port|addr|laddr|fd"
                        rb"|total_commands_processed|cmdstat_ping)[:=])[^\s\\]+|(\$)\d+(?=\\r\\n# )")
KEYS = {"h": "h", "l": "L", "r": "L", "b": "L", "s": "s", "z": "z", "i": "n", "d": "n", "g": "a"}
WORDS = {
    "key": ["a", "b", "h", "L", "s", "z", "n", "k\0\xff", ""],
    "text": ["1", "x", "", "-5", "9223372036854775807", "012", "1.5", " 1", "f\r\n$3", "a\0b\xfe", "x" * 70],
    "number": ["1", "-1", "0", "10", "2", "3", "9223372036854775807", "-9223372036854775808", "x", "", "01"],
    "ms": ["10", "1", "2", "100", "500", "1499", "0", "-1", "x", "1700000000000"],
    "s": ["1", "2", "10", "0", "-1", "x", "9223372036854776"],
    "at": ["1700000000010", "1700000001000", "1699999999999"], "ats": ["1700000001", "1700000002", "1699999999"],
    "index": ["0", "1", "-1", "2", "-2", "3", "-100", "100", "x"], "count": ["1", "2", "0", "10", "-1", "-2", "x"],
    "score": ["1", "2", "0", "-1", "1.5", "-inf", "+inf", "nan", "x", "0.1", "1e17", "-0", "0x10"],
    "bound": ["-inf", "+inf", "1", "(1", "2", "(2", "0", "(x", "x", "1.5"],
    "lex": ["-", "+", "[f", "(f", "[", "(g", "[owner:1", "f"],
    "field": ["f", "g", "owner:1", "h", "", "1", "10", "\0\xff", "x" * 70],
    "option": ["NX", "XX", "GET", "KEEPTTL", "nx", "PX", "FOO", "PERSIST"],
    "condition": ["NX", "XX", "GT", "LT", "xx", "FOO"], "channel": ["news", "news.1", "other", ""],
    "pattern": ["news*", "?ther", "x[^0-9]"], "glob": ["*", "a", "[a-h]", "[^a]", "?", "*:*", "[", "a*b"],
    "word": ["LEFT", "RIGHT", "left", "BEFORE", "AFTER", "COUNT", "LIMIT", "MATCH", "FOO"],
    "lock": ["L", "a"], "owner": ["owner:1", "f"]}
POPULATION = ["SET a $text", "SET n 10 PX $ms", "HSET h f 1 g 2 $field $text", "RPUSH L $text 1 2 f",
              "SADD s 1 2 10 $field", "ZADD z 1 f 2 g 2 h $score $field"]
CLEAN = ["FLUSHALL", "SCRIPT FLUSH", "CONFIG RESETSTAT"]


def _words_of(line, dice, scripts):
    """A request of a template such as "SET $key $text PX $ms"."""
    words = []
    for word in line.split(" "):
        name = word[1:]
        if word == "$script":
            word = dice.choice(scripts or ["return 1"])
        elif word == "$key" and dice.random() < 0.7:
            word = KEYS.get(line[0].lower(), "a")
        elif word.startswith("$"):
            word = dice.choice(WORDS.get(name, WORDS["text"]))
        words.append("" if word == "''" else word)
    return words


def _step(words, session=0, advance_us=0):
    return {"session": session, "advance_us": advance_us, "words": words}


def _random_talk(name, templates, scripts, requests):
    dice = random.Random(name)
    talk = []
    for number in range(requests):
        if number % 60 == 0:
            talk += [_step(["RESET"], session) for session in range(SESSIONS)]
            lines = CLEAN + POPULATION
        else:
            lines = [dice.choice(templates if templates and dice.random() < 0.9 else POPULATION)]
        for line in lines:
            advance_us = dice.choice([0] * 8 + [1000, 9_999_000, 10_000, 500_000])
            words = _words_of(line, dice, scripts)
            if dice.random() < 0.02:
                words = words[:-1] or words
            talk.append(_step(words, dice.randrange(SESSIONS) if number % 2 else 0, advance_us))
    return talk


def _programs_of(text):
    parts = re.split(r"^--%%(.*)\n", text, flags=re.M)
    before = ""
    for heading, program in zip(parts[1::2], parts[2::2]):
        if heading.strip() == "before each":
            before = program
        else:
            yield before + program


def make(sources, scripts, known):
    """Yields names and talks: of templates of commands, Lua programs and locks' scripts found in files."""
    everything = []
    scripts = [script for script in scripts if not RANDOM.search(script) and not ENDLESS.search(script)]
    for path in sources:
        if path.name.endswith("_templates.cpp"):
            templates = [line for line in literals_of(path)
                         if line.split(" ")[0].lower() in known | {"nosuch"} and not LEFT_OUT.match(line)]
            everything += templates
            for number in range(3):
                name = f"{path.stem}-{number}"
                yield name, _random_talk(name, templates, scripts, 800)
        elif path.suffix == ".lua":
            text = path.read_text(encoding="utf-8", errors="replace")
            if re.search(r"^--%%", text, re.M):
                yield f"programs-{path.stem}", [
                    _step(words) for program in _programs_of(text) if not RANDOM.search(program)
                    for words in (["FLUSHALL"], ["SET", "s", "x"], ["EVAL", program, "0"])]
            elif "KEYS[" in text:
                yield f"script-{path.parent.name}-{path.stem}", _random_talk(path.name, [
                    "EVAL $script 1 $lock $number $owner", "EVAL $script 2 $lock $key $ms $owner",
                    "EVAL $script 3 $lock $key $channel $ms $owner $number", "SUBSCRIBE $channel",
                    "EVAL $script 2 $lock $key $owner $ms", "HSET $lock $owner 1"], [text], 120)
        elif "/corpus/resp/" in path.as_posix():
            yield f"bytes-{path.name}", [_step(path.read_bytes().decode("latin1"))]
    for number in range(20):
        yield f"mixed-{number}", _random_talk(f"mixed-{number}", everything, scripts, 1000)


class Server:
    """`lockstep serve` with a clock that is stepped, and sessions with it."""

    def __init__(self, lockstep, folder, environment):
        self.folder = Path(folder)
        self.time_us = START_US
        self.clock = open(self.folder / "clock", "wb+", buffering=0)
        self.step_clock(0)
        self.process = subprocess.Popen([lockstep, "serve", "--unix", "sock", "--clock", "clock"], cwd=folder,
                                        env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        self.process.stdout.readline()
        self.control = self._connect()
        self.control.settimeout(60)
        _ask(self.control, b"DEBUG SET-ACTIVE-EXPIRE 0\r\n")
        self.sessions = [self._connect() for _ in range(SESSIONS)]

    def _connect(self):
        session = socket.socket(socket.AF_UNIX)
        session.settimeout(60)
        session.connect(str(self.folder / "sock"))
        _ask(session, b"PING\r\n")  # it is accepted now
        session.settimeout(None)  # or looking for what has come would wait, too
        return session

    def step_clock(self, advance_us):
        self.time_us += advance_us
        self.clock.seek(0)
        self.clock.write(self.time_us.to_bytes(8, "little", signed=True))

    def say(self, step):
        """Yields what then comes in which session: None where it was closed, and is opened again."""
        self.step_clock(step["advance_us"])
        words = step["words"]
        if isinstance(words, str):
            request = words.encode("latin1")
        else:
            encoded = [word.encode("utf-8") for word in words]
            request = b"*%d\r\n" % len(encoded) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word)
                                                           for word in encoded)
        self.sessions[step["session"]].sendall(request)
        for _ in range(2):  # then the server has read it, and has sent what it has to say
            _ask(self.control, b"PING\r\n")
        for number, session in enumerate(self.sessions):
            received, is_open = _receive(session)
            if received:
                yield number, received
            if not is_open:
                session.close()
                self.sessions[number] = self._connect()
                yield number, None

    def close(self):
        for session in (self.control, *self.sessions):
            session.close()
        self.clock.close()
        self.process.kill()  # a server that is busy with a script would not end by itself
        self.process.communicate()


def _ask(session, request):
    session.sendall(request)
    reply = b""
    while not reply.endswith(b"\r\n"):
        more = session.recv(100)
        if not more:
            raise ConnectionError("the server has ended")
        reply += more


def _receive(session):
    received = b""
    try:
        while more := session.recv(1 << 16, socket.MSG_DONTWAIT):
            received += more
        return received, False
    except BlockingIOError:
        return received, True
    except ConnectionResetError:
        return received, False


def hold(talk, lockstep, folder, environment):
    """Everything that was said and came back, as text."""
    lines = []
    server = Server(lockstep, folder, environment)
    try:
        for step in talk:
            lines.append(f"{step['session']} +{step['advance_us']} > {step['words']!a}".encode())
            for number, received in server.say(step):
                shown = b"closed" if received is None else repr(received)[2:-1].encode()
                lines.append(b"  %d < %s" % (number, PARTICULAR.sub(rb"\1\2PARTICULAR", shown)))
    except (ConnectionError, TimeoutError) as error:
        lines.append(f"ended: {error}".encode())
    finally:
        server.close()
    return b"\n".join(lines) + b"\n"
