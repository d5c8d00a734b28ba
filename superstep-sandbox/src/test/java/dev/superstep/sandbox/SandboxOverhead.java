package dev.superstep.sandbox;

import java.nio.file.Files;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Prints how long a command that does nothing takes in each tier, beside one that is started by
/// the JDK alone. They take turns, so that what else the machine does meanwhile meets all of them.
/// A program of its own: figures are read, not asserted.
final class SandboxOverhead {
  private static final int WARM = 100;
  private static final String PLAIN = "ProcessBuilder";

  private interface Run {
    void once() throws Exception;
  }

  private SandboxOverhead() {}

  /// Takes the number of rounds.
  public static void main(String[] arguments) throws Exception {
    int rounds = arguments.length == 0 ? 500 : Integer.parseInt(arguments[0]);
    var folder = Files.createTempDirectory("superstep-overhead-");
    var sandbox = Sandbox.open();
    var runs = new LinkedHashMap<String, Run>();
    runs.put(PLAIN, () -> new ProcessBuilder("/bin/true").start().waitFor());
    for (var tier : Tier.values()) {
      if (!sandbox.machine().isAvailable(tier)) continue;
      var command = SandboxCommand.of(tier, folder, "/bin/true").writing(folder);
      runs.put(tier.toString(), () -> sandbox.run(command));
    }
    var first = new LinkedHashMap<String, Long>();
    for (var one : runs.entrySet()) first.put(one.getKey(), nanos(one.getValue()));
    for (int i = 0; i < WARM; i++) for (var one : runs.values()) one.once();
    var took = new LinkedHashMap<String, long[]>();
    for (var name : runs.keySet()) took.put(name, new long[rounds]);
    for (int i = 0; i < rounds; i++) {
      for (var one : runs.entrySet()) took.get(one.getKey())[i] = nanos(one.getValue());
    }
    print(took, first);
    Files.delete(folder);
  }

  private static long nanos(Run run) throws Exception {
    long began = System.nanoTime();
    run.once();
    return System.nanoTime() - began;
  }

  private static void print(Map<String, long[]> took, Map<String, Long> first) {
    took.values().forEach(Arrays::sort);
    var plain = took.get(PLAIN);
    took.forEach((name, all) -> {
      int middle = all.length / 2;
      int late = all.length * 95 / 100;
      System.out.printf(
          Locale.ROOT,
          "%-14s first %7.2f ms, then median %6.2f ms, p95 %6.2f ms; above plain %6.2f, %6.2f%n",
          name,
          first.get(name) / 1e6,
          all[middle] / 1e6,
          all[late] / 1e6,
          (all[middle] - plain[middle]) / 1e6,
          (all[late] - plain[late]) / 1e6);
    });
  }
}
