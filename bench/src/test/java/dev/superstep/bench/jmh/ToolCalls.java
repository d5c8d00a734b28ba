package dev.superstep.bench.jmh;

import dev.superstep.agent.Agent;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import dev.superstep.tool.Tool;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// An agent that calls a tool, kept nowhere. What a run costs once is spread over its calls.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class ToolCalls {
  private static final int CALLS = 100;
  private static final Usage USED = new Usage(100, 0, 10, 0);

  private final Agent<String> agent =
      Agent.named("adder")
          .model(new Calling())
          .tools(Tool.of("add", "Adds.", Numbers.class, (n, _) -> Integer.toString(n.a() + n.b())))
          .modelCalls(CALLS + 1)
          .toolCalls(CALLS)
          .build();

  private record Numbers(int a, int b) {}

  /// A tool call with the turn that asks for it.
  @Benchmark
  @OperationsPerInvocation(CALLS)
  public String toolCall() throws InterruptedException {
    return agent.run("Go.").answer();
  }

  /// Asks for one sum after the other, by the number of answers that it was shown.
  private record Calling() implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "adder");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      int done = request.messages().size() / 2;
      boolean isDone = done >= CALLS;
      var calls =
          isDone
              ? List.<ToolCall>of()
              : List.of(new ToolCall("call-" + done, "add", "{\"a\":" + done + ",\"b\":1}"));
      var message = new AssistantMessage("", isDone ? "Done." : "", calls);
      var finish = isDone ? ChatReply.Finish.STOP : ChatReply.Finish.TOOL_CALLS;
      return new ChatReply(message, USED, finish, ref(), ChatReply.Source.SCRIPTED);
    }
  }
}
