package dev.superstep.language.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.language.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Texts that are made to hurt are findings in bounded time, by a process with 256 MiB of heap.
@Tag("R7")
@Timeout(300)
class HostileInputTest {
  private static final int MIB = 1024 * 1024;
  private static final long SECONDS_MAX = 20;

  /// Texts, and the code that each is told by.
  private static Map<String, String> texts() {
    var texts = new LinkedHashMap<String, String>();
    texts.put("graph g { metadata " + "{ a ".repeat(200) + "} ".repeat(200) + "}", "too-deep");
    texts.put("graph g { metadata { a " + "[".repeat(200) + " } }", "too-deep");
    texts.put("graph g { channel c append of " + "list<".repeat(200) + " }", "too-deep");
    texts.put("graph g {" + "{".repeat(100_000), "unexpected-token");
    texts.put("a".repeat(10 * MIB), "source-too-long");
    texts.put("{".repeat(10 * MIB), "source-too-long");
    texts.put("é".repeat(5 * MIB), "source-too-long");
    texts.put("graph g {\n" + "; ".repeat(99_000) + "}", "invalid-token");
    texts.put("graph g { " + "node a {} ".repeat(25_000) + "}", "duplicate-node");
    texts.put(
        "graph g { start a node a { next [" + "b,".repeat(45_000) + "] } }", "duplicate-name");
    texts.put("graph g { node \uD800a {} }", "invalid-name");
    texts.put("graph g { node a\uDC00 {} }", "invalid-name");
    texts.put("graph g { node \"a\uD83D\" { prompt \"\uDE00\" } }", "invalid-character");
    texts.put("graph g { node a\u202Eb {} }", "invalid-name");
    texts.put("graph g { node a\u200Bb {} }", "invalid-name");
    texts.put("graph g { node \"a\u200Bb\" {} }", "invalid-name");
    texts.put("graph g { node \"a\u2066b\" {} }", "invalid-name");
    texts.put("graph g { node p\u0430y {} }", "invalid-name");
    texts.put("\"".repeat(250_000), "unterminated-string");
    texts.put("graph g { metadata { a " + "9".repeat(200_000) + " } }", "invalid-number");
    return texts;
  }

  /// Compiles each text in turn; fails at the first that takes too long or is told otherwise.
  public static void main(String[] arguments) {
    int number = 0;
    long slowest = 0;
    for (var each : texts().entrySet()) {
      long began = System.nanoTime();
      for (var policy : new CheckPolicy[] {CheckPolicy.file("h.rag"), CheckPolicy.generated("m")}) {
        var compiled =
            Blueprints.compile(Source.of("h.rag", each.getKey()), Registered.NAMES, policy);
        boolean isShort =
            compiled.report().shown().size() <= 50 && compiled.text().length() < 100_000;
        boolean isTold =
            compiled.text().contains("E-rag-" + each.getValue()) || policy.isGenerated();
        if (!isShort || !isTold || !compiled.report().hasErrors()) {
          throw new AssertionError("text " + number + ": " + compiled.text());
        }
      }
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      if (millis > TimeUnit.SECONDS.toMillis(SECONDS_MAX)) {
        throw new AssertionError("text " + number + " took " + millis + " ms");
      }
      slowest = Math.max(slowest, millis);
      number++;
    }
    System.out.println("long: " + number + " hostile texts, the slowest in " + slowest + " ms");
  }

  @Test
  void hostile_texts_are_findings_in_bounded_time_and_256_mebibytes()
      throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                HostileInputTest.class.getName())
            .redirectErrorStream(true)
            .start();
    var said = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(said).isZero();
    System.out.print(said);
    assertThat(said).startsWith("long: 20 hostile texts");
  }
}
