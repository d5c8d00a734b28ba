package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

class AnthropicTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    return open("anthropic://claude-opus-4-5");
  }

  static ModelUnderTest open(String url) {
    var server = ModelServer.start(WireFormats.ANTHROPIC.format());
    var model =
        VendorModels.open(
            ModelRef.parse(url),
            Environment.of(
                Map.of(
                    "ANTHROPIC_API_KEY",
                    KEY,
                    "SUPERSTEP_ANTHROPIC_BASE_URL",
                    server.url() + "/v1")));
    return new ModelUnderTest(model, server, KEY, WireFormats.ANTHROPIC.features());
  }
}
