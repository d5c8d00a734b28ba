package dev.superstep.bench.peer;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.SystemMessage;
import dev.superstep.bench.measure.Case;
import dev.superstep.bench.measure.Child;
import dev.superstep.bench.measure.ColdStart;
import dev.superstep.bench.measure.Recorder;
import dev.superstep.bench.measure.Span;
import dev.superstep.bench.measure.Workload;
import java.util.Map;

/// W8 and W15 as LangChain4j does it: its own loop of AI services, by its public interface. It has no graph
/// and keeps nothing but the conversation, so it does no workload without an agent.
public final class LangChain4jChild {
  private LangChain4jChild() {}

  public static void main(String[] arguments) throws Exception {
    Map<String, Workload> workloads =
        Map.of(
            "W8 none",
            LangChain4jChild::agent,
            "W15 agent",
            new ColdStart(SmallProgram.class.getName()));
    Child.run("langchain4j", workloads, arguments);
    System.exit(0);
  }

  /// What an agent is here.
  interface Adder {
    @SystemMessage("Add what you are given.")
    String go(String what);
  }

  /// The tool.
  public static final class Sums {
    @Tool(name = "add", value = "Adds.")
    public String add(@P(name = "a", value = "one") int a, @P(name = "b", value = "other") int b) {
      return Integer.toString(a + b);
    }
  }

  private static void agent(Case what, Recorder out) throws Exception {
    int calls = what.number(1);
    var model = new Calling(calls);
    var last = new String[1];
    Span.Body run =
        () -> {
          // A memory of its own for each run, as everybody has who takes part.
          last[0] = adder(model, calls).go("Go.");
        };
    what.warmUp(out, "ai-services", calls, run);
    what.repeat(
        what.repetitions(),
        () -> {
          out.add("ai-services", "call", Span.of(run), calls);
          out.check("ai-services", "The last was " + (2 * calls - 1) + ".", last[0]);
        });
  }

  private static Adder adder(ChatModel model, int calls) {
    return AiServices.builder(Adder.class)
        .chatModel(model)
        .tools(new Sums())
        .chatMemory(MessageWindowChatMemory.withMaxMessages(2 * calls + 10))
        .maxSequentialToolsInvocations(calls + 1)
        .build();
  }

  /// W15: an agent that calls a tool once.
  public static final class SmallProgram {
    private SmallProgram() {}

    public static void main(String[] arguments) throws Exception {
      ColdStart.print(() -> adder(new Calling(1), 1).go("Go."));
      System.exit(0);
    }
  }

  /// Asks for one sum after the other, by the number of answers that it was shown.
  private record Calling(int calls) implements ChatModel {
    @Override
    public ChatResponse doChat(ChatRequest request) {
      var messages = request.messages();
      int done = (messages.size() - 2) / 2;
      if (done < calls) {
        var call =
            ToolExecutionRequest.builder()
                .id("call-" + done)
                .name("add")
                .arguments("{\"a\":" + done + ",\"b\":" + (done + 1) + "}")
                .build();
        return reply(AiMessage.from(call), FinishReason.TOOL_EXECUTION);
      }
      var sum = ((ToolExecutionResultMessage) messages.get(messages.size() - 1)).text();
      return reply(AiMessage.from("The last was " + sum + "."), FinishReason.STOP);
    }

    private static ChatResponse reply(AiMessage message, FinishReason why) {
      return ChatResponse.builder()
          .aiMessage(message)
          .tokenUsage(new TokenUsage(100, 10))
          .finishReason(why)
          .build();
    }
  }
}
