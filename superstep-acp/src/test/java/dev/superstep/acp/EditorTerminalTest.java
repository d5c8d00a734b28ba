package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import dev.superstep.model.ScriptedModel;
import dev.superstep.tool.ToolGate;
import dev.superstep.tool.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Commands in terminals of the editor.
@Timeout(60)
final class EditorTerminalTest {
  @TempDir Path folder;
  private final List<String> released = new ArrayList<>();
  private Optional<Process> process = Optional.empty();

  private AcpAgent agent(Duration most) {
    var agent =
        new Coder(folder)
            .builder()
            .model(ScriptedModel.by(Coder::reply))
            .tools(Tools.of(EditorTerminal.tool(most)))
            .gate(ToolGate.open())
            .build();
    return AcpAgent.of(agent, new InMemoryCheckpointer());
  }

  private static String run(String command, String more) {
    return AcpAgentTest.call("run_in_terminal", "'command':" + command + more);
  }

  /// An editor that runs commands, and is asked about their end.
  private Editor running(Piped piped) throws Exception {
    return piped
        .editor()
        .on("terminal/create", asked -> Optional.of(created(asked)))
        .on("terminal/output", _ -> Optional.of(output()))
        .on("terminal/kill", _ -> ended())
        .on(
            "terminal/release",
            asked -> {
              released.add(asked.path("terminalId").asString());
              return Optional.of("{}");
            })
        .greet(false, true);
  }

