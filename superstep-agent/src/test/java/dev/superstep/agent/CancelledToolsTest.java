package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Outcome;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Once a run was asked to stop, its agents start no tool, whoever swallows the interruption.
@Timeout(30)
class CancelledToolsTest {
  record Place(String path) {}

  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger started = new AtomicInteger();
  private final AtomicInteger tries = new AtomicInteger();

  private final Tool waiting =
      Tool.of(
          "wait",
          "Waits.",
          Place.class,
          (_, _) -> {
            started.incrementAndGet();
            begun.countDown();
            new CountDownLatch(1).await();
            return "never";
          });

  private final Middleware stubborn =
      new Middleware() {
        @Override
        public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
            throws Exception {
          try {
            while (tries.incrementAndGet() < 10) {
              try {
                return next.call(call);
              } catch (InterruptedException _) {
                // Swallowed, as code does that knows nothing of cancellation.
              }
            }
            return ToolResult.error("It gave up.");
          } finally {
            over.countDown();
          }
        }
      };

  @Test
  void middleware_that_swallows_the_interruption_starts_no_further_call() throws Exception {
    var call = new ToolCall("c1", "wait", "{\"path\":\"here\"}");
    var agent =
        Agent.named("agent")
            .model(
                ScriptedModel.replying(ScriptedModel.calls(call), ScriptedModel.text("Not asked.")))
            .tools(waiting)
            .middleware(stubborn)
            .build();
    try (var stream = agent.stream("Go.", RunOptions.defaults())) {
      begun.await();
      stream.cancel();
      assertThat(stream.outcome()).isInstanceOf(Outcome.Stopped.class);
    }
    over.await();
    assertThat(started).hasValue(1);
    assertThat(tries).hasValue(10);
  }
}
