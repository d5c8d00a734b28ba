package dev.superstep.spring.ai;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

/// A model of ours that goes over to Spring AI and comes back does all that it did before.
class BridgedModelTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.OPENAI_COMPATIBLE.format());
    var model =
        ModelProviders.open(
            ModelRef.parse("openai-compatible://" + server.url() + "/v1/org/my-model"),
            Environment.of(Map.of("SUPERSTEP_OPENAI_COMPATIBLE_API_KEY", KEY)));
    var bridged = FromSpringAi.model("there-and-back", ForSpringAi.model(model));
    return new ModelUnderTest(bridged, server, KEY, WireFormats.OPENAI_COMPATIBLE.features());
  }
}
