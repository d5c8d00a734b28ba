package dev.superstep.terminal.undo;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Tells whether anything happened in the folders that it was told of, by inotify: where nothing
/// did, no file has to be looked at. It may say that something happened though nothing did. It does
/// not see what another machine writes, nor a write through a hard link outside of these folders,
/// nor one into a mapping of memory that is still open; a scan does, as soon as something else
/// leads to one. One thread at a time.
final class FolderWatch implements AutoCloseable {
  private static final int ROOM = 64 * 1024;
  private static final int PATH_MAX = 4096;
  private static final int EVENT = 16;
  private static final int NONBLOCK_CLOEXEC = 0x80800;
  private static final int LOST = 0x8000 | 0x4000; // IN_IGNORED, IN_Q_OVERFLOW

  // IN_ONLYDIR, IN_DONT_FOLLOW, and all that changes a folder or a file in it. Closing after a
  // write is among it, for writes into mappings of memory.
  private static final int MASK = 0x1000000 | 0x2000000 | 0xfce;

  /// File systems on which nobody but this machine writes.
  private static final Set<String> LOCAL =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs", "zfs", "bcachefs");

  private final MemorySegment state;
  private final MemorySegment buffer;
  private final Map<String, Long> watched = new HashMap<>();
  private long queue;
  private boolean isChanged = true;

  private FolderWatch(long queue, Arena memory) {
    this.queue = queue;
    this.state = memory.allocate(LinuxCalls.STATE);
    this.buffer = memory.allocate(ROOM, 8);
  }

  /// A watch for folders below this one; one that always says that something happened where there
  /// can be no other.
  static FolderWatch open(Path root) {
    var memory = Arena.ofAuto();
    if (!LinuxCalls.IS_USABLE || !isLocal(root)) return new FolderWatch(-1, memory);
    var state = memory.allocate(LinuxCalls.STATE);
    return new FolderWatch(
        LinuxCalls.call(state, LinuxCalls.INOTIFY_INIT, NONBLOCK_CLOEXEC, 0, 0), memory);
  }

  private static boolean isLocal(Path root) {
    try {
      return LOCAL.contains(Files.getFileStore(root).type());
    } catch (IOException _) {
      return false;
    }
  }

  /// Watches a folder from now on. To be called before it is read.
  void add(Path folder, String name, long inode) {
    if (queue < 0) return;
    var known = watched.get(name);
    // Nothing above the root tells that another folder is in its place.
    if (known != null && known == inode && !name.isEmpty()) return;
    var path = folder.toString().getBytes(StandardCharsets.UTF_8);
    if (path.length >= PATH_MAX) {
      giveUp();
      return;
    }
    MemorySegment.copy(path, 0, buffer, JAVA_BYTE, 0, path.length);
    buffer.set(JAVA_BYTE, path.length, (byte) 0);
    long added = LinuxCalls.call(state, LinuxCalls.INOTIFY_ADD, queue, buffer.address(), MASK);
    if (added >= 0) watched.put(name, inode);
    // One that went away was seen by the watch of its parent.
    else if (added != -LinuxCalls.ENOENT) giveUp();
  }

  /// There are more folders than the kernel lets a user watch.
  private void giveUp() {
    close();
  }

  /// Returns whether anything may have happened since the last [#clear].
  boolean isChanged() {
    if (queue < 0 || isChanged) return true;
    read();
    return isChanged;
  }

  /// Forgets what has happened. To be called before a scan, which then sees it.
  void clear() {
    if (queue < 0) return;
    read();
    isChanged = false;
  }

  /// Takes it that something happened: a scan did not come to its end.
  void doubt() {
    isChanged = true;
  }

  private void read() {
    while (true) {
      long length = LinuxCalls.call(state, LinuxCalls.READ, queue, buffer.address(), ROOM);
      if (length <= 0) return;
      isChanged = true;
      for (long at = 0; at < length; ) {
        int mask = buffer.get(JAVA_INT, at + 4);
        // What is watched is not known any more; the next scan tells all folders anew.
        if ((mask & LOST) != 0) watched.clear();
        at += EVENT + buffer.get(JAVA_INT, at + 12);
      }
    }
  }

  @Override
  public void close() {
    if (queue >= 0) LinuxCalls.call(state, LinuxCalls.CLOSE, queue, 0, 0);
    queue = -1;
  }
}
