package dev.superstep.mcp.server.options;

import java.time.Duration;

/// The most that a server stores for one principal, in all of its processes. All clients without
/// authentication are one principal. Immutable.
///
/// @param openCalls calls that are at work or wait for answers, and are no tasks
/// @param finishedCalls calls that waited and have ended, whose results can be fetched again; the
///   oldest are deleted
/// @param tasks that are stored, those that have ended included
/// @param keep time for which finished calls are stored
public record McpPrincipalLimits(int openCalls, int finishedCalls, int tasks, Duration keep) {
  private static final McpPrincipalLimits STANDARD =
      new McpPrincipalLimits(100, 100, 1_000, Duration.ofHours(1));

  public McpPrincipalLimits {
    positive("openCalls", openCalls);
    positive("finishedCalls", finishedCalls);
    positive("tasks", tasks);
    if (!keep.isPositive())
      throw new IllegalArgumentException("keep must be positive, was " + keep);
  }

  /// 100 open and 100 finished calls, 1,000 tasks, an hour for finished calls.
  public static McpPrincipalLimits standard() {
    return STANDARD;
  }

  private static void positive(String name, int value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }
}
