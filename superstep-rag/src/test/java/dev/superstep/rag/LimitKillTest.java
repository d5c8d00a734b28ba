package dev.superstep.rag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The limits of a graph whose process is killed in the middle of its calls, again and again.
@Timeout(600)
class LimitKillTest {
  private static final int PROCESSES_MAX = 12;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"models, 1", "models, 2", "models, 4", "tools, 1", "tools, 2", "tasks, 2"})
  void no_limit_is_passed_however_often_the_process_is_killed(String text, int waitsAt)
      throws Exception {
    boolean isEnded = false;
    for (int i = 0; i < PROCESSES_MAX && !isEnded; i++) isEnded = isEnded(text, waitsAt);
    assertThat(isEnded).as(this::errors).isTrue();
    long calls = Files.readAllLines(folder.resolve("calls")).size();
    // A task whose process was killed does its work again, and counts once.
    if (text.equals("tasks")) calls = done();
    assertThat(calls).isEqualTo(LimitProgram.LIMIT);
  }

  /// Returns whether a process came to its end before it could be killed.
  private boolean isEnded(String text, int waitsAt) throws Exception {
    var process = start(text, waitsAt);
    var said = new ArrayList<String>();
    try (var output = process.inputReader()) {
      for (var line = output.readLine(); line != null; line = output.readLine()) {
        said.add(line);
        if (line.equals("waits")) break;
      }
    } finally {
      process.toHandle().destroyForcibly();
    }
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    if (said.contains("waits")) return false;
    assertThat(said).as(this::errors).endsWith("ended").anyMatch(l -> l.startsWith("failed "));
    return true;
  }

  /// The tasks that did their work to its end.
  private long done() throws java.io.IOException {
    return Files.readAllLines(folder.resolve("done")).stream().distinct().count();
  }

  private String errors() {
    try {
      return Files.readString(folder.resolve("errors"));
    } catch (java.io.IOException e) {
      return e.toString();
    }
  }

  private Process start(String text, int waitsAt) throws java.io.IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command =
        List.of(
            java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            LimitProgram.class.getName(),
            folder.toString(),
            text,
            String.valueOf(waitsAt));
    return new ProcessBuilder(command).redirectError(new File(folder.toFile(), "errors")).start();
  }
}
