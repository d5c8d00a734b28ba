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
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Superstep's client of MCP servers as a peer.
@Timeout(120)
final class OwnClientTest {
  @TempDir Path folder;

  private McpServer process() throws Exception {
    var words = ServerProcess.words(DeskProgram.class.getName(), folder.toString());
    return McpServer.stdio("orders", folder.toRealPath(), words.toArray(String[]::new));
  }

  private McpHost host() {
    return DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
        .build();
  }

  private static final Json REFUND = Json.parse("{\"order\":\"4711\",\"cents\":3000}");

  @Test
  void it_uses_a_server_that_is_a_process() throws Exception {
    var server =
        process().answering(_ -> McpAnswer.accept(Json.parse("{\"agreed\":true,\"reason\":\"\"}")));
    try (var connection = server.connect()) {
      assertThat(connection.revision()).isEqualTo("2025-11-25");
      assertThat(Tools.of(connection.tools()).names()).contains("orders_refund", "orders_desk");
      var result = connection.call("refund", REFUND);
      assertThat(result.artifact().orElseThrow().text()).contains("3000");
      assertThat(connection.skipped()).isEmpty();
    }
  }

  @Test
  void it_uses_a_server_by_HTTP() throws Exception {
    try (var server = host().start(0);
        var connection = McpServer.http("orders", server.address()).connect()) {
      assertThat(connection.call("echo", Json.of(Map.of("text", "tea"))).text()).isEqualTo("tea");
      assertThat(connection.call("refund", REFUND).text()).contains("answer_call");
    }
  }

  /// The question goes from a graph here through the protocol to the person of an agent there.
  @Test
  void a_question_of_a_served_graph_is_a_question_of_the_agent_that_calls_it() throws Exception {
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text(result.text())
                : ScriptedModel.calls(new ToolCall("c1", "orders_refund", REFUND.text())));
    try (var server = host().start(0)) {
      var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
      try (var connection = McpServer.http("orders", server.address()).asking().connect()) {
        var agent = agent(model, Tools.of(connection.tools()));
        var waiting = (AgentResult.Waiting<String>) agent.run("Refund it.", options);
        assertThat(waiting.questions()).hasSize(1);
      }
      try (var connection = McpServer.http("orders", server.address()).asking().connect()) {
        var agent = agent(model, Tools.of(connection.tools()));
        var yes = McpAnswer.accept(Json.parse("{\"agreed\":true,\"reason\":\"broken\"}"));
        var end = agent.resume(Answers.to(McpQuestions.ELICITED, yes), options);
        assertThat(((AgentResult.Answered<String>) end).answer()).contains("3000");
      }
    }
  }

  private static Agent<String> agent(ScriptedModel model, Tools tools) {
    return Agent.named("caller").model(model).tools(tools).build();
  }

  /// An agent whose tools are those of another server, served again.
  @Test
  void tools_of_another_server_are_served_with_their_questions() throws Exception {
    try (var inner = host().start(0);
        var connection = McpServer.http("orders", inner.address()).asking().connect()) {
      var outer = McpHost.named("outer").tools(Tools.of(connection.tools())).build();
      try (var server = outer.start(0);
          var client = new HttpClientOfTest(server.address()).greet("{}")) {
        var waiting = client.call("orders_refund", REFUND.text()).path("result");
        var open = waiting.path("structuredContent");
        var answer = "{\"call\":\"%s\",\"answers\":{\"agreed\":true,\"reason\":\"broken\"}}";
        var result = client.call("answer_call", answer.formatted(open.path("call").asString()));
        assertThat(result.toString()).contains("3000");
      }
    }
  }
}
