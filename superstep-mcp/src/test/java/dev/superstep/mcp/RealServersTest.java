package dev.superstep.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.agent.AgentResult.Answered;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.graph.RunOptions;
import dev.superstep.json.Json;
import dev.superstep.message.Content;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.run.Answers;
import dev.superstep.tool.SideEffect;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.ToolPolicy;
import dev.superstep.tool.Tools;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The servers that the makers of the protocol publish, used by an agent and by a program.
@Timeout(400)
final class RealServersTest {
  @TempDir Path folder;

  private Path program(String name) throws Exception {
    var installed = NodePrograms.installed("real");
    assumeTrue(installed.isPresent(), "Node with npm and its registry are not to be had here");
    return installed.get().resolve("node_modules/@modelcontextprotocol").resolve(name);
  }

  private McpServer server(String name, String... arguments) throws Exception {
    var words = new ArrayList<String>();
    words.add("node");
    words.add(program("server-" + name).resolve("dist/index.js").toString());
    words.addAll(java.util.List.of(arguments));
    return McpServer.stdio(name, folder.toRealPath(), words.toArray(String[]::new));
  }

  /// Runs an agent whose model makes these calls, one after the other, and then tells what they
  /// returned.
  private static String told(McpConnection connection, ToolCall... calls) throws Exception {
    var model =
        ScriptedModel.by(request -> {
          var results = request.messages().stream().filter(ToolMessage.class::isInstance).toList();
          if (results.size() < calls.length) return ScriptedModel.calls(calls[results.size()]);
          var text = new StringBuilder();
          for (var one : results) text.append(one.text()).append('\n');
          return ScriptedModel.text(text.toString());
        });
    var agent = Agent.named("desk").model(model).tools(Tools.of(connection.tools())).build();
    return ((Answered<String>) agent.run("Go.")).answer();
  }

  @Test
  void an_agent_writes_and_reads_files_by_the_server_for_file_systems() throws Exception {
    var root = folder.toRealPath().toString();
    try (var connection = server("filesystem", root).roots(folder.toRealPath()).connect()) {
      var path = "\"path\":\"" + root + "/note.txt\"";
      var said =
          told(
              connection,
              new ToolCall(
                  "c1", "filesystem_write_file", "{" + path + ",\"content\":\"Milk, bread.\"}"),
              new ToolCall("c2", "filesystem_read_text_file", "{" + path + "}"),
              new ToolCall("c3", "filesystem_read_text_file", "{\"path\":\"/etc/passwd\"}"));
      assertThat(Files.readString(folder.resolve("note.txt"))).isEqualTo("Milk, bread.");
      assertThat(said).contains("Milk, bread.").contains("denied").doesNotContain("root:");
    }
  }

  private static McpServer files(Path notes, Path pins, String... words) {
    return McpServer.stdio("files", notes, words)
        .only("read_text_file", "write_file", "list_directory")
        .policy("read_text_file", ToolPolicy.readOnly())
        .policy("list_directory", ToolPolicy.readOnly())
        .policy("write_file", ToolPolicy.of(SideEffect.WRITES_FILES).idempotent())
        .pins(ToolPins.in(pins));
  }

  private static AgentResult<String> ask(McpServer files, ChatModel model, String question)
      throws InterruptedException {
    try (var connection = files.connect()) {
      var agent =
          Agent.named("notes")
              .model(model)
              .instructions("Keep the notes in the folder.")
              .tools(Tools.of(connection.tools()))
              .gate(ToolGate.strict())
              .build();
      return agent.run(question);
    }
  }

