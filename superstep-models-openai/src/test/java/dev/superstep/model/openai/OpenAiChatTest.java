package dev.superstep.model.openai;

import dev.superstep.model.openai.OpenAiModels.Api;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;

class OpenAiChatTest implements ChatModelSuite {
  @Override
  public ModelUnderTest open() {
    return OpenAiResponsesTest.open(WireFormats.OPENAI_CHAT, Api.CHAT);
  }
}
