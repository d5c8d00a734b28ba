package dev.superstep.sandbox.internal.linux;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// A control group that limits how many processes a command has at once, and that knows all of
/// them. The thread that starts the command is a member for that moment, so that no process of it
/// is ever outside. Safe for many threads.
public final class PidsGroup {
  private static final int O_WRONLY_CLOEXEC = 0x80001;
  private static final int AT_FDCWD = -100;
  private static final int QUICK_ROUNDS = 20;
  private static final long PAUSE_NANOS = 200_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /// Groups without members that the kernel would not remove yet.
  private static final Queue<Path> EMPTY = new ConcurrentLinkedQueue<>();

  private final PidsHierarchy hierarchy;
  private final Path folder;

  private PidsGroup(PidsHierarchy hierarchy, Path folder) {
    this.hierarchy = hierarchy;
    this.folder = folder;
  }

  /// Makes a group.
  ///
  /// @param most the most processes and threads in it
  public static PidsGroup make(PidsHierarchy hierarchy, int most) throws IOException {
    if (!EMPTY.isEmpty()) EMPTY.removeIf(PidsGroup::isRemoved);
    var folder = Files.createDirectory(hierarchy.own().resolve("superstep-" + UUID.randomUUID()));
    try {
      if (hierarchy.version() == 2) {
        PidsHierarchy.write(folder.resolve("cgroup.type"), "threaded");
      }
      // One more, for the thread that starts the first.
      PidsHierarchy.write(folder.resolve(hierarchy.limit()), String.valueOf(most + 1));
    } catch (IOException e) {
      Files.deleteIfExists(folder);
      throw e;
    }
    return new PidsGroup(hierarchy, folder);
  }

  /// Membership of a thread for a moment. One thread.
  record Membership(SystemCalls calls, MemorySegment state, MemorySegment self, long in, long out) {
    void enter() throws IOException {
      Libc.must("entering the group of processes", state, calls.of("write"), in, self.address(), 1);
    }

    boolean leave() {
      return Libc.call(state, calls.of("write"), out, self.address(), 1) == 1;
    }

    void close() {
      Libc.call(state, calls.of("close"), in);
      Libc.call(state, calls.of("close"), out);
    }
  }

  /// Returns whether a thread could enter it and leave it again.
  boolean canHoldThreads(SystemCalls calls) throws InterruptedException {
    var isGood = new AtomicBoolean();
    var thread =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try (var memory = Arena.ofConfined()) {
                var membership = join(memory, calls);
                try {
                  membership.enter();
                  isGood.set(membership.leave());
                } finally {
                  membership.close();
                }
              } catch (IOException _) {
                isGood.set(false);
              }
            });
    thread.join();
    return isGood.get();
  }

  Membership join(Arena memory, SystemCalls calls) throws IOException {
    var state = Libc.state(memory);
    long in = open(memory, calls, folder.resolve(hierarchy.threads()));
    long out;
    try {
      out = open(memory, calls, hierarchy.own().resolve(hierarchy.threads()));
    } catch (IOException e) {
      Libc.call(state, calls.of("close"), in);
      throw e;
    }
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
      PidsHierarchy.write(folder.resolve(hierarchy.limit()), "0");
    } catch (IOException _) {
      return; // it is removed already
    }
  }

  /// Kills all members and removes the group.
  ///
  /// @return how many members there were
  public int end() throws IOException {
    // The kernel removes none that has members, so one call tells that there are none.
    if (isRemoved(folder)) return 0;
    freeze();
    long began = System.nanoTime();
    int most = 0;
    for (int round = 0; ; round++) {
      int found = killMembers();
      most = Math.max(most, found);
      if (found == 0 && isRemoved(folder)) return most;
      if (System.nanoTime() - began > PATIENCE.toNanos()) return give(found, most);
      pause(round);
    }
  }

  private int give(int found, int most) throws IOException {
    if (found > 0) throw new IOException(found + " processes of a command cannot be killed");
    EMPTY.add(folder);
    return most;
  }

  /// A killed process is a member until the kernel is done with it, which takes a moment, and more
  /// where processors are busy.
  @SuppressWarnings("ThreadPriorityCheck") // a hint only: it looks again in any case
  private static void pause(int round) {
    if (round < QUICK_ROUNDS) Thread.yield();
    else LockSupport.parkNanos(PAUSE_NANOS);
  }

  private int killMembers() throws IOException {
    int count = 0;
    // Not by a channel: those do not read for a thread that is interrupted.
    try (var in = new FileInputStream(folder.resolve(hierarchy.members()).toFile())) {
      var text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      for (var line : text.lines().toList()) {
        long one = Long.parseLong(line.strip());
        if (one <= 1 || isOwn(one)) continue;
        ProcessHandle.of(one).ifPresent(ProcessHandle::destroyForcibly);
        count++;
      }
    }
    return count;
  }

  /// The thread that starts a process makes this one a member for a moment.
  private static boolean isOwn(long one) {
    return one == ProcessHandle.current().pid()
        || Files.exists(Path.of("/proc/self/task", String.valueOf(one)));
  }

  private static boolean isRemoved(Path folder) {
    try {
      Files.delete(folder);
      return true;
    } catch (NoSuchFileException _) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
