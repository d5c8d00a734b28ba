package dev.superstep.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Measures how much longer an application starts with the starter. It judges nothing, since other
/// work on the machine changes the figures: run it on an idle one.
class StartTimeTest {
  private static final int PAIRS = Integer.getInteger("superstep.spring.starts", 15);

  @TempDir Path folder;

  /// A start of an application.
  ///
  /// @param wall milliseconds from the start of the process to its web server
  /// @param cpu milliseconds of all processors until then
  private record Start(long wall, long cpu) {}

  @Test
  @Tag("long")
  @Timeout(1_800)
  void starts_with_and_without_the_starter_are_measured_by_turns() throws Exception {
    var without = new ArrayList<Start>();
    var with = new ArrayList<Start>();
    // The first pair fills the caches of the file system.
    for (int pair = 0; pair <= PAIRS; pair++) {
      var plain = start(false);
      var ours = start(true);
      if (pair == 0) continue;
      without.add(plain);
      with.add(ours);
    }
    System.out.printf(
        "long: %d pairs of starts: plain wall %s cpu %s; with the starter wall %s cpu %s%n",
        PAIRS, wall(without), cpu(without), wall(with), cpu(with));
    System.out.printf(
        "long: median difference within a pair: wall %+d ms, cpu %+d ms%n",
        median(differences(without, with, true)), median(differences(without, with, false)));
    assertThat(with).hasSize(PAIRS).allSatisfy(one -> assertThat(one.cpu()).isPositive());
  }

  private static String wall(List<Start> starts) {
    return spread(starts.stream().map(Start::wall).toList());
  }

  private static String cpu(List<Start> starts) {
    return spread(starts.stream().map(Start::cpu).toList());
  }

  private static String spread(List<Long> all) {
    var sorted = all.stream().sorted().toList();
    return "%d ms (%d to %d)".formatted(median(all), sorted.getFirst(), sorted.getLast());
  }

  private static List<Long> differences(List<Start> without, List<Start> with, boolean isWall) {
    var all = new ArrayList<Long>();
    for (int i = 0; i < with.size(); i++) {
      all.add(
          isWall
              ? with.get(i).wall() - without.get(i).wall()
              : with.get(i).cpu() - without.get(i).cpu());
    }
    return all;
  }

  private static long median(List<Long> all) {
    return all.stream().sorted().toList().get(all.size() / 2);
  }

  private Start start(boolean isOurs) throws Exception {
    var file = folder.resolve("threads.db");
    var command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            isOurs ? System.getProperty("java.class.path") : plainClassPath(),
            StartedApplication.class.getName(),
            "--server.port=0",
            "--spring.main.banner-mode=off",
            "--spring.main.web-application-type=servlet",
            "--superstep.store.file=" + file);
    var errors = folder.resolve("errors.txt").toFile();
    long began = System.nanoTime();
    var process = new ProcessBuilder(command).redirectError(errors).start();
    try (var said = process.inputReader()) {
      for (var line = said.readLine(); line != null; line = said.readLine()) {
        if (!line.startsWith("started ")) continue;
        long wall = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        var parts = line.split(" ");
        assertThat(Boolean.parseBoolean(parts[1])).as("has the starter").isEqualTo(isOurs);
        return new Start(wall, Long.parseLong(parts[2]));
      }
    } finally {
      process.destroyForcibly().waitFor();
      Files.deleteIfExists(file);
    }
    throw new AssertionError("it did not start: " + Files.readString(errors.toPath()));
  }

  /// The class path without Superstep, but with the classes of the tests.
  private static String plainClassPath() throws IOException, URISyntaxException {
    var code = StartedApplication.class.getProtectionDomain().getCodeSource().getLocation();
    var tests = Path.of(code.toURI()).toRealPath();
    var kept = new ArrayList<String>();
    for (var entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      var path = Path.of(entry);
      if (Files.isDirectory(path) ? path.toRealPath().equals(tests) : isOfOthers(path)) {
        kept.add(entry);
      }
    }
    return String.join(File.pathSeparator, kept);
  }

  private static boolean isOfOthers(Path jar) {
    return !jar.getFileName().toString().startsWith("superstep-");
  }

  @Test
  void a_class_path_without_superstep_has_no_folder_but_that_of_the_tests() throws Exception {
    var folders =
        Arrays.stream(plainClassPath().split(File.pathSeparator))
            .map(Path::of)
            .filter(Files::isDirectory)
            .collect(Collectors.toSet());
    assertThat(folders).hasSize(1);
    assertThat(plainClassPath()).contains("spring-boot");
  }
}
