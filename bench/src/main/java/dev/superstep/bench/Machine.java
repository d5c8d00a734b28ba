package dev.superstep.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// Where and with what was measured. Immutable.
///
/// @param facts by name, in the order for people
record Machine(Map<String, String> facts) {
  private static final long GIB = 1L << 30;

  static Machine look(Path home, String command) throws InterruptedException {
    var facts = new LinkedHashMap<String, String>();
    facts.put("command", command.strip());
    facts.put("at", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("commit", first(home, "git", "-C", home.toString(), "rev-parse", "--short", "HEAD"));
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("processors", String.valueOf(Runtime.getRuntime().availableProcessors()));
    facts.put("processor", processor());
    facts.put("memory_gib", memory());
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("load_at_start", String.valueOf(load()));
    return new Machine(facts);
  }

  /// The same, with the version of everything that was measured.
  Machine with(Iterable<Contender> systems) {
    var more = new LinkedHashMap<>(facts);
    var versions = new TreeMap<Contender, String>();
    systems.forEach(system -> versions.put(system, system.version()));
    versions.forEach((system, version) -> more.put(system.id(), version));
    return new Machine(more);
  }

  /// The same, with the time since a moment, which is how long the measuring took.
  ///
  /// @param beginNanos by [System#nanoTime]
  Machine after(long beginNanos) {
    var more = new LinkedHashMap<>(facts);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
    more.put("took", seconds / 60 + " min " + seconds % 60 + " s");
    return new Machine(more);
  }

  /// How many processes waited for a processor in the last minute, on average.
  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  private static String processor() {
    try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse(System.getProperty("os.arch"));
    } catch (IOException _) {
      return System.getProperty("os.arch");
    }
  }

  private static String memory() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    return system instanceof com.sun.management.OperatingSystemMXBean jdk
        ? String.valueOf(jdk.getTotalMemorySize() / GIB)
        : "unknown";
  }

  /// The first line that a command prints, or `unknown`.
  private static String first(Path folder, String... command) throws InterruptedException {
    try {
      var process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var out = process.inputReader()) {
        var line = out.readLine();
        return process.waitFor() == 0 && line != null ? line : "unknown";
      }
    } catch (IOException _) {
      return "unknown";
    }
  }
}
