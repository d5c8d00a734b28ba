package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.ModelUnderTest.Features;
import java.util.Map;

class GeminiTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(new GeminiWire());
    var model =
        VendorModels.open(
            ModelRef.parse("gemini://gemini-2.5-flash"),
            Environment.of(
                Map.of(
                    "GEMINI_API_KEY", KEY, "SUPERSTEP_GEMINI_BASE_URL", server.url() + "/v1beta")));
    return new ModelUnderTest(model, server, KEY, new Features(true, false, false, true, true));
  }
}
