package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.Tool;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/// Holds the bytes that a call of a tool asks for, with the turn of the model before it: W8 of the
/// benchmarks. Each limit is a tenth above what was measured when it was set; lower it with the
/// figure.
final class CallBudgetTest {
  private static final int ROUNDS = 7;
  private static final int FEW = 50;
  private static final int MANY = 400;

  private record Numbers(int a, int b) {}

  /// Asks for one sum after the other, by the number of messages that it is shown.
  private record Calling(int calls) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "adder");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      int done = (request.messages().size() - 2) / 2;
      if (done == calls) return ScriptedModel.text("Done.");
      var arguments = "{\"a\":" + done + ",\"b\":" + (done + 1) + "}";
      return ScriptedModel.calls(new ToolCall("call-" + done, "add", arguments));
    }
  }

  private static Agent<String> adder(int calls) {
    return Agent.named("adder")
        .model(new Calling(calls))
        .instructions("Add what you are given.")
        .tools(Tool.of("add", "Adds.", Numbers.class, (n, _) -> Integer.toString(n.a() + n.b())))
        .modelCalls(calls + 1)
        .toolCalls(calls)
        .build();
  }

  /// The least that a call took in a run of so many, on all threads: others of this process can
  /// only add.
  private static long bytes(int calls, boolean isKept) throws Exception {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    var agent = adder(calls);
    long least = Long.MAX_VALUE;
    for (int i = 0; i < ROUNDS; i++) {
      var options = isKept ? kept() : RunOptions.defaults();
      long before = threads.getTotalThreadAllocatedBytes();
      assertThat(agent.run("Go.", options).answer()).isEqualTo("Done.");
      least = Math.min(least, threads.getTotalThreadAllocatedBytes() - before);
    }
    return least / calls;
  }

  /// On a store that keeps values as they are, as it does outside of tests.
  private static RunOptions kept() {
    return RunOptions.thread("sums")
        .checkpoints(new InMemoryCheckpointer(InstantSource.system(), false));
  }

  @Test
  void a_call_that_is_kept_nowhere_stays_within_its_budget() throws Exception {
    assertThat(bytes(MANY, false)).isBetween(1L, 18_900L);
  }

  @Test
  void a_call_that_is_kept_in_memory_stays_within_its_budget() throws Exception {
    assertThat(bytes(MANY, true)).isBetween(1L, 34_000L);
  }

  @Test
  void a_call_late_in_a_long_conversation_takes_no_more_than_an_early_one() throws Exception {
    assertThat(bytes(MANY, false)).isLessThan(bytes(FEW, false) * 21 / 20);
    assertThat(bytes(MANY, true)).isLessThan(bytes(FEW, true) * 21 / 20);
  }
}
