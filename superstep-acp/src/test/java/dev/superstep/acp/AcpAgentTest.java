package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.agent.Agent;
import dev.superstep.agent.run.AnswerMode;
import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.deep.DeepAgent;
import dev.superstep.files.CollectedChanges;
import dev.superstep.files.FileTools;
import dev.superstep.files.FileTree;
import dev.superstep.graph.Graph;
import dev.superstep.message.Messages;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What an editor and an agent say to each other.
@Timeout(120)
final class AcpAgentTest {
  @TempDir Path folder;
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private AcpAgent agent() {
    return AcpAgent.of(new Coder(folder).builder().build(), store);
  }

  @Test
  void tells_what_it_can_do() throws Exception {
    try (var piped = Piped.to(agent().titled("Coder", "1.2"))) {
      var reply =
          piped.editor().ask("initialize", "{\"protocolVersion\":1}").path("result").toString();
      assertThat(reply)
          .isEqualTo(
              "{\"protocolVersion\":1,\"agentCapabilities\":{\"loadSession\":true,"
                  + "\"promptCapabilities\":{\"image\":false,\"audio\":false,"
                  + "\"embeddedContext\":true},\"mcpCapabilities\":{\"http\":false,\"sse\":false},"
                  + "\"sessionCapabilities\":{\"list\":{},\"resume\":{},\"close\":{},"
                  + "\"delete\":{}}},\"authMethods\":[],\"agentInfo\":{\"name\":\"coder\","
                  + "\"title\":\"Coder\",\"version\":\"1.2\"}}");
    }
  }

  @Test
  void offers_its_version_to_an_editor_of_a_newer_one() throws Exception {
    try (var piped = Piped.to(agent())) {
      var reply = piped.editor().ask("initialize", "{\"protocolVersion\":7}");
      assertThat(reply.path("result").path("protocolVersion").asInt()).isEqualTo(1);
    }
  }

  @Test
  void answers_a_prompt_and_names_the_session() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      assertThat(editor.prompt(session, "hello")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("You said: hello");
      assertThat(editor.updates("session_info_update").getFirst().path("title").asString())
          .isEqualTo("hello");
      editor.forget();
      assertThat(editor.prompt(session, "again")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("You said: again");
      assertThat(editor.updates("session_info_update")).isEmpty();
    }
  }

  @Test
  void takes_links_and_the_text_of_files_and_pictures_where_it_may() throws Exception {
    var seen = new ArrayList<String>();
    var builder =
        Agent.named("seer")
            .model(
                ScriptedModel.by(request -> {
                  seen.add(String.valueOf(request.messages().getLast().content()));
                  return ScriptedModel.text("seen");
                }));
    try (var piped = Piped.to(AcpAgent.of(builder.build(), store).takingImages())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      var prompt =
          """
          {"sessionId":"%s","prompt":[{"type":"text","text":"Look at "},
           {"type":"resource_link","name":"notes.md","uri":"file:///notes.md"},
           {"type":"resource","resource":{"uri":"file:///a.txt","text":"the text of a"}},
           {"type":"image","mimeType":"image/png","data":"iVBORw0K"}]}\
          """
              .formatted(session);
      assertThat(editor.ask("session/prompt", prompt).path("result").path("stopReason").asString())
          .isEqualTo("end_turn");
      assertThat(seen.getFirst())
          .contains("[notes.md](file:///notes.md)", "the text of a", "file:///a.txt")
          .contains("mediaType=image/png");
      editor.load(session, folder);
      assertThat(editor.updates("user_message_chunk")).hasSize(4);
    }
  }

  // --- Tools and files ---

