package dev.superstep.repl.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The process of an agent that works by cells dies at a call, and another one goes on. The gate
/// kills a few times, the long form as often as it is told, at each call in turn.
@Tag("S20")
class KillTest {
  private static final int KILLS = Integer.getInteger("superstep.repl.kills", 2);
  private static final int CALLS = 11;
  private static final String ANSWER =
      "[\"A\",\"done b\",[\"C1\",\"C2\",\"C3\"],\"provider-error\",\"done e\"]";

  @TempDir Path folder;

  private int process(int number, int deadly, Path out) throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                KillMain.class.getName(),
                folder.resolve(number + ".db").toString(),
                folder.resolve(number + ".notes").toString(),
                String.valueOf(deadly))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(3, TimeUnit.MINUTES)).isTrue();
    return process.exitValue();
  }

  @Test
  void nothing_that_was_finished_runs_again_after_a_kill() throws Exception {
    for (int kill = 0; kill < KILLS; kill++) {
      int deadly = 1 + (kill * 7 + 6) % CALLS;
      var out = folder.resolve("out");
      assertThat(process(kill, deadly, out)).as(Files.readString(out)).isEqualTo(137);
      assertThat(process(kill, 0, out)).as(Files.readString(out)).isZero();
      assertThat(Files.readString(out)).contains(ANSWER);
      var notes = Files.readAllLines(folder.resolve(kill + ".notes"));
      assertThat(notes)
          .doesNotHaveDuplicates()
          .containsExactlyInAnyOrder(
              "turn 1", "a", "b", "turn 2", "c1", "c2", "c3", "turn 3", "bad", "turn 4", "e");
    }
    System.out.println("long: " + KILLS + " kills, no finished call was repeated");
  }
}
