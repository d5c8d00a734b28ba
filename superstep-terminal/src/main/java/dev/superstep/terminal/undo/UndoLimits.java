package dev.superstep.terminal.undo;

/// How much is kept so that changes can be undone. Immutable.
///
/// @param fileBytes larger files are watched, and cannot be restored
/// @param totalBytes of all kept contents; the oldest changes are dropped for newer ones
/// @param files a workspace with more is refused
public record UndoLimits(long fileBytes, long totalBytes, int files) {
  public UndoLimits {
    if (fileBytes < 0 || totalBytes < 0 || files < 1) {
      throw new IllegalArgumentException("limits must not be negative");
    }
  }

  /// 256 MiB a file, 4 GiB in all, 200,000 files.
  public static UndoLimits standard() {
    return new UndoLimits(256L << 20, 4L << 30, 200_000);
  }
}
