"""The workloads as LangGraph for Python does them, by its public interface.

Arguments: workload, case, repetitions, and how long to warm up (an ISO duration in seconds).
"""

import asyncio
import gc
import json
import operator
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

WARM_UP_STEPS = 100
DOCUMENTS = 25

workload, name, repetitions_text, warm_up_text = sys.argv[1:]
kind, *number_texts = name.split("-")
numbers = [int(text) for text in number_texts]
repetitions = int(repetitions_text)
is_brief = repetitions <= 5
MOST_SECONDS = 1.2 if is_brief else 6
warm_up_seconds = float(re.fullmatch(r"PT([0-9.]+)S", warm_up_text)[1])

found: dict[tuple[str, str], list[float]] = {}
wrong: dict[str, str] = {}
folder = Path(tempfile.mkdtemp(prefix="superstep-bench-"))
stores = 0


class Count(TypedDict):
    n: int


class Items(TypedDict):
    items: Annotated[list, operator.add]


class Messages(TypedDict):
    messages: Annotated[list, operator.add]


class Parked(TypedDict):
    n: int
    about: str


def add(variant, metric, value):
    found.setdefault((variant, metric), []).append(value)


def check(variant, expected, actual):
    if expected != actual and variant not in wrong:
        wrong[variant] = f"expected {str(expected)[:80]}, found {str(actual)[:80]}"


def show():
    for (variant, metric), values in found.items():
        line = {"workload": workload, "case": name, "system": "langgraph", "variant": variant}
        line |= {"metric": metric, "wrong": wrong.get(variant, ""), "values": values}
        print(json.dumps(line, separators=(",", ":")))


def span(body):
    cpu = time.process_time_ns()
    start = time.perf_counter_ns()
    result = body()
    micros = (time.perf_counter_ns() - start) / 1e3
    return result, micros, (time.process_time_ns() - cpu) / 1e3


def add_span(variant, unit, micros, cpu_micros, count):
    add(variant, f"us_per_{unit}", micros / count)
    add(variant, f"cpu_us_per_{unit}", cpu_micros / count)


