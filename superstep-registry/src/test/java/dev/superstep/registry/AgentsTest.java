package dev.superstep.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.run.ApprovalNeedsStore;
import dev.superstep.agent.run.LimitReached;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Codec;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ScriptedModel;
import dev.superstep.prompt.PromptTemplate;
import dev.superstep.registry.AgentDefinition.Limits;
import dev.superstep.registry.InvalidAgent.Problem;
import dev.superstep.tool.Tool;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Agents that are made of names.
@Timeout(30)
class AgentsTest {
  record Nothing() {}

  private static final Tool WEATHER =
      Tool.of("get_weather", "Tells the weather.", Nothing.class, (_, _) -> "wet");

  private final ScriptedModel model =
      ScriptedModel.by(request ->
          request.messages().getLast() instanceof dev.superstep.message.UserMessage
              ? ScriptedModel.calls(new ToolCall("c", "get_weather", "{}"))
              : ScriptedModel.text("Done."));
  private final Registry registry =
      Registry.named("desk")
          .register(Component.of(Kind.MODEL, "fast", model))
          .register(Component.of(Kind.TOOL, "weather", WEATHER))
          .register(Component.of(Kind.MIDDLEWARE, "shout", new Shouting()))
          .register(
              Component.of(
                  Kind.TEMPLATE,
                  "rules",
                  PromptTemplate.named("rules")
                      .system("You are {{name}}.")
                      .example("Ping?", "Pong.")
                      .build()));