  private String created(JsonNode asked) {
    var words = new ArrayList<String>();
    words.add(asked.path("command").asString());
    for (var word : asked.path("args")) words.add(word.asString());
    try {
      process =
          Optional.of(
              new ProcessBuilder(words)
                  .directory(Path.of(asked.path("cwd").asString()).toFile())
                  .redirectErrorStream(true)
                  .redirectOutput(folder.resolve("output").toFile())
                  .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "{\"terminalId\":\"t1\"}";
  }

  private String output() {
    try {
      var text = Files.readString(folder.resolve("output")).replace("\n", "\\n");
      return "{\"output\":\"" + text + "\",\"truncated\":false}";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<String> ended() {
    process.orElseThrow().destroyForcibly();
    return Optional.of("{}");
  }

  private void exited(Editor editor) throws Exception {
    var asked = editor.request();
    assertThat(asked.path("method").asString()).isEqualTo("terminal/wait_for_exit");
    editor.answer(asked, "{\"exitCode\":" + process.orElseThrow().waitFor() + "}");
  }

  @Test
  void an_approved_command_runs_where_the_person_sees_it() throws Exception {
    Files.createDirectory(folder.resolve("src"));
    try (var piped = Piped.to(agent(Duration.ofSeconds(30)))) {
      var editor = running(piped);
      var call = run("['sh','-c','pwd; exit 3']", ",'folder':'src'");
      var prompt = editor.begin(editor.open(folder), call);
      var asked = editor.request();
      assertThat(asked.path("params").path("toolCall").path("kind").asString())
          .isEqualTo("execute");
      assertThat(asked.path("params").path("toolCall").path("title").asString())
          .isEqualTo("run_in_terminal sh -c pwd; exit 3");
      assertThat(process).isEmpty();
      editor.choose(asked, "approve");
      exited(editor);
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said())
          .isEqualTo("It says: exit code 3\n" + folder.resolve("src").toRealPath() + "\n");
      assertThat(editor.updates("tool_call_update").toString())
          .contains("{\"type\":\"terminal\",\"terminalId\":\"t1\"}");
      assertThat(editor.updates("tool_call_update").getLast().has("content")).isFalse();
    }
    assertThat(released).containsExactly("t1");
  }

  @Test
  void a_command_whose_time_is_over_is_killed() throws Exception {
    try (var piped = Piped.to(agent(Duration.ofMillis(300)))) {
      var editor = running(piped);
      var prompt = editor.begin(editor.open(folder), run("['sleep','60']", ""));
      editor.choose(editor.request(), "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(editor.said()).contains("killed: no answer came in time");
      assertThat(process.orElseThrow().waitFor()).isNotZero();
    }
    assertThat(released).containsExactly("t1");
  }

  @Test
  void a_cancelled_turn_kills_its_command() throws Exception {
    try (var piped = Piped.to(agent(Duration.ofSeconds(30)))) {
      var editor = running(piped);
      var session = editor.open(folder);
      var prompt = editor.begin(session, run("['sleep','60']", ""));
      editor.choose(editor.request(), "approve");
      var _ = editor.request();
      editor.cancel(session);
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
      assertThat(process.orElseThrow().waitFor()).isNotZero();
    }
    assertThat(released).containsExactly("t1");
  }

  @Test
  void a_command_that_begins_when_its_turn_is_cancelled_is_killed() throws Exception {
    try (var piped = Piped.to(agent(Duration.ofSeconds(30)))) {
      var editor = piped.editor().greet(false, true);
      var session = editor.open(folder);
      var prompt = editor.begin(session, run("['sleep','60']", ""));
      editor.choose(editor.request(), "approve");
      var create = editor.request();
      assertThat(create.path("method").asString()).isEqualTo("terminal/create");
      editor.cancel(session);
      assertThat(editor.reason(prompt)).isEqualTo("cancelled");
      editor.answer(create, "{\"terminalId\":\"t1\"}");
      for (var end : List.of("terminal/kill", "terminal/release")) {
        var asked = editor.request();
        assertThat(asked.path("method").asString()).isEqualTo(end);
        assertThat(asked.path("params").path("terminalId").asString()).isEqualTo("t1");
      }
    }
  }

  @Test
  void a_person_sees_the_whole_command_before_it_runs() throws Exception {
    var script = "echo " + "a".repeat(500) + "; rm -r x\u202E";
    try (var piped = Piped.to(agent(Duration.ofSeconds(30)))) {
      var editor = running(piped);
      editor.begin(editor.open(folder), run("['sh','-c','" + script + "']", ""));
      var call = editor.request().path("params").path("toolCall");
      assertThat(call.path("title").asString()).doesNotContain("rm -r");
      assertThat(call.path("content").path(0).path("content").path("text").asString())
          .isEqualTo("sh -c \"echo " + "a".repeat(500) + "; rm -r x\\u{202e}\"");
    }
  }

  @Test
  void what_cannot_run_is_an_error_of_the_tool() throws Exception {
    for (var wrong :
        List.of(
            run("['ls']", ",'folder':'..'"),
            run("['ls']", ",'folder':'/etc'"),
            run("['ls']", ",'folder':'nowhere'"),
            run("[]", ""))) {
      try (var piped = Piped.to(agent(Duration.ofSeconds(30)))) {
        var editor = running(piped);
        var prompt = editor.begin(editor.open(folder), wrong);
        editor.choose(editor.request(), "approve");
        assertThat(editor.reason(prompt)).isEqualTo("end_turn");
        assertThat(editor.statuses().getLast()).as(wrong).isEqualTo("c1 failed");
        assertThat(process).isEmpty();
      }
    }
  }

  @Test
  void an_editor_without_terminals_or_with_strange_ones_runs_nothing() throws Exception {
    for (var answer : List.of("", "{}", "{\"terminalId\":17}", "null")) {
      try (var piped = Piped.to(agent(Duration.ofSeconds(30)))) {
        var editor = piped.editor().on("terminal/create", _ -> Optional.of(answer));
        editor.greet(false, !answer.isEmpty());
        var prompt = editor.begin(editor.open(folder), run("['ls']", ""));
        editor.choose(editor.request(), "approve");
        assertThat(editor.reason(prompt)).isEqualTo("end_turn");
        assertThat(editor.statuses().getLast()).as(answer).isEqualTo("c1 failed");
        assertThat(editor.hasNoRequest()).isTrue();
      }
    }
  }

  @Test
  void a_time_that_is_none_is_refused() {
    assertThatThrownBy(() -> EditorTerminal.tool(Duration.ZERO)).hasMessageContaining("PT0S");
  }
}
