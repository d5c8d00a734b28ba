package dev.superstep.server.sdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The surroundings of a process of a [FixtureServer]. Immutable.
record FixtureProcess(
    List<String> options, Map<String, String> environment, ProcessBuilder.Redirect log) {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final String CLOCK = "libfaketime.so.1";

  static FixtureProcess plain() {
    return new FixtureProcess(List.of(), Map.of(), ProcessBuilder.Redirect.DISCARD);
  }

  private FixtureProcess with(String option) {
    var all = new ArrayList<>(options);
    all.add(option);
    return new FixtureProcess(List.copyOf(all), environment, log);
  }

  /// Nodes that count note in a file that they begin.
  FixtureProcess noting(Path notes) {
    return with("-D" + FixtureGraphs.NOTES + "=" + notes);
  }

  /// The pool of connections soon gives up when the database is gone.
  FixtureProcess impatient() {
    return with("-D" + Pools.WAIT + "=500");
  }

  /// Has so much memory, and dies if that is not enough.
  FixtureProcess withMemory(int megabytes) {
    return with("-Xmx" + megabytes + "m").with("-XX:+ExitOnOutOfMemoryError");
  }

  /// The clock of the process is wrong; its count of what has passed is not.
  ///
  /// @param library as [#clockLibrary] found it
  FixtureProcess withClock(Path library, Duration ahead) {
    var all = new HashMap<>(environment);
    all.put("LD_PRELOAD", library.toString());
    all.put("FAKETIME", (ahead.isNegative() ? "" : "+") + ahead.toSeconds() + "s");
    all.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    // With it, each wait of a JVM for a time ends at once.
    all.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
    return new FixtureProcess(options, Map.copyOf(all), log);
  }

  /// The library that gives a process another clock, if this machine has it. It comes as the
  /// package `libfaketime`, not from Maven.
  static Optional<Path> clockLibrary() throws IOException {
    if (!Files.isDirectory(LIBRARIES)) return Optional.empty();
    try (Stream<Path> places = Files.list(LIBRARIES)) {
      return places
          .map(place -> place.resolve("faketime").resolve(CLOCK))
          .filter(Files::isReadable)
          .findFirst();
    }
  }
}
