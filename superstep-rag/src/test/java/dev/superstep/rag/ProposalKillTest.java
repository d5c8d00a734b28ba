package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A process that is killed while a graph is proposed, reviewed, registered and run, and what the
/// next one makes of what it left.
@Timeout(600)
class ProposalKillTest {
  @TempDir Path folder;

  static Stream<String> points() {
    return ProposalProgram.POINTS.stream();
  }

  @ParameterizedTest
  @MethodSource("points")
  void nothing_is_registered_without_approval_and_nothing_approved_is_asked_again(String point)
      throws Exception {
    if (!point.equals("none")) {
      var process = start(point);
      try (var output = process.inputReader()) {
        String line;
        do line = output.readLine();
        while (line != null && !line.equals("at " + point));
        assertThat(line).as(() -> errors()).isEqualTo("at " + point);
        process.toHandle().destroyForcibly();
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
    }
    var second = start("none");
    try (var output = second.inputReader()) {
      assertThat(output.lines().toList())
          .as(() -> errors())
          .containsExactly("answered {\"said\":\"second\"}");
    } finally {
      second.destroyForcibly();
    }
    check(point, Files.readAllLines(folder.resolve("done")));
  }

  private static void check(String point, List<String> done) {
    var once = new ArrayList<>(List.of("asked", "put approvals", "put graphs"));
    once.add("ran first");
    once.add("ran second");
    // Killed between an effect and the note that it happened, it is repeated.
    var told = done.stream().distinct().toList();
    assertThat(told).as(point).isEqualTo(once);
    for (var what : List.of("asked", "put graphs", "ran first", "ran second")) {
      assertThat(done).as(point).containsOnlyOnce(what);
    }
    assertThat(done.indexOf("put graphs")).isGreaterThan(done.lastIndexOf("put approvals"));
  }

  private String errors() {
    try {
      return Files.readString(folder.resolve("errors"));
    } catch (java.io.IOException e) {
      return e.toString();
    }
  }

  private Process start(String point) throws java.io.IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        List.of(
            java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            ProposalProgram.class.getName(),
            folder.toString(),
            point);
    return new ProcessBuilder(command).redirectError(new File(folder.toFile(), "errors")).start();
  }
}
