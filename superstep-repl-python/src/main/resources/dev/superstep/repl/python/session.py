# Part 2: what cells print and call, and how they run. Follows values.py in the same program.

class Stream(io.TextIOBase):
    """What a cell prints."""

    def __init__(self):
        self.parts, self.size = [], 0

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type_name(text))
        with lock:
            self.parts.append(text)
            self.size += len(text)
            if self.size >= STREAM_MOST:
                self.flush()
        return len(text)

    def flush(self):
        with lock:
            text = "".join(self.parts)
            self.parts, self.size = [], 0
            if not state["runs"]:
                return
            for at in range(0, len(text), WINDOW):
                send({"op": "stream", "id": state["cell"], "text": text[at:at + WINDOW]})


stream = Stream()
state = {"cell": 0, "runs": False, "calls": 0, "answer": None}
space = {"__name__": "__main__", "__builtins__": builtins}
given = {}
reserved = {}
sources = {}
told = {}


def call(name, args, named):
    frame = {
        "op": "call",
        "name": name,
        "args": [wire(value) for value in args],
        "named": {key: wire(value) for key, value in named.items()},
    }
    with lock:
        if not state["runs"]:
            raise RuntimeError(f"{name}() is called when no cell runs")
        stream.flush()
        state["calls"] += 1
        send({**frame, "id": state["cell"], "call": state["calls"]})
        reply = receive()
    error = reply.get("error")
    if error is None:
        return unwire(reply["value"])
    if error["type"] == "TypeError":
        raise TypeError(error["message"])
    raise HostError(error["message"], error["code"])


def answer(value):
    data = wire(value, True)
    if state["answer"] is None:
        state["answer"] = [data]


def answer_variable(name):
    if not isinstance(name, str):
        raise TypeError("FINAL_VAR() takes the name of a variable")
    if name not in space:
        raise NameError(f"name '{name}' is not defined")
    answer(space[name])


def show_vars():
    names = ("name", "type", "size", "digest")
    return [dict(zip(names, entry)) for entry in variables().values()]


def is_plain(value, left):
    left[0] -= 1
    if left[0] < 0:
        return False
    kind = type(value)
    if kind is str:
        left[0] -= len(value) >> 4
        return left[0] >= 0
    if kind is int:
        return value.bit_length() <= 4096
    if value is None or kind in (bool, float, range, Text):
        return True
    if kind in (list, tuple, set):
        return all(is_plain(item, left) for item in value)
    if kind is dict:
        return all(is_plain(key, left) and is_plain(item, left) for key, item in value.items())
    if kind is Result:
        return is_plain(value.value, left) and is_plain(value.error, left)
    return False


def shown(value):
    if isinstance(value, types.FunctionType):
        return f"<function {value.__name__}>"
    if isinstance(value, (Handle, HostFunction)):
        return repr(value)
    if isinstance(value, types.ModuleType):
        return f"<module '{value.__name__}'>"
    if isinstance(value, Text):
        return None
    try:
        return repr(value) if is_plain(value, [TOLD_MOST]) else None
    except (RecursionError, RuntimeError):
        return None


def variables():
    found = {}
    for name, value in list(space.items())[:NAMES_MOST]:
        if name.startswith("__") or name in reserved or len(name) > SHOWN:
            continue
        if name in given and value is given[name]:
            continue
        size = 0
        if isinstance(value, (str, bytes, dict, Text) + SEQUENCES):
            size = len(value)
        text = shown(value)
        digest = ""
        if text is not None:
            whole = f"{type_name(value)} {text}".encode("utf-8", "replace")
            digest = hashlib.sha256(whole).hexdigest()
        found[name] = (name, type_name(value)[:SHOWN], size, digest)
    return found


def changes():
    found = variables()
    changed = []
    now = {}
    for name, entry in found.items():
        value = space[name]
        by_identity = not entry[3] or callable(value)
        before = told.get(name)
        if before is None or before[0] != entry or (by_identity and before[1] is not value):
            changed.append(entry)
        now[name] = (entry, value if by_identity else None)
    changed += [(name, "", 0, "") for name in told if name not in now]
    told.clear()
    told.update(now)
    return changed


def place(number, function, line, column, last, end):
    lines = sources[number]

    def chars(row, offset):
        if row is None or offset is None or not 0 < row <= len(lines):
            return None
        return len(lines[row - 1].encode("utf-8")[:offset].decode("utf-8", "ignore"))

    return {
        "cell": number,
        "function": function,
        "line": line,
        "column": chars(line, column),
        "last": last,
        "end": chars(last, end),
    }


