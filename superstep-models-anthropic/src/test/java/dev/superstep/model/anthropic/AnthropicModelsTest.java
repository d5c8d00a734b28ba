package dev.superstep.model.anthropic;

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

class AnthropicModelsTest implements ChatModelSuite {
  private static final String KEY = "sk-secret-4711";

  @Override
  public ModelUnderTest open() {
    var server = ModelServer.start(WireFormats.ANTHROPIC.format());
    var environment =
        Environment.of(
            Map.of("ANTHROPIC_API_KEY", KEY, "SUPERSTEP_ANTHROPIC_BASE_URL", server.url() + "/v1"));
    var model =
        new AnthropicModels().open(ModelRef.parse("anthropic://claude-opus-4-5"), environment);
    return new ModelUnderTest(model, server, KEY, WireFormats.ANTHROPIC.features());
  }

  @Test
  void it_is_found_by_its_scheme() {
    var ref = ModelRef.parse("anthropic://claude-opus-4-5");
    assertThat(ModelProviders.of(ref)).isInstanceOf(AnthropicModels.class);
    var environment = Environment.of(Map.of("ANTHROPIC_API_KEY", KEY));
    var model = ModelProviders.open(ref, environment);
    assertThat(model.ref()).isEqualTo(ref);
    assertThat(model.profile().contextWindow()).isPresent();
  }
}
