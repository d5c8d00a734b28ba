package dev.superstep.sandbox.internal.linux;

import java.lang.foreign.Arena;

/// Signals to processes that were started here.
public final class Signals {
  private static final int KILL = 9;

  private Signals() {}

  /// Kills all processes of a group that was started here and whose first was not waited for yet, or
  /// was a moment ago.
  public static void killGroup(SystemCalls calls, int group) {
    if (group <= 1) throw new IllegalArgumentException("group must be above 1, was " + group);
    try (var memory = Arena.ofConfined()) {
      Libc.call(memory, calls.of("kill"), -group, KILL);
      Libc.call(memory, calls.of("kill"), group, KILL);
    }
  }
}
