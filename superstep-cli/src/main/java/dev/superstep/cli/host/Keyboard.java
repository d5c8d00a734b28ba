package dev.superstep.cli.host;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// What a person types, and when. One thread at a time.
public interface Keyboard {
  /// The next line, or empty at the end of the input.
  Optional<String> readLine() throws IOException;

  /// Drops what was typed until now, also a line that is not ended yet.
  ///
  /// @return whether there was a line, or the beginning of one that can be seen
  boolean forget() throws IOException;

  /// How long a question must stand before it can be answered; zero if it need not.
  Duration quiet();

  /// Lets time pass.
  void rest(Duration time) throws IOException;

  /// A clock that never goes back.
  long nanoTime();
}
