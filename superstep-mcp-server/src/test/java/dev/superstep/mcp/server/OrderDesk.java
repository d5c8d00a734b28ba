package dev.superstep.mcp.server;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.graph.Graph;
import dev.superstep.node.Question;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.service.ServiceStore;
import dev.superstep.state.Channel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteServiceStore;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolPolicy;
import java.nio.file.Path;

/// A desk for orders as an MCP server.
final class OrderDesk {
  private OrderDesk() {}

  record OrderId(String order) {}

  record Refund(String order, int cents) {}

  record Decision(boolean agreed, String reason) {}

  record Refunded(String order, int cents, String note) {}

  static final Question<Refund, Decision> AGREE =
      Question.of("agree_to_refund", Refund.class, Decision.class);

  static final Channel<Refund, Refund> ASKED = Channel.latest("asked", Refund.class);
  static final Channel<Refunded, Refunded> DONE = Channel.latest("done", Refunded.class);

  static final Tool FIND_ORDER =
      Tool.of(
              "find_order",
              "Finds an order by its id.",
              OrderId.class,
              (given, _) -> "Order " + given.order() + ": a teapot, 30.00 EUR, delivered.")
          .withPolicy(ToolPolicy.readOnly());

  static Graph refunds() {
    return Graph.named("refunds")
        .channels(ASKED, DONE)
        .questions(AGREE)
        .node(
            "agree",
            (state, context) -> {
              var asked = state.get(ASKED);
              var answer = context.interrupt(AGREE, asked);
              int cents = answer.agreed() ? asked.cents() : 0;
              return Update.of(DONE, new Refunded(asked.order(), cents, answer.reason()));
            })
        .edge(Graph.START, "agree")
        .edge("agree", Graph.END)
        .compile();
  }

  static McpHostBuilder host(Checkpointer states, ServiceStore records) {
    var form =
        GraphForm.of(
            Refund.class, asked -> Input.of(ASKED, asked), Refunded.class, end -> end.get(DONE));
    return McpHost.named("orders")
        .instructions("Look an order up before you refund it.")
        .tool(FIND_ORDER)
        .graph("refund", "Refunds an order. Somebody has to agree.", refunds(), form)
        .storedIn(states, records);
  }

  /// Serves the client that starts this program.
  public static void main(String[] arguments) {
    var file = Path.of(arguments[0]);
    try (var states = SqliteCheckpointer.open(file);
        var records = SqliteServiceStore.open(file);
        var host = host(states, records).build()) {
      host.serve();
    }
  }
}
