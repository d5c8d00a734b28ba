package dev.superstep.middleware;

import static dev.superstep.middleware.Stage.agent;
import static dev.superstep.middleware.Stage.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TracingTest {
  record Nothing() {}

  private final Stage stage = new Stage();

  @Test
  @Tag("T121")
  @Tag("T43")
  void each_hook_is_traced_in_the_order_of_completion() throws Exception {
    var tool = Tool.of("look", "Looks.", Nothing.class, (_, _) -> "sun");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "look", "{}")), ScriptedModel.text("Sun."));
    stage.run(
        agent(
                model,
                Tracing.all(Guardrail.input(Guard.of(_ -> Guard.Ruling.pass())), Retrying.times(2)))
            .tools(tool));
    assertThat(stage.heard(AgentEvent.MiddlewareCompleted.class))
        .extracting(event -> event.middleware() + " " + event.hook())
        .startsWith(
            "input-guardrail beforeAgent",
            "Retrying beforeAgent",
            "input-guardrail beforeModel",
            "Retrying beforeModel",
            "Retrying aroundModel",
            "input-guardrail aroundModel",
            "Retrying afterModel",
            "input-guardrail afterModel",
            "input-guardrail beforeTool",
            "Retrying beforeTool",
            "Retrying aroundTool")
        .endsWith("Retrying afterAgent", "input-guardrail afterAgent");
  }

  @Test
  void work_of_inner_middleware_is_not_counted() throws Exception {
    var slow =
        new Middleware() {
          @Override
          public ChatReply aroundModel(ChatRequest request, AgentContext context, ModelNext next)
              throws Exception {
            long until = System.nanoTime() + Duration.ofMillis(300).toNanos();
            while (System.nanoTime() < until) Thread.onSpinWait();
            return next.call(request);
          }
        };
    stage.run(agent(Stage.saying("Hello"), Tracing.of(Retrying.times(1)), Tracing.of(slow)));
    var took =
        stage.heard(AgentEvent.MiddlewareCompleted.class).stream()
            .filter(event -> event.hook().equals("aroundModel"))
            .map(AgentEvent.MiddlewareCompleted::took)
            .toList();
    assertThat(took.get(0)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    assertThat(took.get(1)).isLessThan(took.get(0));
  }

  /// A hook that is new to middleware must be handed on, too.
  @Test
  void every_hook_is_handed_on() {
    var own = Arrays.stream(Tracing.class.getDeclaredMethods()).map(m -> m.getName()).toList();
    assertThat(Middleware.class.getDeclaredMethods())
        .filteredOn(m -> !m.isSynthetic())
        .allSatisfy(hook -> assertThat(own).contains(hook.getName()));
  }
}
