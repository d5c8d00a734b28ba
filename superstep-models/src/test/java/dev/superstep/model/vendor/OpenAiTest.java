package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

class OpenAiTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.OPENAI_CHAT.format());
    var model =
        VendorModels.open(
            ModelRef.parse("openai://gpt-5.2"),
            Environment.of(
                Map.of("OPENAI_API_KEY", KEY, "SUPERSTEP_OPENAI_BASE_URL", server.url() + "/v1")));
    return new ModelUnderTest(model, server, KEY, WireFormats.OPENAI_CHAT.features());
  }
}
