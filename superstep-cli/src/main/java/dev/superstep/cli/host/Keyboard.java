package dev.superstep.cli.host;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// The input of a person, with its timing. For one thread at a time.
public interface Keyboard {
  /// Reads the next line; empty at the end of the input.
  Optional<String> readLine() throws IOException;

  /// Drops what was typed until now, also a line that is not ended yet.
  ///
  /// @return whether there was a line, or the beginning of one that can be seen
  boolean forget() throws IOException;

  /// Returns how long a question must be shown before it can be answered; zero if it need not.
  Duration quiet();

  /// Returns whether this is a terminal, where nothing more comes unless somebody types it.
  default boolean isTerminal() {
    return false;
  }

  /// Sleeps.
  void rest(Duration time) throws IOException;

  /// Returns the time of a clock that never goes back.
  long nanoTime();
}