  private static final class Shouting implements Middleware {
    @Override
    public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
      return request.withLabel("shout", "yes");
    }
  }

  private static final AgentDefinition DESK =
      AgentDefinition.of("desk", "fast")
          .withTemplate("rules", Map.of("name", "Ada"))
          .withTools("weather")
          .withMiddleware("shout");

  private static RunOptions options() {
    return RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
  }

  @Test
  void an_agent_is_made_of_the_names_of_its_parts() throws Exception {
    var agent = Agents.in(registry).agent(DESK);
    assertThat(agent.run("Go.", options()).answer()).isEqualTo("Done.");
    var request = model.requests().getLast();
    assertThat(request.messages())
        .extracting(Message::text)
        .startsWith("You are Ada.", "Ping?", "Pong.", "Go.");
    assertThat(request.labels()).containsEntry("shout", "yes");
    assertThat(agent.tools()).containsExactly("get_weather");
  }

  record Verdict(int points) {}

  @Test
  void an_agent_of_a_definition_answers_with_a_type() throws Exception {
    registry.register(Component.of(Kind.MODEL, "judge", ScriptedModel.saying("{\"points\":3}")));
    var agent = Agents.in(registry).answering(AgentDefinition.of("judge", "judge"), Verdict.class);
    assertThat(agent.run("Go.").answer()).isEqualTo(new Verdict(3));
  }

  @Test
  void all_that_is_wrong_is_told_at_once() {
    var bad =
        AgentDefinition.of("desk", "fst")
            .withSystem("Be kind.")
            .withTemplate("rules", Map.of("nmae", "Ada"))
            .withTools("weather", "weather", "seach", "Not A Name")
            .withAgent("nobody", "Helps.")
            .withMiddleware("whisper")
            .withApproved("pay")
            .withLimits(
                new Limits(
                    Optional.of(0),
                    Optional.empty(),
                    Optional.of(0),
                    Optional.empty(),
                    Optional.of(0),
                    Optional.of(Duration.ZERO),
                    Optional.empty()));
    assertThatThrownBy(() -> Agents.in(registry).agent(bad)).isInstanceOf(InvalidAgent.class);
    assertThat(Agents.in(registry).problems(bad))
        .extracting(Problem::part)
        .containsExactlyInAnyOrder(
            "model",
            "prompt",
            "prompt",
            "tools",
            "tools",
            "tools",
            "agents",
            "middleware",
            "approved",
            "limits.modelCalls",
            "limits.concurrency",
            "limits.attempts",
            "limits.timeout");
    assertThat(Agents.in(registry).problems(bad).getFirst().nearest())
        .contains(Kind.MODEL.id("fast"));
    assertThat(Agents.in(registry).problems(DESK)).isEmpty();
  }

  @Test
  void no_model_is_asked_while_an_agent_is_made() {
    var _ = Agents.in(registry).problems(DESK);
    var _ = Agents.in(registry).agent(DESK);
    assertThat(model.calls()).isZero();
  }

  @Test
  void limits_of_a_definition_hold() {
    var once =
        DESK.withLimits(
            new Limits(
                Optional.of(1),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
    assertThatThrownBy(() -> Agents.in(registry).agent(once).run("Go."))
        .isInstanceOf(LimitReached.class);
    var calls = new java.util.concurrent.atomic.AtomicInteger();
    var busy =
        ScriptedModel.by(_ -> {
          calls.incrementAndGet();
          throw new ModelException(ModelException.Kind.OVERLOADED, "busy");
        });
    registry.register(Component.of(Kind.MODEL, "busy", busy));
    var twice =
        AgentDefinition.of("a", "busy")
            .withLimits(
                new Limits(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(2),
                    Optional.empty(),
                    Optional.empty()));
    var options = RunOptions.defaults().sleeper(_ -> {});
    assertThatThrownBy(() -> Agents.in(registry).agent(twice).run("Go.", options))
        .isInstanceOf(ModelException.class);
    assertThat(calls).hasValue(2);
  }

  @Test
  void an_approval_is_asked_for_by_the_name_in_the_registry() throws Exception {
    var agent = Agents.in(registry).agent(DESK.withApproved("weather"));
    assertThatThrownBy(() -> agent.run("Go.")).isInstanceOf(ApprovalNeedsStore.class);
    assertThat(model.calls()).isZero();
    assertThat(agent.run("Go.", options())).isInstanceOf(AgentResult.Waiting.class);
  }

  @Test
  void agents_are_components_that_call_each_other_by_name() throws Exception {
    var boss =
        ScriptedModel.by(request ->
            request.messages().size() == 1
                ? ScriptedModel.calls(new ToolCall("c", "desk", "{\"task\":\"Weather?\"}"))
                : ScriptedModel.text("Boss done."));
    registry.register(Component.of(Kind.MODEL, "slow", boss));
    var agents = Agents.in(registry);
    registry.register(agents.component("desk", DESK));
    registry.register(
        agents.component("boss", AgentDefinition.of("boss", "slow").withAgent("desk", "Helps.")));
    Agent<?> made = registry.instantiate(Kind.AGENT, "boss", "run-1");
    assertThat(made.run("Go.", options()).report().conversation())
        .extracting(Message::text)
        .contains("Done.", "Boss done.");
    assertThat(registry.resolve(Kind.AGENT.id("boss")))
        .contains(Kind.TOOL.id("weather"), Kind.TEMPLATE.id("rules"), Kind.AGENT.id("desk"));
  }

  @Test
  void a_component_whose_parts_are_missing_is_told_of_by_the_registry() {
    var agents = Agents.in(registry);
    registry.register(agents.component("desk", AgentDefinition.of("desk", "fsat")));
    assertThat(registry.diagnose())
        .anySatisfy(found -> assertThat(found.code()).isEqualTo("missing-dependency"));
    assertThatThrownBy(() -> agents.component("x", AgentDefinition.of("x", "Not A Name")))
        .isInstanceOf(InvalidAgent.class);
  }

  @Test
  void a_definition_can_be_stored() {
    var codec = Codec.of(AgentDefinition.class);
    var stored = codec.encode(DESK.withAgent("helper", "Helps.").withApproved("weather"));
    assertThat(codec.decode(stored))
        .isEqualTo(DESK.withAgent("helper", "Helps.").withApproved("weather"));
  }

  @Test
  @Tag("T50")
  void a_template_is_found_by_its_name() {
    assertThat(registry.get(Kind.TEMPLATE, "rules").name()).isEqualTo("rules");
  }
}
