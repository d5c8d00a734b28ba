package dev.superstep.example.guide.calls;

import dev.superstep.agent.Agent;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.message.AssistantMessage;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.ToolSpec;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import dev.superstep.tool.search.ToolSearch;
import java.util.ArrayList;
import java.util.List;

/// An agent with a thousand tools, of which its model is told two. The model is scripted.
public final class ManyTools {
  private ManyTools() {}

  record Invoice(@Description("Who pays.") String customer, @Description("In cents.") long cents) {}

  static Agent<String> agent(ChatModel model, Tools tools) {
    return Agent.named("office")
        .model(model)
        .instructions("Do the work of the office.")
        .middleware(ToolSearch.over(tools).withTopics("invoices, forms"))
        .build();
  }

  static Tools tools() {
    var all = new ArrayList<Tool>();
    for (int i = 1; i < 1_000; i++) {
      all.add(
          Tool.of("fill_form_" + i, "Fills in form " + i + ".", Invoice.class, (_, _) -> "filled"));
    }
    all.add(
        Tool.of(
            "create_invoice",
            "Creates an invoice for a customer.",
            Invoice.class,
            (i, _) -> "Invoice of " + i.customer() + ": " + i.cents() + " cents."));
    return Tools.of(all);
  }

  static ScriptedModel model() {
    var search = "{\"query\":\"invoice for a customer\"}";
    var call = "{\"name\":\"create_invoice\",\"arguments\":{\"customer\":\"Ada\",\"cents\":900}}";
    return ScriptedModel.replying(
        ScriptedModel.calls(new ToolCall("c1", "search_tools", search)),
        ScriptedModel.calls(new ToolCall("c2", "call_tool", call)),
        ScriptedModel.text("Ada has her invoice."));
  }

  public static void main(String[] args) throws InterruptedException {
    var model = model();
    var options = RunOptions.thread("t-1").checkpoints(new InMemoryCheckpointer());
    var result = agent(model, tools()).run("Bill Ada 9.00", options);

    for (var request : model.requests()) {
      System.out.println("offered: " + request.tools().stream().map(ToolSpec::name).toList());
    }
    for (var message : result.report().conversation()) {
      if (message instanceof AssistantMessage reply) {
        for (var call : reply.calls()) System.out.println("called: " + call.tool());
      }
    }
    System.out.println(result.answer());
    System.out.println(share(model) + " % of the window");
  }

  /// The tokens of the largest request, as a share of a window of 150,000.
  private static long share(ScriptedModel model) {
    var counter = TokenCounter.approximate();
    var counts = List.copyOf(model.requests()).stream().mapToLong(counter::count);
    return Math.ceilDiv(counts.max().orElse(0) * 100, 150_000);
  }
}
