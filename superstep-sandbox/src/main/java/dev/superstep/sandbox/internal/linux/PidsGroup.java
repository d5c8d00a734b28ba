package dev.superstep.sandbox.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongConsumer;

/// A control group of version 1 that limits how many processes a command has at once, and that
/// knows all of them. The thread that starts the command is a member for that moment, so that no
/// process of it is ever outside. Safe for many threads.
public final class PidsGroup {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup/pids");
  private static final int O_WRONLY_CLOEXEC = 0x80001;
  private static final int AT_FDCWD = -100;
  private static final int ROUNDS_MAX = 1000;
  private static final int REMOVALS_MAX = 200;

  private final Path folder;
  private final Path before;

  private PidsGroup(Path folder, Path before) {
    this.folder = folder;
    this.before = before;
  }

  /// The group that this process is in, if it may make others there.
  public static Optional<Path> parent() {
    try {
      for (var line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
        var parts = line.split(":", 3);
        if (parts.length != 3 || !List.of(parts[1].split(",")).contains("pids")) continue;
        var own = MOUNT.resolve("./" + parts[2]).normalize();
        var found = Files.isDirectory(own) ? own : MOUNT;
        if (Files.isWritable(found.resolve("tasks"))) return Optional.of(found);
      }
    } catch (IOException _) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /// Makes a group.
  ///
  /// @param most the most processes and threads in it
  public static PidsGroup make(Path parent, int most) throws IOException {
    var folder = Files.createDirectory(parent.resolve("superstep-" + UUID.randomUUID()));
    // One more, for the thread that starts the first.
    Files.writeString(folder.resolve("pids.max"), String.valueOf(most + 1));
    return new PidsGroup(folder, parent);
  }

  /// Membership of a thread for a moment. One thread.
  record Membership(SystemCalls calls, MemorySegment state, MemorySegment self, long in, long out) {
    void enter() throws IOException {
      Libc.must("entering the group of processes", state, calls.of("write"), in, self.address(), 1);
    }

    void leave() {
      Libc.call(state, calls.of("write"), out, self.address(), 1);
    }

    void close() {
      leave();
      Libc.call(state, calls.of("close"), in);
      Libc.call(state, calls.of("close"), out);
    }
  }

  Membership join(Arena memory, SystemCalls calls) throws IOException {
    var state = Libc.state(memory);
    long in = open(memory, calls, folder.resolve("tasks"));
    long out = open(memory, calls, before.resolve("tasks"));
    return new Membership(calls, state, Libc.text(memory, "0"), in, out);
  }

  private static long open(Arena memory, SystemCalls calls, Path file) throws IOException {
    var name = Libc.text(memory, file.toString());
    return Libc.must(
        "open of " + file,
        Libc.state(memory),
        calls.of("openat"),
        AT_FDCWD,
        name.address(),
        O_WRONLY_CLOEXEC,
        0);
  }

  /// Lets no member start another process.
  public void freeze() {
    try {
      Files.writeString(folder.resolve("pids.max"), "0");
    } catch (IOException _) {
      return; // it is removed already
    }
  }

  /// Kills all members and removes the group.
  ///
  /// @return how many members there were
  public int end() throws IOException {
    int most = 0;
    freeze();
    for (int round = 0; round < ROUNDS_MAX; round++) {
      int found = each(PidsGroup::kill);
      most = Math.max(most, found);
      if (found == 0) break;
      Thread.onSpinWait();
    }
    remove();
    return most;
  }

  private int each(LongConsumer what) throws IOException {
    long self = ProcessHandle.current().pid();
    int count = 0;
    for (var line : Files.readAllLines(folder.resolve("cgroup.procs"))) {
      long pid = Long.parseLong(line.strip());
      // The thread that starts a process makes this one a member for a moment.
      if (pid == self || pid <= 1) continue;
      what.accept(pid);
      count++;
    }
    return count;
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  /// What has been killed is a member until the kernel is done with it.
  private void remove() throws IOException {
    for (int i = 0; ; i++) {
      try {
        Files.delete(folder);
        return;
      } catch (IOException e) {
        if (i == REMOVALS_MAX) throw e;
        Thread.yield();
      }
    }
  }
}
