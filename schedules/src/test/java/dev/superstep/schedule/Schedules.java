package dev.superstep.schedule;

import java.util.Random;

/// Runs a race under many schedules: all with few preemptions, and some by chance with any number.
/// `-Dsuperstep.preemptions` and `-Dsuperstep.schedules` take more.
public final class Schedules {
  private static final int PREEMPTIONS = Integer.getInteger("superstep.preemptions", 2);
  private static final int BY_CHANCE = Integer.getInteger("superstep.schedules", 50);

  /// Where the exhaustive part ends, whatever is left. A gate's race stays far below.
  private static final int EXHAUSTIVE_MAX = Math.max(5_000, 10 * BY_CHANCE);

  private Schedules() {}

  /// Sets up a race, runs it and checks how it ended. It must do the same each time but for the
  /// order of turns.
  @FunctionalInterface
  public interface Scenario {
    void play(Schedule schedule) throws Exception;
  }

  /// Plays a scenario under each schedule.
  ///
  /// @return how many schedules there were
  public static int explore(Scenario scenario) {
    // What is made at first use is made here, so that no schedule differs by that.
    play(scenario, new Choices.Exhaustive(0), "the first");
    int played = 0;
    var exhaustive = new Choices.Exhaustive(PREEMPTIONS);
    do {
      play(scenario, exhaustive, "number " + played);
      played++;
    } while (played < EXHAUSTIVE_MAX && exhaustive.advance());
    boolean isWhole = played < EXHAUSTIVE_MAX || !exhaustive.advance();
    for (int seed = 0; seed < BY_CHANCE; seed++) {
      play(scenario, new Choices.Random(new Random(seed)), "seed " + seed);
    }
    System.out.printf(
        "long: %s %d schedules with up to %d preemptions, %d by chance%n",
        isWhole ? "all" : "the first", played, PREEMPTIONS, BY_CHANCE);
    return played + BY_CHANCE;
  }

  private static void play(Scenario scenario, Choices choices, String which) {
    var schedule = new Schedule(choices);
    try {
      scenario.play(schedule);
    } catch (Throwable e) {
      throw new AssertionError("schedule " + which + ":\n  " + schedule.trace(), e);
    }
  }
}
