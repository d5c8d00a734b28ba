package dev.superstep.workspace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;

/// Opens a file that may have been replaced by a named pipe since it was checked. Java cannot open
/// without waiting (`O_NONBLOCK`), so a thread that may be lost opens it. Opening a pipe in both
/// directions never waits and releases a thread that is blocked at it; a pipe that no longer has a
/// name keeps its thread blocked.
final class SafeOpen {
  private static final Duration USUAL = Duration.ofMillis(250);
  private static final Duration MOST = Duration.ofSeconds(5);

  /// A pipe may have lost its name just now, and get it back.
  private static final int TRIES = 20;

  private static final String STUCK = "it cannot be opened: it may have become a named pipe";

  private SafeOpen() {}

  /// Opens a file.
  ///
  /// @param both opens the current file of that name for reading and writing
  static <T extends Closeable> T of(Callable<T> open, Callable<? extends Closeable> both)
      throws IOException {
    var call = ExpendableThreads.begin(open, SafeOpen::close, MOST);
    for (int tries = 0; tries < TRIES && !call.await(USUAL); tries++) releaseWaiter(both);
    return call.result(STUCK);
  }

  /// Opens a file for reading, and refuses a file without a read position, such as a pipe.
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

  private static void releaseWaiter(Callable<? extends Closeable> both) throws IOException {
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
