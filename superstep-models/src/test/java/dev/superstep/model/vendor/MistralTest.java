package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

class MistralTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.MISTRAL.format());
    var model =
        VendorModels.open(
            ModelRef.parse("mistral://mistral-large-latest"),
            Environment.of(
                Map.of(
                    "MISTRAL_API_KEY", KEY, "SUPERSTEP_MISTRAL_BASE_URL", server.url() + "/v1")));
    return new ModelUnderTest(model, server, KEY, WireFormats.MISTRAL.features());
  }
}
