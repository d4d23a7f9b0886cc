"""What a Lua script can be changed to: one statement dropped, one comparison, number or key changed.

The script is parsed, so that a statement may stand on one line or on many. What it knows is Lua 5.1,
the language of Redis, and what client models use of 5.4; it takes a script that Redis accepts, and
raises SyntaxError where it is lost. Every mutant keeps the lines in their places.

`wider` asks for more kinds, which client models want: conditions negated, * and // exchanged, true
and false exchanged, arguments swapped or left out, and errors that nobody handles.
"""

import re
from dataclasses import dataclass

_TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<comment>--\[(?P<ceq>=*)\[.*?\](?P=ceq)\]|--[^\n]*)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[(?P<seq>=*)\[.*?\](?P=seq)\])
  | (?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<symbol>\.\.\.|\.\.|==|~=|<=|>=|//|[-+*/%^\#<>=(){}\[\];:,.])
""", re.VERBOSE | re.DOTALL)

KEYWORDS = frozenset("and break do else elseif end false for function if in local nil not or repeat "
                     "return then true until while".split())

_BINARY = frozenset(["+", "-", "*", "/", "//", "^", "%", "..", "<", "<=", ">", ">=", "==", "~=",
                     "and", "or"])

# Its opposite, and what differs from it only where both sides are the same.
COMPARISONS = {"==": ("~=",), "~=": ("==",), "<": ("<=", ">="), "<=": ("<", ">"),
               ">": (">=", "<="), ">=": (">", "<")}


_ARITHMETIC = {"*": "//", "/": "*", "//": "*"}

# A statement that has one of these and is dropped was there for the case that something goes wrong.
_ERROR_PATH = re.compile(r"\b(error|client\.refuse)\s*\(")


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Change:
    """`text` in place of what stands from `start` to `end`."""

    kind: str
    start: int
    end: int
    text: str


def tokens_of(source):
    """Without space and comments; the last one is empty."""
    found, at = [], 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if not match:
            raise SyntaxError(f"no Lua: {source[at:at + 20]!r}")
        kind = match.lastgroup if match.lastgroup not in ("ceq", "seq") else (
            "comment" if match.group("comment") else "string")
        if kind not in ("space", "comment"):
            if kind == "name" and match.group() in KEYWORDS:
                kind = "keyword"
            found.append(Token(kind, match.group(), at, match.end()))
        at = match.end()
    found.append(Token("end", "", at, at))
    return found


class _Parser:
    """Walks a script once and notes what can be changed."""

    def __init__(self, source, wider=False):
        self.source = source
        self.wider = wider
        self.tokens = tokens_of(source)
        self.at = 0
        self.called_for_itself = None  # where the last statement began that is an expression
        self.changes = []

    # -- Tokens

    @property
    def token(self):
        return self.tokens[self.at]

    def sees(self, *texts):
        return self.token.text in texts and self.token.kind in ("keyword", "symbol")

    def take(self, *texts):
        token = self.token
        if texts and not self.sees(*texts):
            raise SyntaxError(f"{' or '.join(texts)} expected at {token.start}, not {token.text!r}")
        self.at += 1
        return token

    def takes(self, text):
        if not self.sees(text):
            return False
        self.at += 1
        return True

    def name(self):
        if self.token.kind != "name":
            raise SyntaxError(f"a name expected at {self.token.start}, not {self.token.text!r}")
        self.at += 1

    def end_of_last(self):
        return self.tokens[self.at - 1].end

    def change(self, kind, start, end, text):
        self.changes.append(Change(kind, start, end, text))

    # -- Statements

    def chunk(self):
        self.block()
        if self.token.kind != "end":
            raise SyntaxError(f"a statement expected at {self.token.start}")

    def block(self):
        while self.token.kind != "end" and not self.sees("end", "else", "elseif", "until"):
            start = self.token.start
            is_return = self.sees("return")
            self.statement()
            self.change(self.kind_of_statement(start), start, self.end_of_last(), "")
            if is_return:
                self.returned(start)
            self.takes(";")

    def kind_of_statement(self, start):
        """Of a statement of several lines nobody knows what it is there for."""
        text = self.source[start:self.end_of_last()]
        is_error_path = self.wider and "\n" not in text and _ERROR_PATH.search(text)
        return "error-path" if is_error_path else "statement"

    def returned(self, start):
        value_starts = start + len("return")
        for value in ("nil", "0", "1"):
            self.change("return", start, max(value_starts, self.end_of_last()), f"return {value}")

    def statement(self):
        compound = {"if": self.if_statement, "while": self.while_loop, "for": self.for_loop,
                    "repeat": self.repeat_loop, "do": self.do_block, "local": self.local,
                    "function": self.function, "return": self.return_statement}
        if self.token.kind == "keyword" and self.token.text in compound:
            compound[self.take().text]()
        elif not self.takes("break"):
            self.called_for_itself = self.token.start
            self.expressions()
            if self.takes("="):
                self.expressions()

    def if_statement(self):
        self.condition()
        self.take("then")
        self.block()
        while self.takes("elseif"):
            self.condition()
            self.take("then")
            self.block()
        if self.takes("else"):
            self.block()
        self.take("end")

    def while_loop(self):
        self.condition()
        self.do_block(self.take("do"))

    def do_block(self, _do=None):
        self.block()
        self.take("end")

    def for_loop(self):
        while not self.sees("=", "in"):
            self.take()
        self.take("=", "in")
        self.expressions()
        self.do_block(self.take("do"))

    def repeat_loop(self):
        self.block()
        self.take("until")
        self.condition()

    def local(self):
        if self.takes("function"):
            self.function()
            return
        self.attributed_name()
        while self.takes(","):
            self.attributed_name()
        if self.takes("="):
            self.expressions()

    def attributed_name(self):
        self.name()
        if self.takes("<"):
            self.name()
            self.take(">")

    def function(self):
        while not self.takes("("):
            self.take()
        while not self.takes(")"):
            self.take()
        self.do_block()

    def return_statement(self):
        if self.token.kind != "end" and not self.sees("end", "else", "elseif", "until", ";"):
            self.expressions()

    # -- Expressions

    def condition(self):
        start = self.token.start
        self.expression()
        for value in ("true", "false"):
            self.change("condition", start, self.end_of_last(), value)
        if self.wider:
            text = self.source[start:self.end_of_last()]
            self.change("negated", start, self.end_of_last(), f"not ({text})")

    def expressions(self):
        """Where each begins and ends."""
        spans = []
        while not spans or self.takes(","):
            start = self.token.start
            self.expression()
            spans.append((start, self.end_of_last()))
        return spans

    def expression(self):
        self.operand()
        while self.token.text in _BINARY and self.token.kind in ("keyword", "symbol"):
            operator = self.take()
            if operator.text in ("and", "or"):
                other = "or" if operator.text == "and" else "and"
                self.change("operator", operator.start, operator.end, other)
            if operator.text in ("+", "-"):
                other = "-" if operator.text == "+" else "+"
                self.change("operator", operator.start, operator.end, other)
            if self.wider and operator.text in _ARITHMETIC:
                other = _ARITHMETIC[operator.text]
                self.change("arithmetic", operator.start, operator.end, other)
            for other in COMPARISONS.get(operator.text, ()):
                self.change("comparison", operator.start, operator.end, other)
            self.operand()

    def operand(self):
        start = self.token.start
        if self.sees("not"):
            token = self.take()
            self.change("operator", token.start, self.token.start, "")
            self.operand()
        elif self.sees("-") and self.tokens[self.at + 1].kind == "number":
            self.take()
            self.number(start)
        elif self.sees("-", "#"):
            self.take()
            self.operand()
        elif self.token.kind == "number":
            self.number(start)
        elif self.token.kind == "string" or self.sees("nil", "true", "false", "..."):
            token = self.take()
            if self.wider and token.text in ("true", "false"):
                other = "false" if token.text == "true" else "true"
                self.change("constant", token.start, token.end, other)
            self.suffixes("", start)
        elif self.takes("function"):
            self.function()
        elif self.sees("{"):
            self.table()
        else:
            self.prefixed()

    def number(self, start):
        token = self.take()
        if not token.text.isdigit():
            return
        value = -int(token.text) if start < token.start else int(token.text)
        self.change("number", start, token.end, str(value + 1))
        if value:
            self.change("number", start, token.end, str(-value))

    def prefixed(self):
        name, start = "", self.token.start
        if self.takes("("):
            self.expression()
            self.take(")")
        elif self.token.kind == "name":
            name = self.take().text
        else:
            raise SyntaxError(f"an expression expected at {self.token.start}")
        self.suffixes(name, start)

    def suffixes(self, name, start):
        while True:
            if self.takes("."):
                self.take()
            elif self.takes(":"):
                self.take()
            elif self.takes("["):
                self.index(name)
                self.take("]")
            elif self.takes("("):
                spans = [] if self.sees(")") else self.expressions()
                self.take(")")
                if self.wider:
                    self.arguments(spans)
                    if name == "pcall":
                        self.unprotected(start, spans)
            elif self.sees("{"):
                self.table()
            elif self.token.kind == "string":
                self.take()
            else:
                return
            name = ""

    def arguments(self, spans):
        """Two that stand side by side change places; the last one of several is left out."""
        for (start, end), (next_start, next_end) in zip(spans, spans[1:]):
            between = self.source[end:next_start]
            text = self.source[next_start:next_end] + between + self.source[start:end]
            self.change("argument", start, next_end, text)
        if len(spans) > 1:
            self.change("argument", spans[-2][1], spans[-1][1], "")

    def unprotected(self, start, spans):
        """What pcall was given is called, and what it raises goes on."""
        called, *arguments = (self.source[first:last] for first, last in spans)
        if called.startswith("function"):
            called = f"({called})"
        replied = "" if start == self.called_for_itself else "true, "
        if replied or called[0] != "(":  # as a statement it would belong to the line above
            text = f"{replied}{called}({', '.join(arguments)})"
            self.change("error-path", start, self.end_of_last(), text)

    def index(self, name):
        """Of KEYS and ARGV the neighbours are used; other indices are numbers like all."""
        is_parameter = name in ("KEYS", "ARGV") and self.token.kind == "number"
        if not is_parameter or self.tokens[self.at + 1].text != "]":
            self.expression()
            return
        token = self.take()
        for other in (int(token.text) - 1, int(token.text) + 1):
            if other > 0:
                self.change("parameter", token.start, token.end, str(other))

    def table(self):
        self.take("{")
        while not self.takes("}"):
            if self.takes("["):
                self.expression()
                self.take("]")
                self.take("=")
            elif self.token.kind == "name" and self.tokens[self.at + 1].text == "=":
                self.take()
                self.take("=")
            self.expression()
            if self.sees(",", ";"):
                self.take()


def changes_of(source, wider=False):
    """All changes of a script, in the order of where they begin; each gives another script."""
    parser = _Parser(source, wider)
    parser.chunk()
    order = ("statement", "error-path", "condition", "negated", "operator", "arithmetic", "comparison",
             "return", "number", "constant", "parameter", "argument")
    changes = sorted(parser.changes, key=lambda each: (each.start, order.index(each.kind)))
    said = code_of if wider else _tokens_in_a_row
    seen = {said(source)}
    for change in changes:
        mutant = apply(source, change)
        text = said(mutant)
        if text not in seen and (change.kind != "error-path" or is_lua(mutant)):
            seen.add(text)
            yield change


def _tokens_in_a_row(source):
    return " ".join(token.text for token in tokens_of(source))


def is_lua(source):
    """Whether a script can be parsed."""
    try:
        _Parser(source).chunk()
    except SyntaxError:
        return False
    return True


def apply(source, change):
    """The changed script; what is left out leaves its lines behind."""
    lines = source.count("\n", change.start, change.end) - change.text.count("\n")
    return source[: change.start] + change.text + "\n" * lines + source[change.end :]


def code_of(lines):
    """Lines without comments; all space is one blank."""
    return " ".join(re.sub(r"--.*$", "", lines, flags=re.MULTILINE).split())
