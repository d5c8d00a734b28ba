package dev.superstep.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.terminal.transcript.Transcript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Processes that are killed in the middle of a conversation, and what the next one makes of it.
@Tag("C26")
@Timeout(3600)
final class ConversationKillTest {
  // The long form kills 200 times.
  private static final int KILLS = 2 * Integer.getInteger("superstep.kills", 2);
  private static final int KILLS_EACH = 5;
  private static final int SPREAD = 34;

  @TempDir Path folder;

  @Test
  void no_command_that_was_started_runs_again_without_a_new_approval() throws Exception {
    int interrupted = 0;
    for (int killed = 0, round = 0; killed < KILLS; round++) {
      var place = Files.createDirectory(folder.resolve("round-" + round));
      var random = new SplittableRandom(round);
      for (int i = 0; i < KILLS_EACH && killed < KILLS; i++) {
        var output = run(place, 1 + random.nextInt(SPREAD));
        if (output.contains("ended")) break;
        killed++;
        assertThat(broken(place)).as("round %d", round).isEmpty();
      }
      var output = run(place, 0);
      assertThat(output).as("round %d", round).contains("status FINISHED", "ended");
      var effects = KilledProgram.lines(place, "effects");
      var approvals = KilledProgram.lines(place, "approvals");
      for (var step : List.of("1", "2", "3")) {
        int done = Collections.frequency(effects, step);
        assertThat(done)
            .as("step %s of round %d", step, round)
            .isBetween(1, Collections.frequency(approvals, step));
      }
      // The person looked before deciding, so nothing was done twice.
      assertThat(effects).hasSize(3);
      interrupted += KilledProgram.lines(place, "interruptions").size();
      assertThat(broken(place)).isEmpty();
    }
    System.out.printf("long: %d kills, %d interrupted commands%n", KILLS, interrupted);
  }

  private static List<String> broken(Path place) throws IOException {
    var file = place.resolve("transcript.jsonl");
    if (!Files.exists(file)) return List.of();
    return Transcript.verify(file)
        .broken()
        .map(where -> List.of(where.toString()))
        .orElse(List.of());
  }

  private static List<String> run(Path place, int point) throws Exception {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            KilledProgram.class.getName(),
            place.toString(),
            String.valueOf(point)));
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var lines = process.inputReader()) {
      var output = lines.lines().toList();
      int exit = process.waitFor();
      assertThat(exit).as("%s", output).isIn(0, 137);
      return output;
    } finally {
      process.destroyForcibly();
    }
  }
}
