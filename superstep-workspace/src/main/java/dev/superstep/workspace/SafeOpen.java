package dev.superstep.workspace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

/// Opens what may have become a named pipe since it was looked at. Java cannot open without waiting
/// (`O_NONBLOCK`), so it is done on a thread that may be lost. A pipe that holds one is let go by
/// opening it in both directions, which never waits; one that has also lost its name keeps it.
final class SafeOpen {
  private static final Duration USUAL = Duration.ofMillis(250);
  private static final Duration MOST = Duration.ofSeconds(5);

  /// A pipe may have lost its name just now, and get it back.
  private static final int TRIES = 20;

  private static final String STUCK = "it cannot be opened: it may have become a named pipe";

  private SafeOpen() {}

  /// What opens a thing.
  ///
  /// @param both opens whatever has its name now for reading and writing
  static <T extends Closeable> T of(Callable<T> open, Callable<? extends Closeable> both)
      throws IOException {
    var call = ExpendableThreads.begin(open, SafeOpen::close, MOST);
    for (int tries = 0; tries < TRIES && !call.await(USUAL); tries++) letGo(both);
    return call.result(STUCK);
  }

  /// The same for a file that is read: what has no place to read from is no file.
  static SeekableByteChannel file(
      Path name, Callable<SeekableByteChannel> open, Callable<? extends Closeable> both)
      throws IOException {
    var channel = of(open, both);
    try {
      channel.position();
      return channel;
    } catch (IOException _) {
      close(channel);
      throw new FileSystemException(name.toString(), null, "it is no regular file");
    }
  }

  private static void letGo(Callable<? extends Closeable> both) throws IOException {
    var call = ExpendableThreads.begin(both, SafeOpen::close, MOST);
    if (!call.await(USUAL)) return;
    try (var opened = call.result(STUCK)) {
      // Whoever waited for the other end has it now.
      assert opened != null;
    } catch (IOException _) {
      // A file that may not be written, or no file any more: it was no pipe that held the other.
    }
  }

  private static void close(Closeable late) {
    try {
      late.close();
    } catch (IOException _) {
      // Nobody has it, and nothing was written to it.
    }
  }
}
