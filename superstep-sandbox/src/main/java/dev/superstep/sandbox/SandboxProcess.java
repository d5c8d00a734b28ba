package dev.superstep.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;

/// A running command whose streams its caller reads and writes. Limits of output do not apply;
/// those of time and of the system do. One thread for each stream; the rest is safe for many.
public interface SandboxProcess extends AutoCloseable {
  /// Its standard input.
  OutputStream input();

  /// Its standard output. Someone must read it.
  InputStream output();

  /// Its error output. Someone must read it.
  InputStream errors();

  /// Waits for its end.
  ///
  /// @return empty if it still runs after that time
  Optional<SandboxResult.Ended> await(Duration time) throws InterruptedException;

  /// Kills it with everything that it has started. Does nothing after its end.
  @Override
  void close();
}
