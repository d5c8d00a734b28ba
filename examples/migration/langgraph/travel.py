"""An agent with two tools that remembers its thread."""

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from scripted import calls, model


@tool
def weather(city: str) -> str:
    """Tells the weather of a city."""
    return f"18 degrees and rain in {city}"


@tool
def trains(city: str) -> str:
    """Lists the trains to a city."""
    return f"10:05 and 12:05 to {city}"


replies = model(
    calls(
        {"name": "weather", "args": {"city": "Bergen"}, "id": "c1"},
        {"name": "trains", "args": {"city": "Bergen"}, "id": "c2"},
    ),
    AIMessage("Take the train at 10:05, and an umbrella."),
    AIMessage("To Bergen, as before: at 12:05."),
)
agent = create_agent(
    replies,
    tools=[weather, trains],
    system_prompt="Say how to get there and what to take along.",
    checkpointer=InMemorySaver(),
)
ada = {"configurable": {"thread_id": "ada"}}


def ask(question: str) -> dict:
    return agent.invoke({"messages": [HumanMessage(question)]}, ada)


print(ask("I want to go to Bergen.")["messages"][-1].content)
result = ask("And a later train?")
print(result["messages"][-1].content)
for message in result["messages"]:
    print("-", message.content or "(calls tools)")