def warm_up(variant, units, body):
    """The rule of WarmUp.java. There is no JIT compiler to wait for."""
    cpu_begin, wall_begin = time.process_time(), time.monotonic()

    def elapsed():
        wall = time.monotonic() - wall_begin
        return max(wall / 2, time.process_time() - cpu_begin)

    _, first, _ = span(body)
    medians, still = [], False
    while not still and elapsed() < warm_up_seconds:
        rounds, begin = [], elapsed()
        end = min(warm_up_seconds, begin + max(0.4, begin / 5))
        while not rounds or elapsed() < end:
            rounds.append(span(body)[1])
        medians.append(sorted(rounds)[len(rounds) // 2])
        before, last = medians[:-3], medians[-3:]
        still = elapsed() >= 2 and bool(before) and min(before) <= 1.05 * min(last)
    add(variant, "first_us", first / units)
    add(variant, "warm_us", (medians or [first])[-1] / units)
    add(variant, "warm_up_s", elapsed())
    add(variant, "warm_up_still", int(still))


def repeat(variant, unit, count, expected, body):
    latest = time.monotonic() + MOST_SECONDS
    for _ in range(repetitions):
        result, micros, cpu = span(body)
        add_span(variant, unit, micros, cpu, count)
        check(variant, expected, result)
        if time.monotonic() > latest:
            return


def saver():
    global stores
    if kind == "memory":
        return InMemorySaver()
    if kind == "sqlite":
        import sqlite3

        stores += 1
        connection = sqlite3.connect(folder / f"{stores}.db", check_same_thread=False)
        return SqliteSaver(connection)
    return None


def disk_bytes():
    """What the newest store takes."""
    return sum(file.stat().st_size for file in folder.glob(f"{stores}.db*"))


def looping(schema, node, go_on, checkpointer=None):
    graph = StateGraph(schema)
    graph.add_node("step", node)
    graph.add_edge(START, "step")
    graph.add_conditional_edges("step", lambda s: "step" if go_on(s) else END, ["step", END])
    return graph.compile(checkpointer=checkpointer)


def how(steps, thread="thread"):
    return {"recursion_limit": steps + 10, "configurable": {"thread_id": thread}}


def counting(steps):
    return looping(Count, lambda s: {"n": s["n"] + 1}, lambda s: s["n"] < steps)


def loop():
    (steps,) = numbers
    short = counting(WARM_UP_STEPS)
    warm_up("invoke", WARM_UP_STEPS, lambda: short.invoke({"n": 0}, how(WARM_UP_STEPS)))
    graph = counting(steps)
    repeat("invoke", "step", steps, steps, lambda: graph.invoke({"n": 0}, how(steps))["n"])


def chain():
    nodes, runs = numbers
    graph = StateGraph(Count)
    for i in range(nodes):
        graph.add_node(f"n{i}", lambda s: {"n": s["n"] + 1})
        graph.add_edge(f"n{i - 1}" if i else START, f"n{i}")
    graph.add_edge(f"n{nodes - 1}", END)
    compiled = graph.compile()
    warm_up("invoke", nodes, lambda: compiled.invoke({"n": 0}))

    def run():
        return sum(compiled.invoke({"n": 0})["n"] for _ in range(runs))

    repeat("invoke", "step", nodes * runs, nodes * runs, run)


def fan_out():
    (sends,) = numbers
    graph = StateGraph(Items)
    graph.add_node("plan", lambda s: {})
    graph.add_node("task", lambda i: {"items": [f"item-{i}"]})
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", lambda s: [Send("task", i) for i in range(sends)], ["task"])
    graph.add_edge("task", END)
    compiled = graph.compile()
    expected = [f"item-{i}" for i in range(sends)]
    warm_up("send", sends, lambda: compiled.invoke({"items": []}))
    repeat("send", "send", sends, expected, lambda: compiled.invoke({"items": []})["items"])


def converse(steps, shown):
    stamps = []

    def say(state):
        stamps.append(time.perf_counter_ns())
        return {"messages": [f"{len(stamps) - 1:08d}:" + "x" * 1_015]}

    graph = looping(Messages, say, lambda s: len(s["messages"]) < steps, saver())
    out, micros, cpu = span(lambda: graph.invoke({"messages": []}, how(steps)))
    if not shown:
        return
    check("invoke", steps, len(out["messages"]))
    add("invoke", "wall_ms", micros / 1e3)
    add_span("invoke", "step", micros, cpu, steps)
    for before, after in zip(stamps, stamps[1:]):
        add("invoke", "step_us", (after - before) / 1e3)
    tenth = max(2, steps // 10)
    add("invoke", "growth", (stamps[-1] - stamps[-tenth]) / (stamps[tenth - 1] - stamps[0]))
    if kind == "sqlite":
        add("invoke", "disk_bytes", disk_bytes())


def conversation():
    warm_up("invoke", WARM_UP_STEPS, lambda: converse(WARM_UP_STEPS, False))
    converse(numbers[0], True)


def concurrent():
    runs, steps, millis = numbers

    async def call(state):
        await asyncio.sleep(millis / 1e3)
        return {"n": state["n"] + 1}

    graph = looping(Count, call, lambda s: s["n"] < steps)

    async def run(count):
        states = await asyncio.gather(*(graph.ainvoke({"n": 0}) for _ in range(count)))
        return sum(state["n"] for state in states)

    warm_up("asyncio", 50 / runs, lambda: asyncio.run(run(50)))
    latest = time.monotonic() + MOST_SECONDS
    for _ in range(repetitions):
        total, micros, cpu = span(lambda: asyncio.run(run(runs)))
        check("asyncio", runs * steps, total)
        add("asyncio", "wall_ms", micros / 1e3)
        add("asyncio", "cpu_ms", cpu / 1e3)
        if time.monotonic() > latest:
            break
    add("asyncio", "peak_bytes", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024)


def park(threads, shown):
    graph = StateGraph(Parked)
    graph.add_node("draft", lambda s: {"n": s["n"] + 1})
    graph.add_node("ask", lambda s: {"n": s["n"] + 1})
    graph.add_edge(START, "draft")
    graph.add_edge("draft", "ask")
    graph.add_edge("ask", END)
    compiled = graph.compile(checkpointer=saver(), interrupt_before=["ask"])

    def begin():
        for i in range(threads):
            compiled.invoke({"n": 0, "about": f"thing {i}"}, how(10, f"thread-{i}"))

    def go_on():
        return sum(compiled.invoke(None, how(10, f"thread-{i}"))["n"] for i in range(threads))

    _, park_micros, park_cpu = span(begin)
    total, resume_micros, resume_cpu = span(go_on)
    if not shown:
        return
    check("interrupt-before", 2 * threads, total)
    add_span("interrupt-before", "park", park_micros, park_cpu, threads)
    add_span("interrupt-before", "resume", resume_micros, resume_cpu, threads)
    if kind == "sqlite":
        add("interrupt-before", "disk_bytes", disk_bytes())


def parked_heap():
    """Traced apart, with fewer threads, since tracing is slow."""
    threads = 1_000
    gc.collect()
    tracemalloc.start()
    graph = StateGraph(Parked)
    graph.add_node("draft", lambda s: {"n": s["n"] + 1})
    graph.add_node("ask", lambda s: {"n": s["n"] + 1})
    graph.add_edge(START, "draft")
    graph.add_edge("draft", "ask")
    graph.add_edge("ask", END)
    compiled = graph.compile(checkpointer=saver(), interrupt_before=["ask"])
    before, _ = tracemalloc.get_traced_memory()
    for i in range(threads):
        compiled.invoke({"n": 0, "about": f"thing {i}"}, how(10, f"thread-{i}"))
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    add("interrupt-before", "heap_bytes_per_thread", (after - before) / threads)


def parked():
    warm_up("interrupt-before", 100, lambda: park(100, False))
    park(min(numbers[0], 1_000) if is_brief else numbers[0], True)
    if kind == "memory":
        parked_heap()


def document(number):
    def points(place):
        text = f"a point about {place} that is to be kept"
        return [{"number": number * i, "text": text, "open": i > 2} for i in range(6)]

    return {
        "title": f"document {number}",
        "sections": [{"name": f"section {i}", "points": points(i)} for i in range(8)],
        "notes": {f"note-{i}": f"what was noted on {number + i}" for i in range(10)},
    }


def widen(variant, steps, shown):
    names = [f"document-{i}" for i in range(DOCUMENTS)]
    schema = TypedDict("Wide", {"n": int} | {channel: dict for channel in names})

    def step(state):
        n = state["n"]
        return {"n": n + 1} | ({f"document-{n % DOCUMENTS}": document(n)} if variant == "one" else {})

    graph = looping(schema, step, lambda s: s["n"] < steps, saver())
    given = {"n": 0} | {channel: document(i) for i, channel in enumerate(names)}
    out, micros, cpu = span(lambda: graph.invoke(given, how(steps)))
    if not shown:
        return
    first = (steps - 1) // DOCUMENTS * DOCUMENTS if variant == "one" else 0
    check(variant, document(first), out["document-0"])
    add_span(variant, "step", micros, cpu, steps)
    if kind == "sqlite":
        add(variant, "disk_bytes", disk_bytes())


def wide():
    for variant in ("one", "count"):
        warm_up(variant, 20, lambda: widen(variant, 20, False))
        widen(variant, numbers[0], True)


def documents_of(count):
    """The documents of W13, which are made before."""

    def made(number):
        return document(number) | {
            "sections": [
                {"name": f"section {i}", "points": document(number)["sections"][0]["points"]}
                for i in range(count)
            ]
        }

    return [made(i) for i in range(10)], [made(10 + i) for i in range(40)]


def keep_documents(variant, inputs, changes, steps, shown):
    schema = TypedDict("Documents", {"n": int} | {f"document-{i}": dict for i in range(10)})

    def step(state):
        n = state["n"]
        return {"n": n + 1, f"document-{n % 10}": changes[n % 40]}

    graph = looping(schema, step, lambda s: s["n"] < steps, saver())
    given = {"n": 0} | {f"document-{i}": made for i, made in enumerate(inputs)}
    durability = {} if variant == "none" else {"durability": variant}
    out, micros, cpu = span(lambda: graph.invoke(given, how(steps), **durability))
    if not shown:
        return
    check(variant, changes[(steps - 1) // 10 * 10 % 40], out["document-0"])
    add_span(variant, "step", micros, cpu, steps)
    if kind == "sqlite":
        add(variant, "disk_bytes", disk_bytes())


def documents():
    steps, sections = numbers
    inputs, changes = documents_of(sections)
    for variant in ("none",) if kind == "none" else ("sync", "async", "exit"):
        warm_up(variant, 20, lambda: keep_documents(variant, inputs, changes, 20, False))
        latest = time.monotonic() + MOST_SECONDS / 3
        for _ in range(repetitions):
            keep_documents(variant, inputs, changes, steps, True)
            if time.monotonic() > latest:
                break


def short_runs():
    (callers,) = numbers
    steps = 10

    def batch(runs, most):
        graph = looping(Count, lambda s: {"n": s["n"] + 1}, lambda s: s["n"] < steps, saver())
        end = time.monotonic() + most

        def call(caller):
            micros = []
            for i in range(runs):
                if time.monotonic() > end:
                    break
                out, took, _ = span(lambda: graph.invoke({"n": 0}, how(steps, f"t-{caller}-{i}")))
                check("invoke", steps, out["n"])
                micros.append(took)
            return micros

        with ThreadPoolExecutor(callers) as threads:
            return [took for found in threads.map(call, range(callers)) for took in found]

    warm_up("invoke", callers * 5, lambda: batch(5, 3_600))
    took, micros, cpu = span(lambda: batch(20_000 // callers, 2 if is_brief else 6))
    add("invoke", "runs_per_s", len(took) / micros * 1e6)
    add_span("invoke", "run", micros, cpu, len(took))
    for each in took:
        add("invoke", "run_us", each)
    add("invoke", "run_p99_us", sorted(took)[int(len(took) * 0.99)])


RESULTS = {
    "one": "1",
    "chain": "10",
    "fanout": "100",
    "agent": "The last was 1.",
    "memory": "2",
    "sqlite": "2",
}


def first_run():
    small = Path(__file__).with_name("small.py")
    expected = f"result {RESULTS[kind]} in "
    for i in range(-1, 5):
        command = [sys.executable, str(small), kind, str(folder / f"first-{i}.db")]
        run, micros, _ = span(lambda: subprocess.run(command, capture_output=True, text=True))
        line = run.stdout.strip()
        right = line.startswith(expected)
        check("plain", expected, expected if right else line + run.stderr[-200:])
        if i >= 0:
            add("plain", "ms", micros / 1e3)
        if i >= 0 and right:
            whole, after_imports = line.removeprefix(expected).split(" with ")
            add("plain", "run_ms", float(whole))
            add("plain", "after_imports_ms", float(after_imports))


def program():
    smallest = Path(__file__).with_name("smallest.py")
    for i in range(-1, repetitions):
        command = [sys.executable, str(smallest)]
        run, micros, _ = span(lambda: subprocess.run(command, capture_output=True, text=True))
        check("plain", "result 2", run.stdout.strip())
        if i >= 0:
            add("plain", "ms", micros / 1e3)


WORKLOADS = {
    "W1 loop": loop,
    "W1 chain": chain,
    "W2 sends": fan_out,
    "W3 none": conversation,
    "W3 memory": conversation,
    "W3 sqlite": conversation,
    "W4 runs": concurrent,
    "W5 memory": parked,
    "W5 sqlite": parked,
    "W6 program": program,
    "W9 none": wide,
    "W9 memory": wide,
    "W9 sqlite": wide,
    "W13 none": documents,
    "W13 memory": documents,
    "W13 sqlite": documents,
    "W14 memory": short_runs,
    "W14 sqlite": short_runs,
} | {f"W15 {program}": first_run for program in RESULTS}

if f"{workload} {kind}" not in WORKLOADS:
    sys.exit(f"Error: langgraph has no {workload} {name}")
try:
    WORKLOADS[f"{workload} {kind}"]()
    show()
finally:
    shutil.rmtree(folder)
