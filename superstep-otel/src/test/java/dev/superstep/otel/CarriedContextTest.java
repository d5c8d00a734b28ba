package dev.superstep.otel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The context of OpenTelemetry that a caller has made current, at the calls of tools.
@Timeout(60)
class CarriedContextTest {
  private static final ContextKey<String> USER = ContextKey.named("user");

  record None() {}

  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());

  private Agent<String> looking() {
    var look =
        Tool.of(
            "look",
            "Looks.",
            None.class,
            (_, _) -> {
              var user = Context.current().get(USER);
              seen.add(user == null ? "nobody" : user);
              return "seen";
            });
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1")),
            ScriptedModel.calls(call("c2"), call("c3")),
            ScriptedModel.text("Done."));
    return Agent.named("a").model(model).tools(look).build();
  }

  private static ToolCall call(String id) {
    return new ToolCall(id, "look", "{}");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void it_is_carried_to_calls_alone_and_side_by_side(boolean isVirtual) throws Exception {
    var options = RunOptions.defaults().carrying(work -> Context.current().wrap(work));
    var run =
        new FutureTask<>(() -> {
          try (var _ = Context.current().with(USER, "ada").makeCurrent()) {
            return looking().run("Go.", options).answer();
          }
        });
    var thread = isVirtual ? Thread.ofVirtual().start(run) : Thread.ofPlatform().start(run);
    assertThat(run.get()).isEqualTo("Done.");
    thread.join();
    assertThat(seen).containsExactly("ada", "ada", "ada");
  }

  @Test
  void it_is_not_carried_unasked() throws Exception {
    try (var _ = Context.current().with(USER, "ada").makeCurrent()) {
      looking().run("Go.");
    }
    assertThat(seen).containsExactly("nobody", "nobody", "nobody");
  }
}
