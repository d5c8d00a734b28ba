package dev.superstep.bench.served;

import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/// The way in which servers are compared. Immutable.
///
/// @param users how many send at once, one figure after the other
/// @param warmUp before each figure at most
/// @param time of each figure
record ServedOptions(
    List<ServedSystem> systems, int rounds, List<Integer> users, Duration warmUp, Duration time) {
  private static final int ROUNDS = 3;
  private static final List<Integer> USERS = List.of(8, 32);
  private static final Duration WARM_UP = Duration.ofSeconds(180);
  private static final Duration TIME = Duration.ofSeconds(15);
  private static final String HELP =
      "superstep bench --served [--systems superstep-memory,superstep-sqlite,langgraph,langgraphjs]"
          + " [--rounds N] [--users 8,32] [--warm-up SECONDS] [--seconds SECONDS]";

  ServedOptions {
    systems = List.copyOf(systems);
    users = List.copyOf(users);
  }

  static ServedOptions parse(List<String> arguments) {
    var systems = List.of(ServedSystem.values());
    int rounds = ROUNDS;
    var users = USERS;
    var warmUp = WARM_UP;
    var time = TIME;
    for (var left = arguments.iterator(); left.hasNext(); ) {
      var option = left.next();
      switch (option) {
        case "--systems" -> systems = systems(value(left));
        case "--rounds" -> rounds = Integer.parseInt(value(left));
        case "--users" -> users = split(value(left)).map(Integer::valueOf).toList();
        case "--warm-up" -> warmUp = Duration.ofSeconds(Long.parseLong(value(left)));
        case "--seconds" -> time = Duration.ofSeconds(Long.parseLong(value(left)));
        default -> throw new IllegalArgumentException(HELP);
      }
    }
    return new ServedOptions(systems, rounds, users, warmUp, time);
  }

  private static String value(Iterator<String> left) {
    if (left.hasNext()) return left.next();
    throw new IllegalArgumentException(HELP);
  }

  private static java.util.stream.Stream<String> split(String list) {
    return Arrays.stream(list.split(",", -1));
  }

  private static List<ServedSystem> systems(String names) {
    return split(names)
        .map(name -> ServedSystem.named(name).orElseThrow(() -> new IllegalArgumentException(HELP)))
        .toList();
  }
}
