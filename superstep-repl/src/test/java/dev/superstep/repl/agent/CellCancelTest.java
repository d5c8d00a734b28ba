package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.grant.Grants;
import dev.superstep.repl.grant.ReplLimits;
import dev.superstep.repl.host.TextSource;
import dev.superstep.run.Outcome;
import dev.superstep.tool.Tool;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A run that is cancelled ends all that runs inside of it: sessions inside that compute, that wait
/// for a model, or that wait for a tool.
@Tag("S19")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CellCancelTest {
  private static final int CHILDREN = 9;
  private static final int ROUNDS = Integer.getInteger("superstep.cases", 3);

  private static final String[] CHILD = {
    "n = 0\nstarted = tool('begin', name='computes')\nwhile True:\n    n += 1",
    "llm_query('wait')",
    "tool('wait', name='tool')"
  };

  record Name(String name) {}

  private final CountDownLatch begun = new CountDownLatch(CHILDREN);
  private final CountDownLatch ended = new CountDownLatch(CHILDREN / 3 * 2);

  private String forever() throws InterruptedException {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
      return "never";
    } finally {
      ended.countDown();
    }
  }

  private ChatModel driver() {
    return ScriptedModel.by(request -> {
      for (var message : request.messages().reversed()) {
        int at = message.text().indexOf("child ");
        if (at < 0) continue;
        int number = Integer.parseInt(message.text().substring(at + 6).strip());
        return ScriptedModel.text("```\n" + CHILD[number % CHILD.length] + "\n```");
      }
      return ScriptedModel.text(
          "```\nrlm_batch(['child ' + str(i) for i in range(" + CHILDREN + ")])\n```");
    });
  }

  private long cancelled() throws Exception {
    var waiting = Tool.of("wait", "Waits.", Name.class, (_, _) -> forever()).withoutTimeout();
    var begin =
        Tool.of(
            "begin",
            "Begins.",
            Name.class,
            (_, _) -> {
              begun.countDown();
              return "begun";
            });
    var small = ScriptedModel.by(_ -> ScriptedModel.text(uninterrupted()));
    var agent =
        ReplAgent.named("parent")
            .model(driver())
            .grants(Grants.none().model("small", small).middleware().tools(waiting, begin))
            .limits(ReplLimits.standard().withConcurrency(CHILDREN))
            .policy(
                ReplPolicy.standard()
                    .withOperations(Long.MAX_VALUE / 4)
                    .withCellTime(Duration.ofMinutes(10)))
            .context(TextSource.of(""))
            .build();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    try (var run = agent.stream("Go.", options)) {
      begun.await();
      long start = System.nanoTime();
      run.cancel();
      assertThat(run.outcome()).isInstanceOf(Outcome.Stopped.class);
      ended.await();
      return (System.nanoTime() - start) / 1_000_000;
    }
  }

  private String uninterrupted() {
    try {
      return forever();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  @Test
  void children_that_compute_or_wait_end_with_their_parent() throws Exception {
    long slowest = 0;
    for (int i = 0; i < Math.min(ROUNDS, 100); i++) {
      slowest = Math.max(slowest, new CellCancelTest().cancelled());
    }
    System.out.println("long: " + CHILDREN + " children ended within " + slowest + " ms");
  }
}
