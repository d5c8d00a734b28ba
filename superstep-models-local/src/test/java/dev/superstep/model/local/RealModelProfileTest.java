package dev.superstep.model.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentBuilder;
import dev.superstep.agent.AgentResult;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.AssistantMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ModelRef;
import dev.superstep.model.dialect.Dialect;
import dev.superstep.model.dialect.DialectModel;
import dev.superstep.schema.Description;
import dev.superstep.tool.OnBadArguments;
import dev.superstep.tool.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Drives a real local model through the harness and writes down what happened, good or bad:
/// classification, extraction and a tool call. Not part of the build; run it with
///
/// ```sh
/// mvn -Ddev -pl superstep-models-local -am test -Dsurefire.failIfNoSpecifiedTests=false \
///     -Dtest=RealModelProfileTest -Dsuperstep.realModel=local://gemma3-270m
/// ```
///
/// What it asserts is that the harness keeps its promises; how well the model does is what it
/// records, in `target/real-model.md`.
@EnabledIfSystemProperty(named = "superstep.realModel", matches = ".+")
class RealModelProfileTest {
  enum Mood {
    HAPPY,
    ANGRY
  }

  record Review(@Description("how the guest felt") Mood mood) {}

  record Order(@Description("the number of the order") int number, String city) {}

  record City(@Description("the name of a city") String name) {}

  private final List<String> lines = new ArrayList<>();

  @Test
  @Timeout(600)
  void the_behaviour_of_a_real_model_is_recorded() throws Exception {
    var ref = ModelRef.parse(System.getProperty("superstep.realModel"));
    try (var model = LocalModels.inDefaultCache().open(ref)) {
      lines.add("# " + ref + ", " + Instant.now());
      answer("classification", classifier(model), "Dirty sheets, rude staff. Never again!");
      answer("extraction", extractor(model), "My order 4711 to Oslo has not arrived.");
      answer("one tool call", caller(model), "What is the weather in Bergen?");
    }
    Files.write(Path.of("target", "real-model.md"), lines);
    lines.forEach(System.out::println);
    assertThat(lines).hasSizeGreaterThan(3);
  }

  private static Agent<Review> classifier(ChatModel model) {
    return builder("classifier", model)
        .instructions("Tell the mood of a hotel guest: HAPPY or ANGRY.")
        .answering(Review.class);
  }

  private static Agent<Order> extractor(ChatModel model) {
    return builder("extractor", model)
        .instructions("Take the number of the order and the city out of the message.")
        .answering(Order.class);
  }

  private static Agent<String> caller(ChatModel model) {
    var weather =
        Tool.of("weather", "Tells the weather.", City.class, (c, _) -> "rain in " + c.name());
    return builder("caller", DialectModel.of(model, Dialect.XML))
        .instructions("Use the tool to answer questions about the weather.")
        .tools(weather)
        .onBadArguments(OnBadArguments.NORMALIZE)
        .build();
  }

  private static AgentBuilder builder(String name, ChatModel model) {
    return Agent.named(name)
        .model(model)
        .modelCalls(4)
        .request(r -> r.withTemperature(0).withMaxTokens(200));
  }

  private void answer(String what, Agent<?> agent, String question) throws InterruptedException {
    lines.add("");
    lines.add("## " + what + ": " + question);
    try {
      var result = agent.run(question, RunOptions.defaults());
      assertThat(result).isInstanceOf(AgentResult.Answered.class);
      lines.add("- answer: " + result.answer());
      lines.add("- turns: " + result.report().modelCalls());
      lines.add("- tool calls: " + result.report().toolCalls());
      lines.add("- usage: " + result.report().usage());
      for (var message : result.report().conversation()) {
        var calls = message instanceof AssistantMessage reply ? " " + reply.calls() : "";
        lines.add("  - " + message.getClass().getSimpleName() + ": " + message.text() + calls);
      }
    } catch (SuperstepException e) {
      lines.add("- failed: " + e.code() + ": " + e.getMessage());
    }
  }
}
