package dev.superstep.model.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.Message;
import dev.superstep.middleware.hosted.HostedTools;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelProviders;
import dev.superstep.model.ModelRef;
import dev.superstep.testkit.model.Answer;
import dev.superstep.testkit.model.ChatModelSuite;
import dev.superstep.testkit.model.ModelServer;
import dev.superstep.testkit.model.ModelUnderTest;
import dev.superstep.testkit.model.WireFormats;
import java.net.URI;
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

  @Test
  void beta_features_and_fields_of_hosted_tools_are_sent_through_the_library() throws Exception {
    try (var test = open()) {
      test.server().answer(Answer.text("Done.")).answer(Answer.text("Done."));
      var tools =
          HostedTools.codeExecution()
              .and(HostedTools.remoteMcp("docs", URI.create("https://docs.example/mcp")));
      var request = tools.in(ChatRequest.of(Message.user("Plot it.")), "anthropic");
      test.model().call(request);
      test.model().stream(request, _ -> {});
      assertThat(test.server().asked())
          .extracting(ModelServer.ReceivedRequest::betas)
          .containsOnly("code-execution-2025-08-25,mcp-client-2025-11-20");
      assertThat(test.server().lastBody()).contains("\"mcp_servers\":[{\"type\":\"url\"");
      assertThat(test.server().refusals()).isEmpty();
    }
  }
}
