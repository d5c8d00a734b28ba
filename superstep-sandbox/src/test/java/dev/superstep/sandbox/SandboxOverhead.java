package dev.superstep.sandbox;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.Locale;

/// Prints how long a command that does nothing takes in each tier, beside one that is started by
/// the JDK alone. A program of its own: figures are read, not asserted.
final class SandboxOverhead {
  private static final int WARM = 50;
  private static final int RUNS = 200;

  private interface Run {
    void once() throws Exception;
  }

  private SandboxOverhead() {}

  public static void main(String[] arguments) throws Exception {
    var folder = Files.createTempDirectory("superstep-overhead-");
    var sandbox = Sandbox.open();
    print("ProcessBuilder", () -> new ProcessBuilder("/bin/true").start().waitFor());
    for (var tier : Tier.values()) {
      if (!sandbox.machine().isAvailable(tier)) continue;
      var command = SandboxCommand.of(tier, folder, "/bin/true").writing(folder);
      print(tier.toString(), () -> sandbox.run(command));
    }
    Files.delete(folder);
  }

  private static void print(String name, Run run) throws Exception {
    for (int i = 0; i < WARM; i++) run.once();
    var took = new long[RUNS];
    for (int i = 0; i < RUNS; i++) {
      long began = System.nanoTime();
      run.once();
      took[i] = System.nanoTime() - began;
    }
    Arrays.sort(took);
    System.out.printf(
        Locale.ROOT,
        "%-14s median %.2f ms, p90 %.2f ms%n",
        name,
        took[RUNS / 2] / 1e6,
        took[RUNS * 9 / 10] / 1e6);
  }
}
