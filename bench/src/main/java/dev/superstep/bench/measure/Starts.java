package dev.superstep.bench.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Starts programs and waits for their end.
public final class Starts {
  private static final double NANOS_PER_MILLI = 1e6;

  private Starts() {}

  /// The time until a program had printed its first line, and that line.
  ///
  /// @param line the first line, or empty
  public record Start(double millis, String line, int exit) {}

  /// Starts a program in a folder. What it says beside its output is dropped.
  public static Start of(Path folder, List<String> command)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    var process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var out = process.inputReader()) {
      var line = out.readLine();
      long end = System.nanoTime();
      while (out.readLine() != null) {
        // The rest does not count, but must be taken.
      }
      int exit = process.waitFor();
      return new Start((end - start) / NANOS_PER_MILLI, line == null ? "" : line, exit);
    }
  }

  /// This process's own `java`.
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }
}
