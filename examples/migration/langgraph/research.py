"""One task for each topic, folded by a reducer, and a summary when all are done."""

import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send


class State(TypedDict):
    question: str
    topics: list[str]
    notes: Annotated[list[str], operator.add]
    report: str


class Topic(TypedDict):
    topic: str


def plan(state: State) -> dict:
    return {"topics": [part.strip() for part in state["question"].split(",")]}


def fan_out(state: State) -> list[Send]:
    return [Send("search", {"topic": topic}) for topic in state["topics"]]


def search(task: Topic) -> dict:
    topic = task["topic"]
    return {"notes": [f"{topic}: {len(topic)} letters"]}


def summarize(state: State) -> dict:
    return {"report": f"{len(state['notes'])} notes on {' and '.join(state['topics'])}"}


graph = (
    StateGraph(State)
    .add_node("plan", plan)
    .add_node("search", search)
    .add_node("summarize", summarize)
    .add_edge(START, "plan")
    .add_conditional_edges("plan", fan_out, ["search"])
    .add_edge("search", "summarize")
    .add_edge("summarize", END)
    .compile()
)

result = graph.invoke({"question": "whales, seals, krill"})
for note in result["notes"]:
    print(note)
print(result["report"])
