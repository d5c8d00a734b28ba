package dev.superstep.cli.conversation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// The right to answer for a conversation, which only one process has. It ends with the process.
final class ConversationLock implements AutoCloseable {
  private final FileChannel channel;

  private ConversationLock(FileChannel channel) {
    this.channel = channel;
  }

  /// Takes the lock; empty if another process has it.
  static Optional<ConversationLock> take(Path file) {
    try {
      var channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (locked(channel)) return Optional.of(new ConversationLock(channel));
      channel.close();
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("The lock " + file + " cannot be taken", e);
    }
  }

  private static boolean locked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException _) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("A lock cannot be given back", e);
    }
  }
}
