package dev.superstep.model.gemini;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.model.Environment;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeminiModelsTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.GEMINI.format());
    var environment =
        Environment.of(
            Map.of("GEMINI_API_KEY", KEY, "SUPERSTEP_GEMINI_BASE_URL", server.url() + "/v1beta"));
    var model = new GeminiModels().open(ModelRef.parse("gemini://gemini-2.5-flash"), environment);
    return new ModelUnderTest(model, server, KEY, WireFormats.GEMINI.features());
  }

  @Test
  void it_is_found_by_its_scheme() {
    var ref = ModelRef.parse("gemini://gemini-2.5-flash");
    assertThat(ModelProviders.of(ref)).isInstanceOf(GeminiModels.class);
    var environment = Environment.of(Map.of("GEMINI_API_KEY", KEY));
    var model = ModelProviders.open(ref, environment);
    assertThat(model.ref()).isEqualTo(ref);
    assertThat(model.profile().contextWindow()).isPresent();
  }
}
