package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

class GeminiTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    return open("gemini://gemini-2.5-flash");
  }

  static ModelUnderTest open(String url) {
    var server = ModelServer.start(WireFormats.GEMINI.format());
    var model =
        VendorModels.open(
            ModelRef.parse(url),
            Environment.of(
                Map.of(
                    "GEMINI_API_KEY", KEY, "SUPERSTEP_GEMINI_BASE_URL", server.url() + "/v1beta")));
    return new ModelUnderTest(model, server, KEY, WireFormats.GEMINI.features());
  }
}
