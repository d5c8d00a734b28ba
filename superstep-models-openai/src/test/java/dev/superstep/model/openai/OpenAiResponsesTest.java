package dev.superstep.model.openai;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.model.openai.OpenAiModels.Api;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

class OpenAiResponsesTest implements ChatModelSuite {
  @Override
  public ModelUnderTest open() {
    return open(WireFormats.OPENAI_RESPONSES, Api.RESPONSES);
  }

  static ModelUnderTest open(WireFormats wire, Api api) {
    var key = "sk-secret-4711";
    var server = ModelServer.start(wire.format());
    var environment =
        Environment.of(
            Map.of("OPENAI_API_KEY", key, "SUPERSTEP_OPENAI_BASE_URL", server.url() + "/v1"));
    var model = OpenAiModels.open(ModelRef.parse("openai://gpt-5.2"), environment, api);
    return new ModelUnderTest(model, server, key, wire.features());
  }
}