def places(trace):
    found = []
    while trace is not None:
        code = trace.tb_frame.f_code
        number = code.co_filename[5:]
        if code.co_filename.startswith("cell ") and number.isdigit() and int(number) in sources:
            positions = (trace.tb_lineno, None, None, None)
            if hasattr(code, "co_positions"):
                all_positions = list(code.co_positions())
                line, last, column, end = all_positions[trace.tb_lasti // 2]
                positions = (trace.tb_lineno, column, last, end)
            function = "" if code.co_name == "<module>" else code.co_name
            found.append(place(int(number), function, *positions))
        trace = trace.tb_next
    return found[::-1][:12]


def cut(text):
    return text if len(text) <= SHOWN else text[:SHOWN] + "\u2026"


def raised(error):
    try:
        message = cut(str(error))
    except BaseException:
        message = "(cannot be shown)"
    code = "raised"
    if isinstance(error, MemoryError):
        code = "memory-limit"
    elif isinstance(error, RecursionError):
        code = "recursion-limit"
    elif isinstance(error, HostError) and isinstance(error.code, str):
        code = error.code
    trace = places(error.__traceback__)
    return {"kind": "raised", "type": type(error).__name__, "code": code, "message": message,
            "places": trace}


def rejected(code, message, number, line=1, column=0, last=None, end=None):
    at = {"cell": number, "function": "", "line": line, "column": column, "last": last,
          "end": end}
    return {"kind": "rejected", "type": "", "code": code, "message": message, "places": [at]}


def bound(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node, node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node, node.name
        elif isinstance(node, ast.alias):
            yield node, (node.asname or node.name).split(".")[0]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node, node.name


def compiled(number, source):
    """The parts of a cell, or the reason why it is none."""
    name = f"cell {number}"
    try:
        tree = ast.parse(source, name, "exec")
        for node, word in bound(tree):
            if word in reserved:
                message = f"`{word}` is reserved and cannot be bound"
                line = getattr(node, "lineno", 1)
                return None, None, rejected("reserved-name", message, number, line)
        last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr):
            last = ast.Expression(tree.body.pop().value)
            last = compile(last, name, "eval", dont_inherit=True)
        return compile(tree, name, "exec", dont_inherit=True), last, None
    except SyntaxError as e:
        line = e.lineno or 1
        column = max(0, (e.offset or 1) - 1)
        return None, None, rejected("syntax", cut(str(e.msg)), number, line, column)
    except (ValueError, RecursionError, MemoryError) as e:
        return None, None, rejected("syntax", cut(str(e) or type(e).__name__), number)


def run(number, source):
    sources[number] = re.split("\r\n|\r|\n", source)
    state.update(cell=number, runs=True, calls=0, answer=None)
    first, last, error = compiled(number, source)
    value = None
    if error is None:
        try:
            exec(first, space)
            if last is not None:
                found = eval(last, space)
                if found is not None:
                    value = {"type": type_name(found), "text": cut(repr(found))}
        except BaseException as e:
            error = raised(e)
            e.__traceback__ = None
    with lock:
        stream.flush()
        space.update(reserved)
        for entry in changes():
            send({"op": "var_set", "id": number, "variable": list(entry)})
        state["runs"] = False
    frame = {"op": "result", "id": number}
    for key, part in (("value", value), ("error", error), ("answer", state["answer"])):
        if part is not None:
            frame[key] = part
    send(frame)


reserved.update(
    {
        "print": print,
        "answer": answer,
        "FINAL": answer,
        "FINAL_VAR": answer_variable,
        "show_vars": show_vars,
        "SHOW_VARS": show_vars,
    }
)
given.update({"re": re, "json": json, "math": math, "text": text_module, "HostError": HostError})
space.update(reserved)
space.update(given)
sys.setrecursionlimit(int(sys.argv[1]))
sys.argv = [""]
sys.stdin = io.StringIO("")
sys.stdout = sys.stderr = stream
send({"op": "ready", "protocol": 1, "version": "%d.%d.%d" % sys.version_info[:3]})
while True:
    frame = receive()
    op = frame["op"]
    if op == "eval":
        run(frame["id"], frame["source"])
    elif op == "set_var":
        reserved[frame["name"]] = unwire(frame["value"])
        space[frame["name"]] = reserved[frame["name"]]
    else:
        exit_now(0)
