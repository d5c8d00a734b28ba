package dev.superstep.repl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Cells that ask for all the time, memory or depth there is. The gate runs every seventh; the long
/// form runs all in a process with a heap of 128 MiB and prints how long the slowest took.
class BombsTest {
  private static final int STEP = 7;

  @Test
  void each_ends_as_a_typed_error_and_leaves_a_usable_session() throws IOException {
    var bombs = BombsMain.bombs();
    assertThat(bombs).hasSizeGreaterThan(40).doesNotHaveDuplicates();
    assertThat(IntStream.range(0, bombs.size()).filter(i -> i % STEP == 0).mapToObj(bombs::get))
        .allSatisfy(bomb -> {
          var error = BombsMain.set(bomb);
          assertThat(error).isNotNull();
          assertThat(error.code()).startsWith("E-ragsh-");
          assertThat(error.kind()).isNotEqualTo(CellError.Kind.REJECTED);
        });
  }

  @Test
  @Tag("long")
  void each_fits_in_a_heap_of_128_mib() throws IOException, InterruptedException {
    var out = Files.createTempFile("bombs", ".txt");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var path =
        System.getProperty("java.class.path") + ":" + System.getProperty("jdk.module.path", "");
    var process =
        new ProcessBuilder(java, "-Xmx128m", "-cp", path, BombsMain.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    var lines = Files.readAllLines(out);
    Files.delete(out);
    assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
    assertThat(lines).hasSize(BombsMain.bombs().size()).noneMatch(line -> line.contains("NONE"));
    long slowest =
        lines.stream().mapToLong(line -> Long.parseLong(line.split("\t")[0])).max().orElse(0);
    System.out.println("long: slowest of " + lines.size() + " bombs took " + slowest + " ms");
  }
}
