"""The graph that `superstep bench --served` lets LangGraph's development server run."""

import asyncio
import operator
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph


class State(TypedDict):
    items: Annotated[list[str], operator.add]
    delay: int


async def first(state: State) -> dict:
    if state.get("delay"):
        await asyncio.sleep(state["delay"] / 1000)
    return {"items": ["first"]}


async def second(state: State) -> dict:
    return {"items": ["second"]}


graph = (
    StateGraph(State)
    .add_node("first", first)
    .add_node("second", second)
    .add_edge(START, "first")
    .add_edge("first", "second")
    .add_edge("second", END)
    .compile()
)
