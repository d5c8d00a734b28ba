package dev.superstep.example.guide;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The agent of the guide's first page, killed where that page says so.
class FirstAgentTest {
  private static final Path REPLIES = Path.of("../first-agent/replies.json").toAbsolutePath();

  @TempDir Path folder;

  @Test
  void the_first_agent_goes_on_after_each_kill_and_repeats_nothing_that_finished()
      throws Exception {
    var first = start();
    type(first, "Order 17 is broken.");
    assertThat(until(first, "May I call")).contains("looking up order 17");
    kill(first);

    var second = start();
    type(second, "y");
    var asked = until(second, "the bank works on refund");
    assertThat(asked).contains("May I call refund {\"number\":17}?").doesNotContain("looking up");
    var key = asked.lines().toList().getLast();
    kill(second);

    var third = start();
    third.getOutputStream().close();
    var rest = new String(third.getInputStream().readAllBytes(), UTF_8);
    assertThat(rest.lines())
        .contains("Shop: I am sorry about the lamp. You have your 30 EUR back.")
        .anyMatch(line -> key.endsWith(line.strip()))
        .noneMatch(line -> line.contains("looking up") || line.contains("May I"));
    assertThat(third.waitFor()).isZero();
  }

  private Process start() throws IOException {
    var command = new ArrayList<>(List.of(java(), "--enable-native-access=ALL-UNNAMED"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "shop.Main"));
    var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("MODEL", "scripted://" + REPLIES);
    return builder.start();
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private static void type(Process process, String line) throws IOException {
    var keyboard = process.outputWriter(UTF_8);
    keyboard.write(line + "\n");
    keyboard.flush();
  }

  /// Reads what the process prints, up to the end of the line that begins with a text; of a
  /// question, up to its question mark.
  private static String until(Process process, String text) throws IOException {
    BufferedReader reader = process.inputReader(UTF_8);
    var read = new StringBuilder();
    for (int c = reader.read(); c >= 0; c = reader.read()) {
      read.append((char) c);
      int from = read.indexOf(text);
      if (from >= 0 && (c == '\n' || c == '?')) return read.toString().strip();
    }
    throw new AssertionError("It ended before `" + text + "`: " + read);
  }

  private void kill(Process process) throws IOException, InterruptedException {
    assertThat(Files.exists(folder.resolve("shop.db"))).isTrue();
    process.destroyForcibly().waitFor();
  }
}
