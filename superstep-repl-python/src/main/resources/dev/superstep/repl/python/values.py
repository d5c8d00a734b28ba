# The side of a session that is in Python, part 1: frames, and values as they cross. It is followed
# by session.py in the same program. It is no boundary: a cell can reach all of it. What a cell may do
# is for the sandbox and the host to say.

import ast
import builtins
import collections.abc
import hashlib
import io
import json
import math
import os
import re
import sys
import threading
import types

FRAME_MOST = 16 << 20
VALUES_MOST = 400_000
DEEP_MOST = 200
WINDOW = 1 << 16
STREAM_MOST = 1 << 12
SHOWN = 2_000
NAMES_MOST = 10_000
TOLD_MOST = 200_000

# Frames have descriptors of their own: what a cell prints, or a program that it starts, is none.
inward = os.dup(0)
outward = os.dup(1)
null = os.open(os.devnull, os.O_RDWR)
os.dup2(null, 0)
os.dup2(null, 1)
sys.path = [p for p in sys.path if p]


def leave_fork():
    # A copy of this process must not talk in its name.
    os.close(inward)
    os.close(outward)


os.register_at_fork(after_in_child=leave_fork)

lock = threading.RLock()
exit_now, read_some, write_some = os._exit, os.read, os.write
dumps, loads = json.dumps, json.loads


