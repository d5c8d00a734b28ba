package dev.superstep.model.vendor;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;

class OllamaTest implements ChatModelSuite {
  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.OLLAMA.format());
    var model =
        VendorModels.open(
            ModelRef.parse("ollama://" + server.authority() + "/qwen3:8b"),
            Environment.of(Map.of()));
    return new ModelUnderTest(model, server, "", WireFormats.OLLAMA.features());
  }
}
