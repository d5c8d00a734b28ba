package dev.superstep.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.mcp.McpAnswer;
import dev.superstep.mcp.McpQuestions;
import dev.superstep.mcp.McpServer;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.service.InMemoryServiceStore;
import dev.superstep.tool.Tools;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Superstep's client follows tasks of a served graph, also in another process.
@Timeout(120)
final class TaskClientTest {
  @TempDir Path folder;

  private Process client(URI server) throws Exception {
    var words =
        ServerProcess.words(TaskAgentProgram.class.getName(), folder.toString(), server.toString());
    return new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  @Test
  void another_process_follows_the_task_of_a_killed_one_and_calls_nothing_twice() throws Exception {
    try (var host =
            DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
                .build();
        var server = host.start(0)) {
      var first = client(server.address());
      // The second node waits, and so the client has the task; its store has it a moment later.
      while (!Files.exists(folder.resolve("waiting"))) Thread.sleep(20);
      while (!stores("taskId")) Thread.sleep(20);
      first.destroyForcibly().waitFor();
      var second = client(server.address());
      Files.writeString(folder.resolve("go"), "");
      assertThat(second.inputReader().readLine()).contains("\"count\":2");
      assertThat(second.waitFor()).isZero();
    }
    assertThat(DeskProgram.effects(folder)).isEqualTo("first\nsecond\n");
  }

  @Test
  void a_question_of_a_task_is_answered_over_another_connection() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text(result.text())
                : ScriptedModel.calls(
                    new ToolCall("c1", "orders_refund", "{\"order\":\"1\",\"cents\":3000}")));
    try (var host =
            DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
                .build();
        var server = host.start(0)) {
      var orders = McpServer.http("orders", server.address()).asking().tasks(Duration.ofHours(1));
      try (var connection = orders.connect()) {
        var agent = Agent.named("c").model(model).tools(Tools.of(connection.tools())).build();
        var waiting = (AgentResult.Waiting<String>) agent.run("Refund it.", options);
        assertThat(waiting.questions()).hasSize(1);
      }
      try (var connection = orders.connect()) {
        var agent = Agent.named("c").model(model).tools(Tools.of(connection.tools())).build();
        var yes = McpAnswer.accept(Json.parse("{\"agreed\":true,\"reason\":\"broken\"}"));
        var end = agent.resume(Answers.to(McpQuestions.ELICITED, yes), options);
        assertThat(((AgentResult.Answered<String>) end).answer()).contains("3000");
      }
    }
  }

  private boolean stores(String text) throws Exception {
    for (var name : new String[] {"agent.db", "agent.db-wal"}) {
      var file = folder.resolve(name);
      if (!Files.exists(file)) continue;
      var bytes =
          new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
      if (bytes.contains(text)) return true;
    }
    return false;
  }
}
