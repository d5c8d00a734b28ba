package dev.superstep.testkit.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.Middleware;
import dev.superstep.middleware.Middleware.Touches;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The conformance tests of a [Middleware]. With it, an agent must still answer, each tool call
/// must get exactly one answer, and the parts of a prompt that it does not own must stay as they
/// are; it must not keep state of a run in itself. A test class implements this interface.
@Timeout(60)
public interface MiddlewareSuite {
  /// The middleware. Called once for each test.
  Middleware fresh();

  @Test
  default void an_agent_with_this_middleware_answers() throws InterruptedException {
    var agent = agent(fresh(), ScriptedModel.saying("Good morning."));
    assertThat(agent.run("Hello?").report().conversation().getLast().text()).isNotBlank();
  }

  @Test
  default void each_tool_call_keeps_its_id_and_has_one_answer() throws InterruptedException {
    var model = calling();
    var said = agent(fresh(), model).run("Look it up.").report().conversation();
    var answered =
        said.stream()
            .filter(ToolMessage.class::isInstance)
            .map(message -> ((ToolMessage) message).callId())
            .toList();
    assertThat(answered).containsExactly("call-1");
  }

  @Test
  default void other_parts_of_a_prompt_reach_the_model_unchanged() throws InterruptedException {
    var middleware = fresh();
    var with = requests(List.of(middleware));
    var without = requests(List.of());
    var first = with.getFirst().messages().stream().map(Message::text).toList();
    var plain = without.getFirst().messages().stream().map(Message::text).toList();
    if (middleware.touches() == Touches.METADATA) {
      assertThat(first).isEqualTo(plain);
    } else if (middleware.touches() == Touches.TAIL) {
      assertThat(first.getFirst()).isEqualTo(plain.getFirst());
    }
    assertThat(first).isNotEmpty();
  }

  private static List<ChatRequest> requests(List<Middleware> all) throws InterruptedException {
    var model = ScriptedModel.saying("Good morning.");
    var builder = Agent.named("clerk").model(model).instructions("Be brief.");
    for (var middleware : all) builder = builder.middleware(middleware);
    builder.build().run("Hello?");
    return model.requests();
  }

  @Test
  default void a_second_run_and_concurrent_runs_have_the_same_result_as_the_first()
      throws Exception {
    var agent = agent(fresh(), ScriptedModel.by(_ -> ScriptedModel.text("Good morning.")));
    var first = replies(agent);
    assertThat(replies(agent)).isEqualTo(first);
    var runs = new ArrayList<Callable<List<String>>>();
    for (int i = 0; i < 8; i++) runs.add(() -> replies(agent));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var run : threads.invokeAll(runs)) assertThat(run.get()).isEqualTo(first);
    }
  }

  private static List<String> replies(Agent<String> agent) throws InterruptedException {
    return agent.run("Hello?").report().conversation().stream().map(Message::text).toList();
  }

  private static ScriptedModel calling() {
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("call-1", "lookup", "{}")),
        ScriptedModel.text("It is there."));
  }

  private static Agent<String> agent(Middleware middleware, ScriptedModel model) {
    return Agent.named("clerk")
        .model(model)
        .tools(FakeTool.named("lookup").returning("found").tool())
        .middleware(middleware)
        .build();
  }
}