def send(frame):
    data = dumps(frame, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    if len(data) > FRAME_MOST:
        raise ValueError("a value is too large for the host")
    data = len(data).to_bytes(4, "big") + data
    while data:
        data = data[write_some(outward, data):]


def take(count):
    parts = []
    while count:
        part = read_some(inward, min(count, 1 << 20))
        if not part:
            exit_now(0)
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def receive():
    return loads(take(int.from_bytes(take(4), "big")).decode("utf-8"))


# --- values ---


class HostError(Exception):
    """A call of the host that came to nothing."""

    def __init__(self, message="", code="raised"):
        super().__init__(message)
        self.message = message
        self.code = code


class Result:
    """An item of a batch: ok, value, error."""

    __slots__ = ("ok", "value", "error")

    def __init__(self, ok, value, error):
        self.ok, self.value, self.error = ok, value, error

    def __repr__(self):
        return f"Result(ok={self.ok!r}, value={self.value!r}, error={self.error!r})"


class Handle:
    """Something of the host that can only be passed on."""

    def __init__(self, number, kind, label):
        self._number, self.kind, self.label = number, kind, label

    def __repr__(self):
        return f"<{self.kind} {self.label}>"


class HostFunction:
    """A function of the host."""

    def __init__(self, name):
        self.__name__ = name

    def __call__(self, *args, **named):
        return call(self.__name__, args, named)

    def __repr__(self):
        return f"<built-in function {self.__name__}>"


class Text:
    """A view of a large text of the host, which is read by pieces when it is needed."""

    def __init__(self, number, start, end):
        self._number, self._start, self._end = number, start, end

    def __len__(self):
        return self._end - self._start

    def __repr__(self):
        return f"<Text of {len(self)} characters>"

    def _piece(self, start, end):
        if end <= start:
            return ""
        return call("$read", (self._number, self._start + start, self._start + end), {})

    def _read(self, start, end):
        if end - start <= WINDOW:
            return self._piece(start, end)
        return "".join(
            self._piece(at, min(end, at + WINDOW)) for at in range(start, end, WINDOW)
        )

    def __str__(self):
        return self._read(0, len(self))

    def __getitem__(self, key):
        if isinstance(key, slice):
            start, end, step = key.indices(len(self))
            if step != 1:
                return str(self)[key]
            return Text(self._number, self._start + start, self._start + max(start, end))
        at = key.__index__()
        at += len(self) if at < 0 else 0
        if not 0 <= at < len(self):
            raise IndexError("string index out of range")
        return self._piece(at, at + 1)

    def __iter__(self):
        for at in range(0, len(self), WINDOW):
            yield from self._piece(at, min(len(self), at + WINDOW))

    def __contains__(self, part):
        return self.find(part) >= 0

    def __eq__(self, other):
        if isinstance(other, (Text, str)):
            return len(self) == len(other) and str(self) == str(other)
        return NotImplemented

    def __hash__(self):
        return hash(str(self))

    def __add__(self, other):
        return str(self) + str(other) if isinstance(other, (Text, str)) else NotImplemented

    def __radd__(self, other):
        return other + str(self) if isinstance(other, str) else NotImplemented

    def __format__(self, spec):
        return format(str(self), spec)

    def __getattr__(self, name):
        if name.startswith("_") or not hasattr(str, name):
            raise AttributeError(f"'Text' object has no attribute '{name}'")
        return getattr(str(self), name)

    def _lines(self):
        rest, start = "", 0
        for at in range(0, len(self), WINDOW):
            parts = (rest + self._piece(at, min(len(self), at + WINDOW))).split("\n")
            rest = parts.pop()
            for part in parts:
                yield start, part[:-1] if part.endswith("\r") else part
                start += len(part) + 1
        if rest:
            yield start, rest[:-1] if rest.endswith("\r") else rest

    def lines(self):
        for _, line in self._lines():
            yield line

    def head(self, n=1000):
        return self._read(0, min(max(n, 0), len(self)))

    def tail(self, n=1000):
        return self._read(len(self) - min(max(n, 0), len(self)), len(self))

    def chunks(self, size, by="chars", overlap=0):
        if size <= 0:
            raise ValueError("size must be more than 0")
        if not 0 <= overlap < size:
            raise ValueError("overlap must be from 0 to less than size")
        if by == "chars":
            end = len(self)
            place = range(len(self) + 1)
        elif by == "lines":
            place = [start for start, _ in self._lines()]
            end = len(place)
            place.append(len(self))
        else:
            raise ValueError(f"by must be 'chars' or 'lines', was '{by}'")
        parts = []
        for at in range(0, end, size - overlap):
            last = min(end, at + size)
            parts.append(self[place[at]:place[last]])
            if last == end:
                break
        return parts

    def grep(self, pattern, before=0, after=0, limit=None):
        for name, count in (("before", before), ("after", after)):
            if not 0 <= count <= 1000:
                raise ValueError(f"{name} must be from 0 to 1000")
        pattern = re.compile(pattern)
        found, earlier, wanting = [], [], []
        for number, (start, line) in enumerate(self._lines(), 1):
            for later in wanting:
                later.append(line)
            wanting = [later for later in wanting if len(later) < after]
            if (limit is None or len(found) < limit) and pattern.search(line):
                later = []
                found.append(
                    {
                        "number": number,
                        "position": start,
                        "line": line,
                        "before": list(earlier),
                        "after": later,
                    }
                )
                if after:
                    wanting.append(later)
            elif limit is not None and len(found) >= limit and not wanting:
                break
            if before:
                earlier = (earlier + [line])[-before:]
        return found

    def find(self, sub, start=None, end=None):
        sub = str(sub)
        at, stop, _ = slice(start, end).indices(len(self))
        if not sub:
            return at if at <= stop else -1
        step = max(WINDOW, 2 * len(sub))
        while at + len(sub) <= stop:
            last = min(stop, at + step)
            found = self._read(at, last).find(sub)
            if found >= 0:
                return at + found
            if last == stop:
                break
            at = last - len(sub) + 1
        return -1

    def count(self, sub, start=None, end=None):
        sub = str(sub)
        at, stop, _ = slice(start, end).indices(len(self))
        if not sub:
            return max(0, stop - at + 1)
        count, step = 0, max(WINDOW, 2 * len(sub))
        while at + len(sub) <= stop:
            last = min(stop, at + step)
            window, done = self._read(at, last), 0
            while (found := window.find(sub, done)) >= 0:
                count += 1
                done = found + len(sub)
            if last == stop:
                break
            at = max(at + done, last - len(sub) + 1)
        return count


class Local(Text):
    """A text of the session, with the functions of a large one."""

    def __init__(self, text):
        super().__init__(0, 0, len(text))
        self._text = text

    def _piece(self, start, end):
        return self._text[start:end]

    def __getitem__(self, key):
        return self._text[key]

    def __str__(self):
        return self._text


def of_text(name):
    def function(text, /, *args, **named):
        return getattr(text if isinstance(text, Text) else Local(str(text)), name)(*args, **named)

    function.__name__ = name
    return function


text_module = types.ModuleType("text")
for method in ("lines", "chunks", "grep", "head", "tail", "count", "find"):
    setattr(text_module, method, of_text(method))


text_module.words = lambda text, /: str(text).split()


def type_name(value):
    if isinstance(value, Handle):
        return value.kind
    if isinstance(value, HostFunction):
        return "builtin_function_or_method"
    return type(value).__name__


SEQUENCES = (list, tuple, range, set, frozenset)


def wire(value, only_data=False):
    left = [VALUES_MOST]

    def go(value, deep):
        left[0] -= 1
        if left[0] < 0 or deep > DEEP_MOST:
            raise ValueError("a value for the host has too many values in it, or too deep ones")
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            return str(value)
        if isinstance(value, int):
            number = int(value)
            if -(1 << 63) <= number < 1 << 63:
                return number
            if number.bit_length() > 4096:
                raise OverflowError("integers for the host have at most 4,096 bits")
            return {"$": {"int": hex(number)}}
        if isinstance(value, float):
            number = float(value)
            if math.isfinite(number):
                return number
            return {"$": {"decimal": repr(number)}}
        if isinstance(value, dict):
            for key in value:
                if not isinstance(key, str):
                    raise TypeError(
                        "unsupported value type: a dict for the host has str keys, found "
                        + type_name(key)
                    )
            fields = {str(key): go(item, deep + 1) for key, item in value.items()}
            return {"$": {"map": fields}} if "$" in fields else fields
        if isinstance(value, Local):
            return str(value)
        if isinstance(value, Text):
            if only_data:
                return str(value)
            return {"$": {"text": [value._number, value._start, value._end]}}
        if isinstance(value, Result):
            return {
                "$": {
                    "outcome": {
                        "ok": bool(value.ok),
                        "value": go(value.value, deep + 1),
                        "error": "" if value.error is None else str(value.error),
                    }
                }
            }
        if isinstance(value, Handle) and not only_data:
            return {"$": {"handle": value._number}}
        if isinstance(value, SEQUENCES) or isinstance(
            value, (collections.abc.Iterator, collections.abc.MappingView)
        ):
            return [go(item, deep + 1) for item in value]
        raise TypeError(
            f"unsupported value type: a {type_name(value)} cannot be given to the host"
        )

    return go(value, 0)


def unwire(value):
    if isinstance(value, list):
        return [unwire(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) != 1 or "$" not in value:
        return {key: unwire(item) for key, item in value.items()}
    kind, inner = next(iter(value["$"].items()))
    if kind == "int":
        return int(inner, 16)
    if kind == "decimal":
        return float(inner)
    if kind == "map":
        return {key: unwire(item) for key, item in inner.items()}
    if kind == "outcome":
        ok = inner["ok"]
        return Result(ok, unwire(inner["value"]), None if ok else inner["error"])
    if kind == "text":
        return Text(*inner)
    if kind == "handle":
        return Handle(*inner)
    if kind == "function":
        return HostFunction(inner)
    raise ValueError(f"no value is a `{kind}`")
