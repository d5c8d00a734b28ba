package dev.superstep.build;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Runs the programs that make and check the site.
final class SiteProcess {
  /// Stands for the exit code of a program that is not installed.
  static final int NOT_THERE = -1;

  private SiteProcess() {}

  /// Waits for the end of a program whose outputs both go to a file, and returns its exit code.
  static int run(Path folder, Path log, List<String> command)
      throws IOException, InterruptedException {
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      return NOT_THERE;
    }
    try {
      return process.waitFor();
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }
}
