package dev.superstep.terminal.undo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A process of its own that watches a session, or undoes one, to be killed.
final class UndoProcess {
  private static final int STEPS = 30;

  private UndoProcess() {}

  /// @param args the folder of the session, what to do, and the seed
  public static void main(String[] args) throws Exception {
    var home = Path.of(args[0]);
    var work = home.resolve("work");
    try (var tracker =
        ChangeTracker.open(
            UndoPlace.of(work, home.resolve("store")),
            UndoLimits.standard(),
            InstantSource.system())) {
      if (args[1].equals("undo")) {
        for (var change : tracker.changes().reversed()) tracker.undo(change.id());
        return;
      }
      int number = 0;
      for (var step : ShellSession.steps(Long.parseLong(args[2]), STEPS)) {
        var label = number++ + " " + step;
        note(home, label, OracleTree.digest(work));
        tracker.begin(label, List.of());
        ShellSession.run(work, step);
        tracker.finish();
      }
    }
  }

  private static void note(Path home, String label, String digest) throws IOException {
    Files.writeString(
        home.resolve("digests"),
        digest + " " + label + "\n",
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  static Map<String, String> digests(Path home) throws IOException {
    var digests = new HashMap<String, String>();
    if (!Files.exists(home.resolve("digests"))) return digests;
    for (var line : Files.readAllLines(home.resolve("digests"))) {
      int blank = line.indexOf(' ');
      digests.put(line.substring(blank + 1), line.substring(0, blank));
    }
    return digests;
  }

  /// Starts it, kills it after a while with all that it started, and waits for their ends.
  static void killed(Path home, String what, long seed, long afterMillis) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var process =
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                UndoProcess.class.getName(),
                home.toString(),
                what,
                Long.toString(seed))
            .redirectErrorStream(true)
            .redirectOutput(home.resolve(what + ".log").toFile())
            .start();
    process.waitFor(afterMillis, TimeUnit.MILLISECONDS);
    process.destroyForcibly().waitFor();
    while (killOthers(home.resolve("work").toRealPath())) Thread.onSpinWait();
  }

  private static boolean killOthers(Path work) throws IOException {
    boolean any = false;
    try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (var process : processes) {
        try {
          if (!Files.readSymbolicLink(process.resolve("cwd")).startsWith(work)) continue;
          any = true;
          ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
              .ifPresent(ProcessHandle::destroyForcibly);
        } catch (IOException _) {
          // It is gone.
        }
      }
    }
    return any;
  }
}
