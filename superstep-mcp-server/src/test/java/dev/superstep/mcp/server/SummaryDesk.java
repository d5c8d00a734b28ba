package dev.superstep.mcp.server;

import dev.superstep.mcp.server.content.ClientQuestions;
import dev.superstep.mcp.server.content.ModelRequest;
import dev.superstep.tool.Tool;

/// The program of the guide: a tool that uses the model of the client.
final class SummaryDesk {
  private SummaryDesk() {}

  record Given(String text) {}

  static final Tool SUM_UP =
      Tool.of(
              "sum_up",
              "Sums a text up.",
              Given.class,
              (given, context) -> {
                var request = ModelRequest.of("Sum this up: " + given.text(), 500);
                return context.ask(ClientQuestions.MODEL, request).text();
              })
          .withQuestions(ClientQuestions.MODEL);

  /// Serves the client that starts this program.
  public static void main(String[] arguments) {
    try (var host = McpHost.named("summaries").tool(SUM_UP).build()) {
      host.serve();
    }
  }
}
