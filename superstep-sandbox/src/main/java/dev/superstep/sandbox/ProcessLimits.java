package dev.superstep.sandbox;

import java.time.Duration;

/// Limits of the system on the processes of a command. Immutable; each method returns a changed
/// copy.
///
/// @param cpu the most processor time of one process
/// @param fileBytes the largest file that a process may write
/// @param processes the most processes at once, beside those that the user has already
/// @param memoryBytes the largest address space of a process; 0 for no limit
/// @param scratchBytes the size of each file system in memory, where a tier has one
public record ProcessLimits(
    Duration cpu, long fileBytes, int processes, long memoryBytes, long scratchBytes) {
  private static final ProcessLimits STANDARD =
      new ProcessLimits(Duration.ofMinutes(10), 1L << 30, 256, 0, 256L << 20);

  public ProcessLimits {
    if (cpu.toSeconds() < 1) {
      throw new IllegalArgumentException("cpu must be at least a second, was " + cpu);
    }
    positive("fileBytes", fileBytes);
    positive("processes", processes);
    positive("scratchBytes", scratchBytes);
    if (memoryBytes < 0) {
      throw new IllegalArgumentException("memoryBytes must not be negative, was " + memoryBytes);
    }
  }

  /// Ten minutes, files of 1 GiB, 256 processes, any address space, 256 MiB in memory.
  public static ProcessLimits standard() {
    return STANDARD;
  }

  /// With another limit of processor time.
  public ProcessLimits cpu(Duration most) {
    return new ProcessLimits(most, fileBytes, processes, memoryBytes, scratchBytes);
  }

  /// With another limit on the size of files.
  public ProcessLimits fileBytes(long most) {
    return new ProcessLimits(cpu, most, processes, memoryBytes, scratchBytes);
  }

  /// With another limit on the number of processes.
  public ProcessLimits processes(int most) {
    return new ProcessLimits(cpu, fileBytes, most, memoryBytes, scratchBytes);
  }

  /// With another limit on the address space of a process.
  public ProcessLimits memoryBytes(long most) {
    return new ProcessLimits(cpu, fileBytes, processes, most, scratchBytes);
  }

  /// With another size of file systems in memory.
  public ProcessLimits scratchBytes(long most) {
    return new ProcessLimits(cpu, fileBytes, processes, memoryBytes, most);
  }

  private static void positive(String name, long value) {
    if (value < 1) throw new IllegalArgumentException(name + " must be at least 1, was " + value);
  }
}
