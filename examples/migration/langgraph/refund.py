"""A refund that waits for a person: kill it while it waits, and start it again."""

import sys
from typing import TypedDict

from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt


class State(TypedDict):
    order: str
    cents: int
    receipt: str
    result: str


def reserve(state: State) -> dict:
    print(f"reserved {state['cents']} cents", flush=True)
    return {"receipt": "R-17"}


def decide(state: State) -> dict:
    answer = interrupt(f"Refund order {state['order']} ({state['receipt']})?")
    return {"result": "paid" if answer == "yes" else "refused"}


def build(saver: SqliteSaver):
    return (
        StateGraph(State)
        .add_node("reserve", reserve)
        .add_node("decide", decide)
        .add_edge(START, "reserve")
        .add_edge("reserve", "decide")
        .add_edge("decide", END)
        .compile(checkpointer=saver)
    )


def main(file: str) -> None:
    thread = {"configurable": {"thread_id": "order-17"}}
    with SqliteSaver.from_conn_string(file) as saver:
        graph = build(saver)
        is_new = not graph.get_state(thread).next
        order = {"order": "17", "cents": 4900} if is_new else None
        for question in graph.invoke(order, thread)["__interrupt__"]:
            print(question.value, flush=True)
        answer = input()
        print(graph.invoke(Command(resume=answer), thread)["result"])


main(sys.argv[1])
