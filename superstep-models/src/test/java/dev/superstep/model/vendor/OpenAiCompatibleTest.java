package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

class OpenAiCompatibleTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.OPENAI_COMPATIBLE.format());
    var model =
        VendorModels.open(
            ModelRef.parse("openai-compatible://" + server.url() + "/v1/org/my-model"),
            Environment.of(Map.of("SUPERSTEP_OPENAI_COMPATIBLE_API_KEY", KEY)));
    return new ModelUnderTest(model, server, KEY, WireFormats.OPENAI_COMPATIBLE.features());
  }
}
