package dev.superstep.cli.screen;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A terminal that shows text and gives what is typed, character by character and without an echo.
/// One thread at a time.
public interface ScreenDevice extends AutoCloseable {
  /// Returned by [#read] at the end of the input.
  int END = -1;

  /// Returned by [#read] if nothing came in time.
  int NOTHING = -2;

  ScreenSize size();

  /// Returns whether the size has changed since this was last asked.
  boolean wasResized();

  /// Writes text that has been made safe, and escape sequences of ours.
  void write(String text) throws IOException;

  /// Reads a character.
  ///
  /// @return a code point, [#END] or [#NOTHING]
  int read(Duration wait) throws IOException;

  /// Drops what was typed and not yet read.
  void discard() throws IOException;

  /// Gives keys one by one until [#leave]; without an echo, and Ctrl-C is a key.
  void enter() throws IOException;

  /// Returns to lines and echo.
  void leave() throws IOException;

  /// Keeps lines at the bottom, below everything else, in place of those that were kept before.
  /// They do not count in [#size] then.
  ///
  /// @param lines none to keep nothing any more
  /// @param isColored whether they may have a look of their own
  /// @return whether the terminal can do that
  default boolean pin(List<String> lines, boolean isColored) throws IOException {
    return lines.isEmpty();
  }

  /// Removes everything from the screen but what is kept at its bottom.
  default void clear() throws IOException {
    write("\u001b[H\u001b[2J");
  }

  /// A prompt for cells of several lines; empty if this terminal has none.
  ///
  /// @param history earlier texts, the newest last
  default Optional<CellPrompt> cells(
      boolean isColored, CellPrompt.Language language, List<String> history) {
    return Optional.empty();
  }

  /// The time of a clock that never goes back.
  long nanoTime();

  @Override
  void close() throws IOException;
}