  @Test
  void reads_what_is_not_saved_and_writes_into_the_editor() throws Exception {
    Files.writeString(folder.resolve("a.txt"), "old on disk");
    var buffers = new ConcurrentHashMap<String, String>();
    var file = folder.resolve("a.txt").toString();
    buffers.put(file, "old in the editor");
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(true);
      editor.on(
          "fs/read_text_file",
          asked ->
              Optional.ofNullable(buffers.get(asked.path("path").asString()))
                  .map(text -> "{\"content\":\"" + text + "\"}"));
      editor.on(
          "fs/write_text_file",
          asked -> {
            buffers.put(asked.path("path").asString(), asked.path("content").asString());
            return Optional.of("{}");
          });
      var session = editor.open(folder);
      editor.prompt(session, call("read_file", "'path':'a.txt'"));
      assertThat(editor.said()).contains("old in the editor");
      var digest = editor.said().replaceAll("(?s).*digest ([0-9a-f]+),.*", "$1");
      editor.forget();
      var edit = "'path':'a.txt','digest':'%s','old':'old','replacement':'new'".formatted(digest);
      editor.prompt(session, call("edit_file", edit));
      assertThat(buffers).containsEntry(file, "new in the editor");
      assertThat(Files.readString(folder.resolve("a.txt"))).isEqualTo("old on disk");

      var told = editor.updates("tool_call").getFirst();
      assertThat(told.path("kind").asString()).isEqualTo("edit");
      assertThat(told.path("rawInput").path("old").asString()).isEqualTo("old");
      assertThat(told.path("locations").path(0).path("path").asString()).isEqualTo(file);
      assertThat(told.path("content").path(0).toString())
          .isEqualTo(
              "{\"type\":\"diff\",\"path\":\"%s\",\"oldText\":\"old\",\"newText\":\"new\"}"
                  .formatted(file));
      assertThat(editor.statuses())
          .containsExactly("c1-2 pending", "c1-2 in_progress", "c1-2 completed");
      assertThat(editor.updates("tool_call_update").getLast().path("rawOutput").asString())
          .startsWith("Edited a.txt");
    }
  }

  static String call(String tool, String arguments) {
    return "call " + tool + " {" + arguments.replace("'", "\\\"") + "}";
  }

  @Test
  void leaves_a_file_alone_that_changed_in_the_editor() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(true);
      editor.on("fs/read_text_file", _ -> Optional.of("{\"content\":\"typed meanwhile\"}"));
      var session = editor.open(folder);
      editor.prompt(
          session,
          call("edit_file", "'path':'a.txt','digest':'0123','old':'typed','replacement':'x'"));
      assertThat(editor.said()).contains("was changed since it was read");
      assertThat(editor.statuses()).contains("c1 failed");
      assertThat(editor.hasNoRequest()).isTrue();
    }
  }

  @Test
  void leads_no_path_out_of_the_folder_of_the_session() throws Exception {
    var inner = Files.createDirectory(folder.resolve("project"));
    Files.createSymbolicLink(inner.resolve("link"), folder);
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(true);
      var session = editor.open(inner);
      for (var path : List.of("../secret.txt", "/etc/passwd", "link/secret.txt", "a/../../b")) {
        editor.forget();
        editor.prompt(session, call("write_file", "'path':'" + path + "','text':'x'"));
        assertThat(editor.statuses().getLast()).as(path).endsWith("failed");
      }
      assertThat(editor.hasNoRequest()).isTrue();
      assertThat(folder.resolve("secret.txt")).doesNotExist();
    }
  }

  @Test
  void works_on_the_disk_where_the_editor_gives_no_access() throws Exception {
    try (var piped = Piped.to(agent())) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      editor.prompt(session, call("write_file", "'path':'b.txt','text':'made'"));
      assertThat(Files.readString(folder.resolve("b.txt"))).isEqualTo("made");
      assertThat(editor.updates("tool_call").getFirst().path("content").toString())
          .contains("\"newText\":\"made\",\"oldText\":null");
    }
  }

  @Test
  void shows_the_list_of_things_to_do_as_a_plan() throws Exception {
    var coder = new Coder(folder).builder().middleware(Coder.todos()).build();
    try (var piped = Piped.to(AcpAgent.of(coder, store))) {
      var editor = piped.editor().greet(false);
      var todos =
          "'todos':[{'text':'look','status':'DONE'},{'text':'change','status':'IN_PROGRESS'}]";
      var session = editor.open(folder);
      editor.prompt(session, call("write_todos", todos));
      assertThat(editor.updates("plan").getFirst().path("entries").toString())
          .isEqualTo(
              "[{\"content\":\"look\",\"priority\":\"medium\",\"status\":\"completed\"},"
                  + "{\"content\":\"change\",\"priority\":\"medium\",\"status\":\"in_progress\"}]");
      editor.forget();
      editor.load(session, folder);
      assertThat(editor.updates("plan")).hasSize(1);
    }
  }

  @Test
  void a_deep_agent_and_its_collected_changes_have_the_files_of_the_editor() throws Exception {
    var buffers = new ConcurrentHashMap<String, String>();
    buffers.put(folder.resolve("a.txt").toString(), "in the editor");
    var deep =
        DeepAgent.named("deep").model(ScriptedModel.by(Coder::reply)).files(EditorFiles.alone());
    var collecting =
        Agent.named("collecting")
            .model(ScriptedModel.by(Coder::reply))
            .tools(FileTools.of(CollectedChanges.of(EditorFiles.alone())));
    for (var agent : List.of(deep.build(), collecting.build())) {
      try (var piped = Piped.to(AcpAgent.of(agent, store))) {
        var editor = piped.editor().greet(true);
        editor.on(
            "fs/read_text_file",
            asked ->
                Optional.ofNullable(buffers.get(asked.path("path").asString()))
                    .map(text -> "{\"content\":\"" + text + "\"}"));
        editor.prompt(editor.open(folder), call("read_file", "'path':'a.txt'"));
        assertThat(editor.said()).as(agent.name()).contains("in the editor");
      }
    }
  }

  record Verdict(boolean good) {}

  @Test
  void a_typed_answer_is_text_and_leaves_no_call_open() throws Exception {
    var given = new ToolCall("c1", "answer", "{\"good\":true}");
    var judge =
        Agent.named("judge")
            .model(ScriptedModel.by(_ -> ScriptedModel.calls(given)))
            .answerMode(AnswerMode.TOOL)
            .answerTool("answer")
            .answering(Verdict.class);
    try (var piped = Piped.to(AcpAgent.of(judge, store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      assertThat(editor.prompt(session, "is it good?")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("{\"good\":true}");
      editor.forget();
      editor.load(session, folder);
      assertThat(editor.statuses()).endsWith("c1 completed");
    }
  }

  // --- Graphs ---

  @Test
  void serves_a_graph_that_has_an_agent_in_its_conversation() throws Exception {
    var messages = Messages.channel("talk");
    var graph =
        Graph.named("outer")
            .channels(messages)
            .node("coder", new Coder(folder).builder().build().on(messages))
            .edge(Graph.START, "coder")
            .edge("coder", Graph.END)
            .compile();
    try (var piped = Piped.to(AcpAgent.of(graph, store))) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      editor.prompt(session, "hello");
      assertThat(editor.said()).isEqualTo("You said: hello");
      editor.forget();
      var prompt = editor.begin(session, call("deploy", "'place':'x'"));
      var asked = editor.request();
      assertThat(asked.path("params").path("toolCall").path("toolCallId").asString())
          .isEqualTo("coder/c1");
      editor.choose(asked, "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("It says: deployed to x");
      assertThat(editor.statuses())
          .containsExactly("coder/c1 pending", "coder/c1 in_progress", "coder/c1 completed");
    }
  }

  @Test
  void serves_a_graph_without_a_conversation() throws Exception {
    var text = Channel.latest("text", String.class);
    var graph =
        Graph.named("shout")
            .channels(text)
            .node("shout", (state, _) -> Update.of(text, state.get(text).toUpperCase(Locale.ROOT)))
            .edge(Graph.START, "shout")
            .edge("shout", Graph.END)
            .compile();
    assertThatThrownBy(() -> AcpAgent.of(graph, store)).hasMessageContaining("no channel");
    var agent = AcpAgent.of(graph, store, said -> Input.of(text, said), end -> end.get(text));
    try (var piped = Piped.to(agent)) {
      var editor = piped.editor().greet(false);
      var session = editor.open(folder);
      assertThat(editor.prompt(session, "hello")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("HELLO");
      editor.forget();
      editor.load(session, folder);
      assertThat(editor.said()).isEqualTo("HELLO");
    }
  }

  @Test
  void types_say_what_they_are() {
    assertThat(agent()).hasToString("AcpAgent[coder]");
    assertThat(EditorFiles.alone()).asString().startsWith("EditorFiles[or ");
    var connection = new Connection(OutputStream.nullOutputStream(), AcpLimits.standard());
    var terminals = new Terminals(connection, "s", false, Duration.ofSeconds(1));
    assertThat(new EditorSession("s", folder, FileTree.inMemory(), terminals, false))
        .hasToString("EditorSession[s, " + folder + "]");
    assertThat(AcpLimits.standard()).asString().startsWith("AcpLimits[messageBytes=16777216");
  }
}
