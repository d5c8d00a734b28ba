"""A chat model with fixed replies, so that the programs run without a key."""

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage


class ScriptedModel(GenericFakeChatModel):
    """Gives its replies in order, whatever it is asked and whichever tools it is offered."""

    def bind_tools(self, tools, **kwargs):
        return self


def model(*replies: AIMessage) -> ScriptedModel:
    return ScriptedModel(messages=iter(replies))


def calls(*tool_calls: dict) -> AIMessage:
    return AIMessage(content="", tool_calls=list(tool_calls))
