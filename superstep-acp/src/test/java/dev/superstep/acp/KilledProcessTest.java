package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The process of an agent is killed, and another one loads its sessions.
@Timeout(180)
final class KilledProcessTest {
  @TempDir Path folder;

  @Test
  void an_open_question_is_asked_again_and_its_tool_runs_once() throws Exception {
    String session;
    try (var first = AgentProcess.start(folder)) {
      var editor = first.editor();
      session = editor.open(folder);
      editor.prompt(session, "hello");
      editor.begin(session, AcpAgentTest.call("deploy", "'place':'x'"));
      var _ = editor.request();
      first.kill();
    }
    assertThat(Coder.effects(folder)).isEmpty();
    try (var second = AgentProcess.start(folder)) {
      var editor = second.editor();
      assertThat(editor.load(session, folder).has("result")).isTrue();
      assertThat(editor.text("user_message_chunk")).startsWith("hellocall deploy");
      assertThat(editor.said()).isEqualTo("You said: hello");
      var asked = editor.request();
      assertThat(asked.path("params").path("sessionId").asString()).isEqualTo(session);
      assertThat(asked.path("params").path("toolCall").path("toolCallId").asString())
          .isEqualTo("c1");
      editor.choose(asked, "approve");
      assertThat(editor.prompt(session, "done?")).isEqualTo("end_turn");
      assertThat(editor.said()).endsWith("It says: deployed to xYou said: done?");
      assertThat(editor.statuses()).containsExactly("c1 pending", "c1 in_progress", "c1 completed");
    }
    assertThat(Coder.effects(folder)).hasLineCount(1);
  }

  @Test
  void a_turn_that_was_at_work_goes_on_when_its_session_is_loaded() throws Exception {
    String session;
    try (var first = AgentProcess.start(folder)) {
      session = first.editor().open(folder);
      first.editor().begin(session, AcpAgentTest.call("wait", ""));
      while (!Files.exists(folder.resolve("waiting"))) Thread.onSpinWait();
      first.kill();
    }
    Files.writeString(folder.resolve("go"), "");
    try (var second = AgentProcess.start(folder)) {
      var editor = second.editor();
      var params = "{\"sessionId\":\"%s\",\"cwd\":\"%s\",\"mcpServers\":[]}";
      editor.ask("session/resume", params.formatted(session, folder));
      assertThat(editor.updates("user_message_chunk")).isEmpty();
      assertThat(editor.prompt(session, "and now")).isEqualTo("end_turn");
      assertThat(editor.said()).isEqualTo("It says: went onYou said: and now");
    }
  }

  @Test
  void an_editor_that_leaves_stops_the_turn_and_the_process_ends() throws Exception {
    String session;
    try (var first = AgentProcess.start(folder)) {
      session = first.editor().open(folder);
      first.editor().begin(session, AcpAgentTest.call("deploy", "'place':'x'"));
      var _ = first.editor().request();
      first.editor().close();
      assertThat(first.process().waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(first.process().exitValue()).isZero();
    }
    try (var second = AgentProcess.start(folder)) {
      var editor = second.editor();
      editor.load(session, folder);
      editor.choose(editor.request(), "reject");
      assertThat(editor.prompt(session, "why?")).isEqualTo("end_turn");
      assertThat(editor.said()).contains("rejected").endsWith("You said: why?");
    }
    assertThat(Coder.effects(folder)).isEmpty();
  }
}
