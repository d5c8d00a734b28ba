package dev.superstep.model.vendor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Replies that do not end, or are larger than the heap together, end their calls and nothing else.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EndlessReplyTest {
  @Test
  void a_reply_without_end_ends_its_call_in_a_small_heap() throws Exception {
    var ends = read("floods");
    assertThat(ends).hasSize(5 * 6 + 2 + 1);
    assertThat(ends.subList(0, ends.size() - 1))
        .allSatisfy(end -> assertThat(end).contains(": model.too-large "));
    assertThat(ends.getLast()).isEqualTo("openai-compatible after: All is well.");
    assertThat(ends)
        .anySatisfy(end -> assertThat(end).startsWith("ollama blanks").contains("a line of more"))
        .anySatisfy(end -> assertThat(end).contains("text: ").contains("SUPERSTEP_REPLY_KEPT_MAX"))
        .anySatisfy(end -> assertThat(end).contains("1000 tool calls"))
        .anySatisfy(end -> assertThat(end).contains("pings: ").contains("_RECEIVED_MAX"));
  }

  @Test
  void many_large_replies_at_once_do_not_take_the_process_down() throws Exception {
    var ends = read("at-once");
    assertThat(ends).hasSize(64 + 1);
    assertThat(ends.subList(0, 64))
        .allSatisfy(end -> assertThat(end).contains(": model.too-large "));
    assertThat(ends.getLast()).isEqualTo("openai-compatible after: All is well.");
  }

  /// What a process with a heap of 256 MiB prints.
  private static List<String> read(String what) throws IOException, InterruptedException {
    try (var server = EndlessServer.start()) {
      var command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "-Xmx256m",
              "-XX:+ExitOnOutOfMemoryError",
              "-cp",
              System.getProperty("java.class.path"),
              EndlessReader.class.getName(),
              server.authority(),
              what);
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
      assertThat(server.refusals()).isEmpty();
      return text.lines().filter(line -> !line.startsWith("SLF4J")).toList();
    }
  }
}
