package dev.superstep.acp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.InMemoryCheckpointer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Editors that send what they should not. Whatever it is, the agent then still answers.
@Timeout(120)
final class HostileEditorTest {
  @TempDir Path folder;
  private final InMemoryCheckpointer store = new InMemoryCheckpointer();

  private AcpAgent agent(AcpLimits limits) {
    return AcpAgent.of(new Coder(folder).builder().build(), store).within(limits);
  }

  private Piped served() throws Exception {
    return served(AcpLimits.standard());
  }

  private Piped served(AcpLimits limits) throws Exception {
    var piped = Piped.to(agent(limits));
    piped.editor().greet(true);
    return piped;
  }

  private void isWell(Editor editor) throws Exception {
    assertThat(editor.prompt(editor.open(folder), "still there?")).isEqualTo("end_turn");
    assertThat(editor.hasNoError()).isTrue();
  }

  private static int code(JsonNode reply) {
    return reply.path("error").path("code").asInt(0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no JSON at all|-32700",
        "{\"jsonrpc\":\"2.0\",\"id\":1|-32700",
        "{} {}|-32700",
        "[]|-32600",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}]|-32600",
        "17|-32600",
        "null|-32600",
        "\"text\"|-32600",
        "{}|-32600",
        "{\"jsonrpc\":\"2.0\"}|-32600",
        "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"session/list\"}|-32600",
        "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"session/list\"}|-32600",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"session/list\"}|-32600",
        "{\"jsonrpc\":\"2.0\",\"id\":99999999999999999999999,\"method\":\"x\"}|-32600",
        "{\"jsonrpc\":\"1.0\",\"id\":\"a\",\"method\":\"session/list\"}|-32600",
        "{\"id\":\"a\",\"method\":\"session/list\"}|-32600",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":17}|-32600",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"session/fork\"}|-32601",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"session/set_mode\",\"params\":{}}|-32601",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"_x/y\",\"params\":{}}|-32601",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"fs/read_text_file\"}|-32601",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"initialize\",\"params\":{}}|-32600",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"authenticate\",\"params\":[]}|-32602",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"session/new\"}|-32602",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"session/new\",\"params\":17}|-32602",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"session/prompt\",\"params\":\"x\"}|-32002",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"session/close\",\"params\":null}|-32002",
        "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"session/list\",\"params\":{\"cursor\":\"x\"}}|-32602"
      })
  void a_wrong_message_is_refused(String line, int code) throws Exception {
    try (var piped = served()) {
      piped.editor().raw(line);
      assertThat(piped.editor().error().path("code").asInt()).isEqualTo(code);
      isWell(piped.editor());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"cwd\":\"relative\",\"mcpServers\":[]}",
        "{\"cwd\":\"/there/is/no/such/folder\",\"mcpServers\":[]}",
        "{\"cwd\":\"/etc/passwd\",\"mcpServers\":[]}",
        "{\"cwd\":\"/tmp/\\u0000\",\"mcpServers\":[]}",
        "{\"cwd\":[\"/tmp\"],\"mcpServers\":[]}",
        "{\"cwd\":\"/tmp\",\"mcpServers\":{}}",
        "{\"cwd\":\"/tmp\",\"mcpServers\":[],\"additionalDirectories\":[\"/etc\"]}"
      })
  void a_session_in_no_folder_is_refused(String params) throws Exception {
    try (var piped = served()) {
      assertThat(code(piped.editor().ask("session/new", params))).isEqualTo(-32602);
      isWell(piped.editor());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}",
        "[]",
        "\"text\"",
        "[17]",
        "[{\"type\":\"text\"}]",
        "[{\"type\":\"text\",\"text\":17}]",
        "[{\"type\":\"video\",\"data\":\"x\"}]",
        "[{\"type\":\"audio\",\"data\":\"x\",\"mimeType\":\"audio/wav\"}]",
        "[{\"type\":\"image\",\"data\":\"x\",\"mimeType\":\"image/png\"}]",
        "[{\"type\":\"resource\",\"resource\":{}}]",
        "[{\"type\":\"resource\",\"resource\":{\"uri\":\"x\",\"blob\":\"x\"}}]",
        "[{\"type\":\"resource_link\",\"name\":\"x\"}]"
      })
  void a_wrong_prompt_is_refused(String prompt) throws Exception {
    try (var piped = served()) {
      var editor = piped.editor();
      var params = "{\"sessionId\":\"%s\",\"prompt\":%s}".formatted(editor.open(folder), prompt);
      assertThat(code(editor.ask("session/prompt", params))).isEqualTo(-32602);
      isWell(editor);
    }
  }

  @Test
  void nothing_is_done_before_the_greeting() throws Exception {
    try (var piped = Piped.to(agent(AcpLimits.standard()))) {
      var editor = piped.editor();
      var params = "{\"cwd\":\"" + folder + "\",\"mcpServers\":[]}";
      assertThat(code(editor.ask("session/new", params))).isEqualTo(-32600);
      assertThat(code(editor.ask("initialize", "{\"protocolVersion\":\"1\"}"))).isEqualTo(-32602);
      editor.greet(false);
      isWell(editor);
    }
  }

  @Test
  void a_line_that_is_too_long_is_skipped() throws Exception {
    try (var piped = served(AcpLimits.standard().withSizes(10_000, 64, 1_000))) {
      var bytes = new byte[3_000_000];
      Arrays.fill(bytes, (byte) 'x');
      bytes[bytes.length - 1] = '\n';
      piped.editor().raw(bytes);
      assertThat(piped.editor().error().path("message").asString()).contains("10,000 bytes");
      isWell(piped.editor());
    }
  }

  @Test
  void a_message_that_is_nested_too_deep_is_refused() throws Exception {
    try (var piped = served()) {
      piped.editor().raw("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"params\":" + "[".repeat(100_000));
      assertThat(piped.editor().error().path("code").asInt()).isEqualTo(-32700);
      isWell(piped.editor());
    }
  }

  @Test
  void bytes_that_are_no_text_are_refused() throws Exception {
    try (var piped = served()) {
      piped.editor().raw(new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, '\n'});
      assertThat(piped.editor().error().path("code").asInt()).isEqualTo(-32700);
      piped.editor().raw("\r\n\n   \n".getBytes(StandardCharsets.UTF_8));
      isWell(piped.editor());
    }
  }

  @Test
  void answers_to_nothing_are_ignored() throws Exception {
    try (var piped = served()) {
      var editor = piped.editor();
      editor.raw("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}");
      editor.raw("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":1,\"message\":\"y\"}}");
      editor.raw("{\"jsonrpc\":\"2.0\",\"id\":-1,\"result\":null}");
      isWell(editor);
    }
  }

  @Test
  void notifications_about_nothing_are_ignored() throws Exception {
    try (var piped = served()) {
      var editor = piped.editor();
      editor.cancel("acp-nobody");
      editor.tell("session/cancel", "17");
      editor.tell("$/cancel_request", "{\"requestId\":{}}");
      editor.tell("session/update", "{}");
      editor.tell("_x", "null");
      isWell(editor);
    }
  }

  @Test
  void there_are_only_so_many_sessions() throws Exception {
    try (var piped = served(AcpLimits.standard().withSessions(2, 10))) {
      var editor = piped.editor();
      var one = editor.open(folder);
      editor.open(folder);
      var params = "{\"cwd\":\"" + folder + "\",\"mcpServers\":[]}";
      assertThat(code(editor.ask("session/new", params))).isEqualTo(-32001);
      editor.ask("session/close", "{\"sessionId\":\"" + one + "\"}");
      isWell(editor);
    }
  }

  @Test
  void there_are_only_so_many_requests_at_work() throws Exception {
    try (var piped = served(AcpLimits.standard().withRequests(1, 1))) {
      var editor = piped.editor();
      var session = editor.open(folder);
      var prompt = editor.begin(session, AcpAgentTest.call("deploy", "'place':'x'"));
      var asked = editor.request();
      assertThat(code(editor.ask("session/list", "{}"))).isEqualTo(-32001);
      editor.choose(asked, "reject");
      editor.reason(prompt);
      isWell(editor);
    }
  }

  @Test
  void two_requests_of_one_id_are_refused() throws Exception {
    try (var piped = served()) {
      var editor = piped.editor();
      var session = editor.open(folder);
      var prompt = editor.begin(session, AcpAgentTest.call("deploy", "'place':'x'"));
      var asked = editor.request();
      editor.raw("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"session/list\"}".formatted(prompt));
      assertThat(code(editor.reply(prompt))).isEqualTo(-32600);
      editor.choose(asked, "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}",
        "null",
        "17",
        "{\"outcome\":\"selected\"}",
        "{\"outcome\":{\"outcome\":\"selected\"}}",
        "{\"outcome\":{\"outcome\":\"selected\",\"optionId\":\"allow_always\"}}",
        "{\"outcome\":{\"outcome\":\"selected\",\"optionId\":[\"approve\"]}}",
        "{\"outcome\":{\"outcome\":\"approve\",\"optionId\":\"\"}}"
      })
  void what_is_no_answer_to_a_question_approves_nothing(String result) throws Exception {
    try (var piped = served()) {
      var editor = piped.editor();
      var prompt = editor.begin(editor.open(folder), AcpAgentTest.call("deploy", "'place':'x'"));
      editor.answer(editor.request(), result);
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      assertThat(Coder.effects(folder)).isEmpty();
      isWell(editor);
    }
  }

  @Test
  void a_question_is_answered_once() throws Exception {
    try (var piped = served()) {
      var editor = piped.editor();
      var prompt = editor.begin(editor.open(folder), AcpAgentTest.call("deploy", "'place':'x'"));
      var asked = editor.request();
      editor.choose(asked, "reject");
      editor.choose(asked, "approve");
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      editor.choose(asked, "approve");
      isWell(editor);
      assertThat(Coder.effects(folder)).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{}", "null", "{\"content\":17}", "{\"content\":[\"x\"]}"})
  void a_file_that_is_no_text_is_an_error_of_the_tool(String result) throws Exception {
    Files.writeString(folder.resolve("a.txt"), "x");
    try (var piped = served()) {
      var editor = piped.editor();
      editor.on("fs/read_text_file", _ -> Optional.of(result));
      editor.prompt(editor.open(folder), AcpAgentTest.call("read_file", "'path':'a.txt'"));
      assertThat(editor.statuses().getLast()).isEqualTo("c1 failed");
      isWell(editor);
    }
  }

  @Test
  void an_editor_that_does_not_answer_about_a_file_is_not_waited_for() throws Exception {
    Files.writeString(folder.resolve("a.txt"), "x");
    var limits =
        AcpLimits.standard()
            .withTimes(Duration.ofMillis(200), Duration.ofDays(1), Duration.ofSeconds(1));
    try (var piped = served(limits)) {
      var editor = piped.editor();
      var session = editor.open(folder);
      assertThat(editor.prompt(session, AcpAgentTest.call("read_file", "'path':'a.txt'")))
          .isEqualTo("end_turn");
      assertThat(editor.said()).contains("no answer came in time");
      editor.answer(editor.request(), "{\"content\":\"late\"}");
      isWell(editor);
    }
  }

  @Test
  void a_file_that_is_too_long_is_not_read() throws Exception {
    try (var piped = served()) {
      var editor = piped.editor();
      editor.on(
          "fs/read_text_file", _ -> Optional.of("{\"content\":\"" + "x".repeat(5_000_000) + "\"}"));
      editor.prompt(editor.open(folder), AcpAgentTest.call("read_file", "'path':'a.txt'"));
      assertThat(editor.said()).contains("longer than what may be read");
    }
  }

  @Test
  void a_person_who_does_not_answer_is_not_waited_for_forever() throws Exception {
    var limits =
        AcpLimits.standard()
            .withTimes(Duration.ofSeconds(1), Duration.ofMillis(200), Duration.ofSeconds(1));
    try (var piped = served(limits)) {
      var editor = piped.editor();
      var prompt = editor.begin(editor.open(folder), AcpAgentTest.call("deploy", "'place':'x'"));
      var asked = editor.request();
      assertThat(editor.reason(prompt)).isEqualTo("end_turn");
      editor.choose(asked, "approve");
      isWell(editor);
      assertThat(Coder.effects(folder)).isEmpty();
    }
  }
}
