package dev.superstep.mcp.server;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.graph.RunOptions;
import dev.superstep.mcp.McpServer;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.tool.Tools;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/// An agent that calls a tool of a server as a task, in a process of its own that can be killed.
final class TaskAgentProgram {
  private TaskAgentProgram() {}

  /// @param arguments the folder of its store, and the address of the server
  public static void main(String[] arguments) throws Exception {
    var server = McpServer.http("orders", URI.create(arguments[1])).tasks(Duration.ofHours(1));
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text(result.text())
                : ScriptedModel.calls(new ToolCall("c1", "orders_count", "{}")));
    try (var store = SqliteCheckpointer.open(Path.of(arguments[0], "agent.db"));
        var connection = server.connect()) {
      var agent = Agent.named("caller").model(model).tools(Tools.of(connection.tools())).build();
      var options = RunOptions.thread("t").checkpoints(store);
      var end =
          agent.hasUnfinishedWork(options)
              ? agent.resume(Answers.none(), options)
              : agent.run("Count.", options);
      System.out.println(((AgentResult.Answered<String>) end).answer());
    }
  }
}
