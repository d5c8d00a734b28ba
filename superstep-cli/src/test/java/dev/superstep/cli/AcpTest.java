package dev.superstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.cli.host.ExitCodes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A program that the command serves to an editor.
@Timeout(120)
class AcpTest {
  private static final String GREET =
      """
      graph greet {
        input { name text }
        output { greeting text }
        channel greeting overwrite
        start say
        node say { model "small" prompt "Greet {name}." into greeting }
      }
      """;

  @TempDir Path temp;
  private Desk desk;

  @BeforeEach
  void sit_down() throws IOException {
    desk = new Desk(temp);
    desk.write("texts/greet.rag", GREET);
    Pal.on(desk, 5);
  }

  private static void send(Process agent, int id, String method, String params) throws IOException {
    var line =
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}\n"
            .formatted(id, method, params);
    agent.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
    agent.getOutputStream().flush();
  }

  /// The lines until the reply to a request, each of which is a message of the protocol.
  private static String until(BufferedReader out, int id) throws IOException {
    var all = new StringBuilder();
    while (true) {
      var line = out.readLine();
      assertThat(line).startsWith("{\"jsonrpc\":\"2.0\"");
      all.append(line).append('\n');
      if (line.contains("\"id\":" + id + ",\"result\"") || line.contains("\"error\""))
        return all.toString();
    }
  }

  private String talk(String folder, String prompt) throws Exception {
    var agent = desk.start("acp", folder, "--model", "scripted://script.json");
    try (var out = agent.inputReader()) {
      send(agent, 1, "initialize", "{\"protocolVersion\":1}");
      assertThat(until(out, 1)).contains("\"loadSession\":true");
      send(agent, 2, "session/new", "{\"cwd\":\"%s\",\"mcpServers\":[]}".formatted(temp));
      var session = until(out, 2).replaceAll("(?s).*\"sessionId\":\"([^\"]+)\".*", "$1");
      send(
          agent,
          3,
          "session/prompt",
          "{\"sessionId\":\"%s\",\"prompt\":[{\"type\":\"text\",\"text\":\"%s\"}]}"
              .formatted(session, prompt));
      var said = until(out, 3);
      agent.getOutputStream().close();
      assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(agent.exitValue()).isZero();
      return said;
    } finally {
      agent.destroyForcibly();
    }
  }

  @Test
  void an_editor_talks_to_an_agent() throws Exception {
    assertThat(talk("pal", "It was held."))
        .contains("agent_message_chunk", "\"stopReason\":\"end_turn\"");
    assertThat(Files.readString(desk.folder().resolve("stderr.txt")))
        .contains("serving pal  agent", "store   sqlite:")
        .doesNotContain("Exception");
  }

  @Test
  void an_editor_talks_to_a_graph_as_text() throws Exception {
    assertThat(talk("texts", "whom I held")).contains("agent_message_chunk", "end_turn");
  }

  @Test
  void several_programs_and_none_are_refused() throws IOException {
    var several = desk.run("acp", ".", "--model", "scripted://script.json");
    assertThat(several.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(several.err()).contains("talks to one program");
    var none = desk.run("acp", "letters", "--model", "scripted://script.json");
    assertThat(none.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(none.err()).contains("There is nothing to serve");
    Files.createDirectory(desk.folder().resolve("empty"));
    var empty = desk.run("acp", "empty");
    assertThat(empty.exit()).isEqualTo(ExitCodes.USAGE);
    assertThat(empty.err()).contains("empty nor a folder in it has a superstep.toml", "make one");
  }
}
