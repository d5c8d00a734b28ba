"""W15: small programs that run once: one, chain, fanout, agent, memory or sqlite FILE."""

import time

begin = time.perf_counter()

import operator
import sys
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

SENDS = 100


class Count(TypedDict):
    n: int


class Items(TypedDict):
    items: Annotated[list, operator.add]


def chain(nodes, saver=None):
    graph = StateGraph(Count)
    for i in range(nodes):
        graph.add_node(f"n{i}", lambda s: {"n": s["n"] + 1})
        graph.add_edge(f"n{i - 1}" if i else START, f"n{i}")
    graph.add_edge(f"n{nodes - 1}", END)
    thread = {"configurable": {"thread_id": "thread"}}
    return graph.compile(checkpointer=saver).invoke({"n": 0}, thread)["n"]


def fan_out():
    graph = StateGraph(Items)
    graph.add_node("plan", lambda s: {})
    graph.add_node("task", lambda i: {"items": [f"item-{i}"]})
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", lambda s: [Send("task", i) for i in range(SENDS)], ["task"])
    graph.add_edge("task", END)
    return len(graph.compile().invoke({"items": []})["items"])


def agent():
    graph = create_react_agent(Calling(), [add], prompt="Add what you are given.")
    return graph.invoke({"messages": [("user", "Go.")]})["messages"][-1].content


program = sys.argv[1]
saver = None
if program == "memory":
    from langgraph.checkpoint.memory import InMemorySaver

    saver = InMemorySaver()
if program == "sqlite":
    import sqlite3

    from langgraph.checkpoint.sqlite import SqliteSaver

    saver = SqliteSaver(sqlite3.connect(sys.argv[2], check_same_thread=False))
if program == "agent":
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.messages import AIMessage, ToolMessage
    from langchain_core.outputs import ChatGeneration, ChatResult
    from langchain_core.tools import tool
    from langgraph.prebuilt import create_react_agent

    @tool
    def add(a: int, b: int) -> str:
        """Adds."""
        return str(a + b)

    class Calling(BaseChatModel):
        """Asks for one sum, and answers with it."""

        @property
        def _llm_type(self):
            return "calling"

        def bind_tools(self, tools, **kwargs):
            return self

        def _generate(self, messages, stop=None, run_manager=None, **kwargs):
            if isinstance(messages[-1], ToolMessage):
                message = AIMessage(content=f"The last was {messages[-1].content}.")
            else:
                call = {"id": "call-0", "name": "add", "args": {"a": 0, "b": 1}}
                message = AIMessage(content="", tool_calls=[call])
            return ChatResult(generations=[ChatGeneration(message=message)])


imported = time.perf_counter()
if program == "fanout":
    result = fan_out()
elif program == "agent":
    result = agent()
else:
    result = chain({"one": 1, "chain": 10}.get(program, 2), saver)
end = time.perf_counter()
print(f"result {result} in {(end - begin) * 1e3} with {(end - imported) * 1e3}")
