package dev.superstep.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// What to measure. Immutable.
///
/// @param only workloads, or empty for all
/// @param systemsNamed whether the systems were chosen by name
/// @param warmUp how long each case is warmed up at most, if not as usual
/// @param out the folder for the results
record Options(
    boolean help,
    boolean quick,
    boolean brief,
    Set<String> only,
    Set<Contender> systems,
    boolean systemsNamed,
    Optional<Duration> warmUp,
    Path out) {
  static final String HELP =
      """
      superstep bench [options]     measures Superstep, its peers and the hand-written limit

        --quick                     fewer cases and rounds, peers only if they are built: < 3 min
        --brief                     all cases, each for a shorter time
        --warm-up SECONDS           each case is warmed up for at most so long
        --only W1,W3                these workloads
        --systems superstep,limit   these systems
        --out DIR                   where results.jsonl and results.md go

      superstep bench --jmh [PATTERN]
                                    the hot path under JMH instead, with what it allocates
      superstep bench --cells       the session language beside CPython instead
      superstep bench --served [options]
                                    the server beside the development servers of LangGraph instead
      """;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  Options {
    only = Set.copyOf(only);
    systems = Set.copyOf(systems);
  }

  /// The arguments cannot be understood.
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
      super(message);
    }
  }

  static Options parse(List<String> arguments) {
    boolean help = false;
    boolean quick = false;
    boolean brief = false;
    var warmUp = Optional.<Duration>empty();
    Set<String> only = new TreeSet<>();
    Set<Contender> systems = EnumSet.noneOf(Contender.class);
    var out =
        Path.of("superstep-out", "bench-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
    for (var left = arguments.iterator(); left.hasNext(); ) {
      var option = left.next();
      switch (option) {
        case "--help", "-h" -> help = true;
        case "--quick" -> quick = true;
        case "--brief" -> brief = true;
        case "--warm-up" -> warmUp = Optional.of(seconds(value(option, left)));
        case "--only" -> only = workloads(value(option, left));
        case "--systems" -> systems = systems(value(option, left));
        case "--out" -> out = Path.of(value(option, left));
        default -> throw new Wrong("there is no option `" + option + "`.");
      }
    }
    boolean named = !systems.isEmpty();
    if (!named) systems = EnumSet.allOf(Contender.class);
    return new Options(help, quick, brief, only, systems, named, warmUp, out.toAbsolutePath());
  }

  boolean wants(String workload) {
    return only.isEmpty() || only.contains(workload);
  }

  private static String value(String option, Iterator<String> left) {
    if (left.hasNext()) return left.next();
    throw new Wrong("`" + option + "` needs a value.");
  }

  private static Duration seconds(String text) {
    try {
      long millis = Math.round(Double.parseDouble(text) * 1_000);
      if (millis > 0) return Duration.ofMillis(millis);
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new Wrong("`" + text + "` is no number of seconds.");
  }

  private static Set<String> workloads(String names) {
    var found = new TreeSet<String>();
    for (var name : names.toUpperCase(Locale.ROOT).split(",", -1)) {
      if (!Plan.WORKLOADS.containsKey(name)) {
        throw new Wrong("there is no workload `" + name + "`, but " + Plan.WORKLOADS.keySet());
      }
      found.add(name);
    }
    return found;
  }

  private static Set<Contender> systems(String names) {
    var found = EnumSet.noneOf(Contender.class);
    for (var name : names.split(",", -1)) {
      found.add(
          Contender.named(name)
              .orElseThrow(() ->
                  new Wrong(
                      "there is no system `"
                          + name
                          + "`, but "
                          + EnumSet.allOf(Contender.class).stream()
                              .map(Contender::id)
                              .collect(Collectors.joining(", ")))));
    }
    return found;
  }
}
