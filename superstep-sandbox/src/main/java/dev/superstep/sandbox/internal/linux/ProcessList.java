package dev.superstep.sandbox.internal.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongPredicate;

/// The list of processes of the system, opened once, for looks that are quick and need no other
/// file. One thread.
public final class ProcessList implements AutoCloseable {
  private static final int O_DIRECTORY_CLOEXEC = 0x90000;
  private static final int O_DIRECTORY_ARM = 0x84000;
  private static final int AT_FDCWD = -100;
  private static final int BUFFER_BYTES = 32_768;
  private static final int NAME_OFFSET = 19;
  private static final int LENGTH_OFFSET = 16;

  private static final int LINKS = 0x4;
  private static final int STAT_BYTES = 256;
  private static final int STAT_LINKS = 16;
  private static final int LINKS_OF_NO_THREAD = 2;

  private final SystemCalls calls;
  private final MemorySegment state;
  private final MemorySegment buffer;
  private final MemorySegment stat;
  private final MemorySegment name;
  private final long folder;
  private final long self = ProcessHandle.current().pid();

  ProcessList(Arena memory, SystemCalls calls) throws IOException {
    this.calls = calls;
    this.state = Libc.state(memory);
    this.buffer = memory.allocate(BUFFER_BYTES, 8);
    this.stat = memory.allocate(STAT_BYTES, 8);
    this.name = memory.allocate(64);
    this.folder =
        Libc.must(
            "open of /proc",
            state,
            calls.of("openat"),
            AT_FDCWD,
            Libc.text(memory, "/proc").address(),
            calls.hasX32() ? O_DIRECTORY_CLOEXEC : O_DIRECTORY_ARM,
            0);
  }

  /// The number of threads of this user, whoever started them; the kernel limits these.
  public static long threadsOfUser(SystemCalls calls) {
    try (var memory = Arena.ofConfined();
        var list = new ProcessList(memory, calls)) {
      return list.threadsOfUser();
    } catch (IOException _) {
      return 0; // the limit is the lower for it
    }
  }

  private long threadsOfUser() {
    var threads = new long[] {threads("self")};
    count(pid -> {
      // Only root may signal those of others, and for root there is no such limit.
      boolean isOfUser = mayBeSignalled(pid);
      if (isOfUser) threads[0] += threads(String.valueOf(pid));
      return isOfUser;
    });
    return threads[0];
  }

  /// Returns whether this thread may send it signals, without doing so.
  boolean mayBeSignalled(long pid) {
    return Libc.call(state, calls.of("kill"), pid, 0) == 0;
  }

  /// The number of threads of a process: each has a folder, which is a link to the one above.
  private long threads(String process) {
    name.setString(0, process + "/task");
    long statx = calls.of("statx");
    long done = Libc.call(state, statx, folder, name.address(), 0, LINKS, stat.address());
    return done < 0 ? 0 : Libc.int32(stat, STAT_LINKS) - LINKS_OF_NO_THREAD;
  }

  /// The number of processes beside this one that are as wanted.
  int count(LongPredicate isWanted) {
    int count = 0;
    Libc.call(state, calls.of("lseek"), folder, 0, 0);
    while (true) {
      long read = Libc.call(state, calls.of("getdents64"), folder, buffer.address(), BUFFER_BYTES);
      if (read <= 0) return count;
      for (long at = 0; at < read; at += length(at)) {
        long pid = number(at + NAME_OFFSET);
        if (pid > 0 && pid != self && isWanted.test(pid)) count++;
      }
    }
  }

  private int length(long at) {
    return Short.toUnsignedInt(buffer.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + LENGTH_OFFSET));
  }

  /// The number that a name is, or 0 if it is none.
  private long number(long at) {
    long number = 0;
    for (long i = at; ; i++) {
      byte digit = Libc.int8(buffer, i);
      if (digit == 0) return number;
      if (digit < '0' || digit > '9') return 0;
      number = number * 10 + digit - '0';
    }
  }

  @Override
  public void close() {
    Libc.call(state, calls.of("close"), folder);
  }
}
