package dev.superstep.repl;

import java.time.Duration;

/// The limits of a session. All of them end a cell for good: no script can catch that.
///
/// @param operations of each cell
/// @param memoryBytes that the variables and values of the session may take at any time
/// @param callDepth of functions that call functions, and of values inside of values
/// @param scriptBytes of the source of a cell, in UTF-8
/// @param outputShown characters of a cell's output that are shown; what is between is left out
/// @param outputMost characters that a cell may print
/// @param cellTime of each cell, with the calls of the host in it
public record ReplPolicy(
    long operations,
    long memoryBytes,
    int callDepth,
    int scriptBytes,
    int outputShown,
    int outputMost,
    Duration cellTime) {
  private static final int DEPTH_MAX = 1_000;

  public ReplPolicy {
    if (operations < 1 || memoryBytes < 1 || scriptBytes < 1 || outputShown < 1 || outputMost < 1) {
      throw new IllegalArgumentException("each limit must be at least 1");
    }
    if (callDepth < 1 || callDepth > DEPTH_MAX) {
      throw new IllegalArgumentException("callDepth must be from 1 to 1,000, was " + callDepth);
    }
    if (!cellTime.isPositive()) throw new IllegalArgumentException("cellTime must be positive");
  }

  /// 5 million operations and 60 seconds for a cell, 64 MiB, 500 calls deep, 64 KiB of source, 1
  /// MiB of output of which 16 KiB are shown.
  public static ReplPolicy standard() {
    return new ReplPolicy(
        5_000_000, 64L << 20, 500, 64 << 10, 16 << 10, 1 << 20, Duration.ofSeconds(60));
  }

  /// Returns a copy with another number of operations.
  public ReplPolicy withOperations(long most) {
    return new ReplPolicy(
        most, memoryBytes, callDepth, scriptBytes, outputShown, outputMost, cellTime);
  }

  /// Returns a copy with another limit of memory.
  public ReplPolicy withMemory(long bytes) {
    return new ReplPolicy(
        operations, bytes, callDepth, scriptBytes, outputShown, outputMost, cellTime);
  }

  /// Returns a copy with another depth of calls.
  public ReplPolicy withDepth(int most) {
    return new ReplPolicy(
        operations, memoryBytes, most, scriptBytes, outputShown, outputMost, cellTime);
  }

  /// Returns a copy with other limits of output.
  public ReplPolicy withOutput(int shown, int most) {
    return new ReplPolicy(operations, memoryBytes, callDepth, scriptBytes, shown, most, cellTime);
  }

  /// Returns a copy with another time for a cell.
  public ReplPolicy withCellTime(Duration most) {
    return new ReplPolicy(
        operations, memoryBytes, callDepth, scriptBytes, outputShown, outputMost, most);
  }
}
