package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.repl.grant.Grants;
import dev.superstep.schema.Description;
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import dev.superstep.tool.search.ToolSearch;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An agent with many tools that lets another one call some of them from code.
@Timeout(60)
class BulkBillingTest {
  record Invoice(@Description("Who pays.") String customer, @Description("In cents.") long cents) {}

  private static Agent<String> agent(ChatModel model, ChatModel coder, Tools tools) {
    var biller =
        ReplAgent.named("biller")
            .model(coder)
            .grants(Grants.none().tools(tools.find("create_invoice").orElseThrow()))
            .build();
    return Agent.named("office")
        .model(model)
        .agent(biller, "Makes many invoices at once, by code.")
        .middleware(ToolSearch.over(tools).withDeferred("biller"))
        .build();
  }

  private static Tools tools() {
    var all = new ArrayList<Tool>();
    for (int i = 1; i < 500; i++) {
      all.add(Tool.of("form_" + i, "Fills in form " + i + ".", Invoice.class, (_, _) -> "filled"));
    }
    all.add(
        Tool.of(
            "create_invoice",
            "Creates an invoice for a customer.",
            Invoice.class,
            (i, _) -> i.customer() + ": " + i.cents()));
    return Tools.of(all);
  }

  @Test
  void a_cell_calls_the_deferred_tools_that_it_was_granted_by_name() throws Exception {
    var search = "{\"query\":\"many invoices\"}";
    var call = "{\"name\":\"biller\",\"arguments\":{\"task\":\"Bill Ada and Bob 9.00 each.\"}}";
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "search_tools", search)),
            ScriptedModel.calls(new ToolCall("c2", "call_tool", call)),
            ScriptedModel.text("They have their invoices."));
    var coder =
        ScriptedModel.saying(
            """
            ```ragsh
            made = [tool("create_invoice", customer=c, cents=900) for c in ["Ada", "Bob"]]
            answer("; ".join(made))
            ```
            """);
    var _ = agent(model, coder, tools()).run("Bill Ada and Bob 9.00 each.");
    assertThat(model.requests().getLast().messages().getLast().text())
        .isEqualTo("Ada: 900; Bob: 900");
  }
}
