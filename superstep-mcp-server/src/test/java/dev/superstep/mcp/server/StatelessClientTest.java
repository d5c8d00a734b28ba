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
import dev.superstep.tool.Tool;
import dev.superstep.tool.Tools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Superstep's client of MCP servers in revision 2026-07-28.
@Timeout(120)
final class StatelessClientTest {
  private static final Json REFUND = Json.parse("{\"order\":\"4711\",\"cents\":3000}");
  private static final McpAnswer YES =
      McpAnswer.accept(Json.parse("{\"agreed\":true,\"reason\":\"broken\"}"));

  @TempDir Path folder;

  private McpHost host() {
    return DeskProgram.host(folder, new InMemoryCheckpointer(), InMemoryServiceStore.open())
        .build();
  }

  private McpServer process() throws Exception {
    var words = ServerProcess.words(DeskProgram.class.getName(), folder.toString());
    return McpServer.stdio("orders", folder.toRealPath(), words.toArray(String[]::new)).stateless();
  }

  private static Agent<String> agent(Tools tools) {
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text(result.text())
                : ScriptedModel.calls(new ToolCall("c1", "orders_refund", REFUND.text())));
    return Agent.named("caller").model(model).tools(tools).build();
  }

  @Test
  void a_server_by_HTTP_is_used_without_a_session() throws Exception {
    var host = host();
    try (var server = host.start(0);
        var connection = McpServer.http("orders", server.address()).stateless().connect()) {
      assertThat(connection.revision()).isEqualTo("2026-07-28");
      assertThat(connection.serverInfo()).isEqualTo("orders 0");
      assertThat(connection.call("echo", Json.of(Map.of("text", "tea"))).text()).isEqualTo("tea");
      assertThat(Tools.of(connection.tools()).names()).contains("orders_refund");
      connection.ping();
    }
  }

  @Test
  void what_is_asked_in_a_result_is_answered_at_once_by_a_program() throws Exception {
    try (var connection = process().answering(_ -> YES).connect()) {
      assertThat(connection.revision()).isEqualTo("2026-07-28");
      assertThat(connection.call("refund", REFUND).text()).contains("3000");
    }
  }

  @Test
  void a_question_waits_in_the_run_and_its_answer_goes_on_with_the_same_call() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var host = host();
    try (var server = host.start(0)) {
      var orders = McpServer.http("orders", server.address()).asking().stateless();
      try (var connection = orders.connect()) {
        var waiting = agent(Tools.of(connection.tools())).run("Refund it.", options);
        assertThat(((AgentResult.Waiting<String>) waiting).questions()).hasSize(1);
      }
      assertThat(host.openCalls()).hasSize(1);
      try (var connection = orders.connect()) {
        var agent = agent(Tools.of(connection.tools()));
        var end = agent.resume(Answers.to(McpQuestions.ELICITED, YES), options);
        assertThat(((AgentResult.Answered<String>) end).answer()).contains("3000");
      }
      assertThat(host.openCalls()).isEmpty();
    }
  }

  /// The process of the server ends with the first connection.
  @Test
  void an_answer_goes_to_another_process_of_the_server() throws Exception {
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    try (var connection = process().asking().connect()) {
      var waiting = agent(Tools.of(connection.tools())).run("Refund it.", options);
      assertThat(waiting).isInstanceOf(AgentResult.Waiting.class);
    }
    try (var connection = process().asking().connect()) {
      var agent = agent(Tools.of(connection.tools()));
      var end = agent.resume(Answers.to(McpQuestions.ELICITED, YES), options);
      assertThat(((AgentResult.Answered<String>) end).answer()).contains("3000");
    }
  }

  @Test
  void a_change_of_tools_is_heard() throws Exception {
    var host = host();
    try (var server = host.start(0);
        var connection = McpServer.http("orders", server.address()).stateless().connect()) {
      var heard = new CountDownLatch(1);
      connection.onToolsChanged(heard::countDown);
      assertThat(Tools.of(connection.tools()).names()).doesNotContain("orders_shout");
      // The stream is opened beside the first requests.
      while (!heard.await(50, TimeUnit.MILLISECONDS)) {
        host.changeTools(tools -> {
          var more = new ArrayList<>(tools);
          more.removeIf(tool -> tool.name().equals("shout"));
          more.add(Tool.of("shout", "Loud.", DeskProgram.Nothing.class, (_, _) -> "!"));
          return more;
        });
      }
      assertThat(Tools.of(connection.tools()).names()).contains("orders_shout");
    }
  }

  @Test
  void a_call_that_is_given_up_ends_at_the_server() throws Exception {
    var host = host();
    try (var server = host.start(0);
        var connection = McpServer.http("orders", server.address()).stateless().connect()) {
      var caller =
          Thread.ofVirtual()
              .start(() -> {
                try {
                  connection.call("count", Json.parse("{}"));
                } catch (InterruptedException _) {
                  Thread.currentThread().interrupt();
                }
              });
      while (!DeskProgram.effects(folder).contains("first")) Thread.sleep(20);
      caller.interrupt();
      caller.join();
      while (host.runningCalls() > 0) Thread.sleep(20);
      assertThat(host.openCalls()).isEmpty();
    }
  }
}
