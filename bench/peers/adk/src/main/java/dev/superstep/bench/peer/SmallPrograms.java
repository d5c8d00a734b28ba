package dev.superstep.bench.peer;

import com.google.adk.agents.BaseAgent;
import com.google.adk.agents.LlmAgent;
import com.google.adk.agents.ParallelAgent;
import com.google.adk.models.BaseLlm;
import com.google.adk.models.BaseLlmConnection;
import com.google.adk.models.LlmRequest;
import com.google.adk.models.LlmResponse;
import com.google.adk.runner.InMemoryRunner;
import com.google.adk.tools.Annotations.Schema;
import com.google.adk.tools.FunctionTool;
import com.google.genai.types.Content;
import com.google.genai.types.FunctionCall;
import com.google.genai.types.Part;
import dev.superstep.bench.measure.ColdStart;
import io.reactivex.rxjava3.core.Flowable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// W15: small programs that run once. A session always stays in memory.
public final class SmallPrograms {
  private static final int SENDS = 100;

  private SmallPrograms() {}

  public static void main(String[] arguments) throws Exception {
    ColdStart.print(
        switch (arguments[0]) {
          case "one" -> () -> chain(1);
          case "chain" -> () -> chain(10);
          case "memory" -> () -> chain(2);
          case "fanout" -> SmallPrograms::fanOut;
          default -> SmallPrograms::agent;
        });
    System.exit(0);
  }

  private static int chain(int nodes) {
    var agents = new ArrayList<BaseAgent>();
    for (int i = 0; i < nodes; i++) agents.add(new AdkChild.Step("n" + i, AdkChild::counted));
    return AdkChild.n(AdkChild.run(AdkChild.runner(agents)));
  }

  private static long fanOut() {
    var agents = new ArrayList<BaseAgent>();
    for (int i = 0; i < SENDS; i++) {
      var item = "item-" + i;
      agents.add(new AdkChild.Step("task" + i, _ -> Map.of(item, item)));
    }
    var fan = ParallelAgent.builder().name("fan").subAgents(agents).build();
    return AdkChild.run(new InMemoryRunner(fan)).keySet().stream()
        .filter(key -> key.startsWith("item-"))
        .count();
  }

  private static String agent() throws Exception {
    var agent =
        LlmAgent.builder()
            .name("adder")
            .model(new Calling())
            .instruction("Add what you are given.")
            .tools(FunctionTool.create(SmallPrograms.class, "add"))
            .outputKey("answer")
            .build();
    return String.valueOf(AdkChild.run(new InMemoryRunner(agent)).get("answer"));
  }

  /// The tool.
  public static Map<String, Object> add(
      @Schema(name = "a", description = "one") int a,
      @Schema(name = "b", description = "other") int b) {
    return Map.of("sum", a + b);
  }

  /// Asks for one sum, and answers with it.
  private static final class Calling extends BaseLlm {
    Calling() {
      super("calling");
    }

    @Override
    public Flowable<LlmResponse> generateContent(LlmRequest request, boolean stream) {
      var results =
          request.contents().stream()
              .flatMap(content -> content.parts().orElse(List.of()).stream())
              .flatMap(part -> part.functionResponse().stream())
              .toList();
      var part =
          results.isEmpty()
              ? Part.builder()
                  .functionCall(
                      FunctionCall.builder().id("c1").name("add").args(Map.of("a", 0, "b", 1)).build())
                  .build()
              : Part.fromText(
                  "The last was "
                      + results.getLast().response().orElseThrow().get("sum")
                      + ".");
      var content = Content.builder().role("model").parts(List.of(part)).build();
      return Flowable.just(LlmResponse.builder().content(content).build());
    }

    @Override
    public BaseLlmConnection connect(LlmRequest request) {
      throw new UnsupportedOperationException("there is no live connection");
    }
  }
}
