package dev.superstep.sandbox;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What was kept of an output of a command: its beginning and its end. Immutable.
///
/// @param head the beginning, or all of it
/// @param tail the end, empty if nothing was left out
/// @param bytes the number of bytes that were written
/// @param leftOut the number of bytes between head and tail
/// @param file the file with more of it; null for none
public record CapturedOutput(
    String head, String tail, long bytes, long leftOut, @Nullable Path file) {

  /// Returns whether something was left out.
  public boolean isCut() {
    return leftOut > 0;
  }

  /// Both parts, with a line between them that says how much was left out.
  public String text() {
    if (!isCut()) return head;
    return "%s\n[... %d of %d bytes left out ...]\n%s".formatted(head, leftOut, bytes, tail);
  }

  /// The file with more of it, where one was asked for.
  public Optional<Path> spooled() {
    return Optional.ofNullable(file);
  }
}
