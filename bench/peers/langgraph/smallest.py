"""W6: the least program that runs a graph of two nodes."""

from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class Count(TypedDict):
    n: int


graph = StateGraph(Count)
graph.add_node("a", lambda s: {"n": 1})
graph.add_node("b", lambda s: {"n": s["n"] + 1})
graph.add_edge(START, "a")
graph.add_edge("a", "b")
graph.add_edge("b", END)
print("result", graph.compile().invoke({"n": 0})["n"])