  @Test
  void an_agent_keeps_notes_by_pinned_tools() throws Exception {
    var notes = Files.createDirectory(folder.toRealPath().resolve("notes"));
    var program = program("server-filesystem").resolve("dist/index.js").toString();
    var pins = folder.resolve("pins.json");
    var files = files(notes, pins, "node", program, notes.toString());
    var file = notes.resolve("todo.txt").toString();
    var write = "{\"path\":\"%s\",\"content\":\"Milk.\"}".formatted(file);
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(new ToolCall("c1", "files_write_file", write)),
            ScriptedModel.calls(
                new ToolCall("c2", "files_read_text_file", "{\"path\":\"%s\"}".formatted(file))),
            ScriptedModel.text("You need milk."));
    var result = (Answered<String>) ask(files, model, "What do I need? Milk.");
    assertThat(result.answer()).isEqualTo("You need milk.");
    assertThat(Files.readString(notes.resolve("todo.txt"))).isEqualTo("Milk.");
    assertThat(model.requests().getLast().messages().getLast().text()).contains("Milk.");
    assertThat(pins).exists();
  }

  @Test
  void an_agent_remembers_by_the_server_for_memory() throws Exception {
    var file = folder.toRealPath().resolve("memory.jsonl").toString();
    var server = server("memory").variable("MEMORY_FILE_PATH", file);
    try (var connection = server.connect()) {
      var _ =
          told(
              connection,
              new ToolCall(
                  "c1",
                  "memory_create_entities",
                  "{\"entities\":[{\"name\":\"Ada\",\"entityType\":\"person\","
                      + "\"observations\":[\"likes tea\"]}]}"));
    }
    try (var later = server.connect()) {
      assertThat(told(later, new ToolCall("c1", "memory_read_graph", "{}"))).contains("likes tea");
    }
  }

  @Test
  void the_server_with_everything_is_understood() throws Exception {
    try (var connection = server("everything").connect()) {
      assertThat(connection.serverInfo()).contains("everything");
      assertThat(connection.skipped())
          .singleElement()
          .asString()
          .contains("simulate-research-query", "only as a task");
      var names = Tools.of(connection.tools()).names();
      assertThat(names).contains("everything_echo", "everything_get_sum");
      assertThat(told(connection, new ToolCall("c1", "everything_get_sum", "{\"a\":2,\"b\":3}")))
          .contains("5");
      var picture = connection.call("get-tiny-image", Json.parse("{}")).content();
      assertThat(picture).anyMatch(Content.Image.class::isInstance);
      var structured =
          connection.call("get-structured-content", Json.parse("{\"location\":\"Chicago\"}"));
      assertThat(structured.artifact()).isPresent();
    }
  }

  /// Its SDK asks once, and waits for the reply to that very request.
  @Test
  void a_task_of_the_server_with_everything_asks_a_person() throws Exception {
    var server = server("everything").tasks(Duration.ofMinutes(5)).asking();
    var options = RunOptions.thread("t").checkpoints(new InMemoryCheckpointer());
    var call =
        new ToolCall(
            "c1",
            "everything_simulate_research_query",
            "{\"topic\":\"python\",\"ambiguous\":true}");
    var model =
        ScriptedModel.by(request ->
            request.messages().getLast() instanceof ToolMessage result
                ? ScriptedModel.text(result.text())
                : ScriptedModel.calls(call));
    try (var connection = server.connect()) {
      assertThat(connection.skipped()).isEmpty();
      var agent = Agent.named("r").model(model).tools(Tools.of(connection.tools())).build();
      var waiting = (AgentResult.Waiting<String>) agent.run("Research it.", options);
      assertThat(McpQuestions.ELICITED.read(waiting.questions().getFirst()).message())
          .contains("python");
      var snake = McpAnswer.accept(Json.parse("{\"interpretation\":\"snake\"}"));
      var end = agent.resume(Answers.to(McpQuestions.ELICITED, snake), options);
      assertThat(((AgentResult.Answered<String>) end).answer())
          .contains("Research Report: python (snake)");
    }
  }

  @Test
  void the_server_with_everything_tells_its_progress() throws Exception {
    try (var connection = server("everything").connect()) {
      var told = new ArrayList<String>();
      var arguments = Json.parse("{\"duration\":1,\"steps\":4}");
      var end =
          connection.call(
              new ToolCaller.Call(
                  "trigger-long-running-operation",
                  arguments,
                  Duration.ofSeconds(60),
                  java.util.Optional.empty()),
              told::add,
              null);
      assertThat(end.error()).isFalse();
      assertThat(told).isNotEmpty().allMatch(text -> text.contains("of 4"));
    }
  }

  @Test
  void resources_prompts_and_completions_of_the_server_with_everything_are_read() throws Exception {
    try (var connection = server("everything").connect()) {
      var resources = connection.resources();
      assertThat(resources).isNotEmpty();
      assertThat(connection.read(resources.getFirst().uri())).isNotEmpty();
      assertThat(connection.resourceTemplates()).isNotEmpty().allMatch(McpResource::isTemplate);
      assertThat(connection.prompts()).extracting(McpPrompt::name).contains("simple-prompt");
      assertThat(connection.prompt("simple-prompt", Map.of())).isNotEmpty();
      var completed = connection.completePrompt("completable-prompt", "department", "E");
      assertThat(completed.values()).contains("Engineering");
      assertThat(Tools.of(connection.readingTools()).names())
          .containsExactly(
              "everything_list_resources",
              "everything_read_resource",
              "everything_list_prompts",
              "everything_get_prompt");
    }
  }
}
