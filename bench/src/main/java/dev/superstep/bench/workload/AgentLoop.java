package dev.superstep.bench.workload;

import dev.superstep.agent.Agent;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelRef;
import dev.superstep.model.Usage;
import dev.superstep.tool.Tool;
import java.util.List;

/// W8: an agent whose model, which needs no time, calls a tool so many times and then answers. The
/// time is the harness's alone.
final class AgentLoop implements Workload {
  private static final Usage USED = new Usage(100, 0, 10, 0);

  private record Numbers(int a, int b) {}

  @Override
  public void measure(Case what, Recorder out) throws Exception {
    int calls = what.number(1);
    var add = Tool.of("add", "Adds.", Numbers.class, (n, _) -> Integer.toString(n.a() + n.b()));
    var agent =
        Agent.named("adder")
            .model(new Calling(calls))
            .instructions("Add what you are given.")
            .tools(add)
            .modelCalls(calls + 1)
            .toolCalls(calls)
            .build();
    var last = new String[1];
    Span.Body run = () -> last[0] = agent.run("Go.", options(what)).answer();
    what.warmUp(out, "run", calls, run);
    what.repeat(
        what.repetitions(),
        () -> {
          out.add("run", "call", Span.of(run), calls);
          out.check("run", "The last was " + (2 * calls - 1) + ".", last[0]);
        });
  }

  private static RunOptions options(Case what) {
    return what.kind().equals("none")
        ? RunOptions.defaults()
        : RunOptions.thread("loop").checkpoints(new InMemoryCheckpointer());
  }

  /// Asks for one sum after the other, by the number of answers that it was shown.
  record Calling(int calls) implements ChatModel {
    @Override
    public ModelRef ref() {
      return new ModelRef("scripted", "adder");
    }

    @Override
    public ChatReply call(ChatRequest request) {
      var messages = request.messages();
      int done = (messages.size() - 2) / 2;
      if (done < calls) {
        var arguments = "{\"a\":" + done + ",\"b\":" + (done + 1) + "}";
        var call = new ToolCall("call-" + done, "add", arguments);
        return reply(new AssistantMessage("", "", List.of(call)), ChatReply.Finish.TOOL_CALLS);
      }
      var sum = ((ToolMessage) messages.getLast()).text();
      var reply = new AssistantMessage("", "The last was " + sum + ".", List.of());
      return reply(reply, ChatReply.Finish.STOP);
    }

    private ChatReply reply(AssistantMessage message, ChatReply.Finish finish) {
      return new ChatReply(message, USED, finish, ref(), ChatReply.Source.SCRIPTED);
    }
  }
}
