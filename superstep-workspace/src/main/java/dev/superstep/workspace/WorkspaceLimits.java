package dev.superstep.workspace;

import java.time.Duration;

/// Limits on each operation in a [Workspace]. Immutable; each method returns a changed copy.
///
/// ```java
/// WorkspaceLimits.standard().commands(Duration.ofMinutes(5), 200_000)
/// ```
///
/// @param readBytes the most bytes that are read of a file
/// @param writtenBytes the largest file that may be written
/// @param entries the most entries of a listing
/// @param depth the most levels of a listing
/// @param commandTime the longest time that a command may run
/// @param outputBytes the most bytes that are kept of each output of a command
/// @param fetchTime the longest time of a fetch, redirects included
/// @param fetchedBytes the most bytes that are read of a response
public record WorkspaceLimits(
    int readBytes,
    int writtenBytes,
    int entries,
    int depth,
    Duration commandTime,
    int outputBytes,
    Duration fetchTime,
    int fetchedBytes) {
  private static final WorkspaceLimits STANDARD =
      new WorkspaceLimits(
          1_048_576,
          1_048_576,
          1_000,
          8,
          Duration.ofMinutes(1),
          64_000,
          Duration.ofSeconds(30),
          1_048_576);

  public WorkspaceLimits {
    positive("readBytes", readBytes);
    positive("writtenBytes", writtenBytes);
    positive("entries", entries);
    positive("depth", depth);
    positive("commandTime", commandTime);
    positive("outputBytes", outputBytes);
    positive("fetchTime", fetchTime);
    positive("fetchedBytes", fetchedBytes);
  }

  /// Files and responses of a megabyte, a thousand entries eight directories deep, a minute and 64
  /// 000 bytes for a command, half a minute for a fetch.
  public static WorkspaceLimits standard() {
    return STANDARD;
  }

  /// With other limits on files.
  public WorkspaceLimits files(int mostRead, int mostWritten) {
    return new WorkspaceLimits(
        mostRead, mostWritten, entries, depth, commandTime, outputBytes, fetchTime, fetchedBytes);
  }

  /// With other limits on listings.
  public WorkspaceLimits listings(int most, int levels) {
    return new WorkspaceLimits(
        readBytes, writtenBytes, most, levels, commandTime, outputBytes, fetchTime, fetchedBytes);
  }

  /// With other limits on commands.
  public WorkspaceLimits commands(Duration time, int mostOutputBytes) {
    return new WorkspaceLimits(
        readBytes, writtenBytes, entries, depth, time, mostOutputBytes, fetchTime, fetchedBytes);
  }

  /// With other limits on fetches.
  public WorkspaceLimits fetches(Duration time, int mostBytes) {
    return new WorkspaceLimits(
        readBytes, writtenBytes, entries, depth, commandTime, outputBytes, time, mostBytes);
  }

  private static void positive(String name, int value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }

  private static void positive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, was " + value);
    }
  }
}
