package dev.superstep.sandbox;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Limits on what is kept of each of the two outputs of a command, and on how much it may write.
/// Immutable; each method returns a changed copy.
///
/// @param headBytes the most bytes that are kept of the beginning
/// @param tailBytes the most bytes that are kept of the end
/// @param writtenBytes a command that writes more to an output is killed
/// @param spoolFolder where a file is made for each output, with the whole of it; null for no file
/// @param spoolBytes the most bytes of such a file
public record OutputLimits(
    int headBytes, int tailBytes, long writtenBytes, @Nullable Path spoolFolder, long spoolBytes) {
  private static final OutputLimits STANDARD = new OutputLimits(32_768, 32_768, 64L << 20, null, 0);

  public OutputLimits {
    if (headBytes < 0 || tailBytes < 0 || headBytes + (long) tailBytes < 1) {
      throw new IllegalArgumentException(
          "headBytes and tailBytes must keep something, were %d and %d"
              .formatted(headBytes, tailBytes));
    }
    if (writtenBytes < 1) {
      throw new IllegalArgumentException("writtenBytes must be at least 1, was " + writtenBytes);
    }
  }

  /// 32 KiB of the beginning and of the end, killed after 64 MiB, no file.
  public static OutputLimits standard() {
    return STANDARD;
  }

  /// Keeps other amounts.
  public OutputLimits keeping(int head, int tail) {
    return new OutputLimits(head, tail, writtenBytes, spoolFolder, spoolBytes);
  }

  /// Kills at another amount.
  public OutputLimits killingAfter(long bytes) {
    return new OutputLimits(headBytes, tailBytes, bytes, spoolFolder, spoolBytes);
  }

  /// Writes each output to a new file in that folder, which only its owner may read. The caller
  /// deletes it.
  public OutputLimits spoolingTo(Path folder, long mostBytes) {
    return new OutputLimits(headBytes, tailBytes, writtenBytes, folder, mostBytes);
  }

  /// The folder for files, if there is one.
  public Optional<Path> spool() {
    return Optional.ofNullable(spoolFolder);
  }
}
