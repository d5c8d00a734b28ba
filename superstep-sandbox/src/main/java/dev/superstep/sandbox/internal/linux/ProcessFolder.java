package dev.superstep.sandbox.internal.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The list of processes of the system, opened while it may still be opened. One thread.
final class ProcessFolder {
  private static final int O_DIRECTORY_CLOEXEC = 0x90000;
  private static final int O_DIRECTORY_ARM = 0x84000;
  private static final int AT_FDCWD = -100;
  private static final short POLLIN = 1;
  private static final int BUFFER_BYTES = 32_768;
  private static final int NAME_OFFSET = 19;
  private static final int LENGTH_OFFSET = 16;

  private final SystemCalls calls;
  private final MemorySegment state;
  private final MemorySegment buffer;
  private final MemorySegment poll;
  private final MemorySegment now;
  private final long folder;
  private final long self = ProcessHandle.current().pid();

  ProcessFolder(Arena memory, SystemCalls calls) throws IOException {
    this.calls = calls;
    this.state = Libc.state(memory);
    this.buffer = memory.allocate(BUFFER_BYTES, 8);
    this.poll = memory.allocate(8, 8);
    this.now = memory.allocate(16, 8);
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

  /// The number of running processes beside this one that this thread may signal, without doing so.
  int signalled() {
    int count = 0;
    Libc.call(state, calls.of("lseek"), folder, 0, 0);
    while (true) {
      long read = Libc.call(state, calls.of("getdents64"), folder, buffer.address(), BUFFER_BYTES);
      if (read <= 0) return count;
      for (long at = 0; at < read; at += length(at)) {
        long pid = number(at + NAME_OFFSET);
        boolean isOurs = pid > 0 && pid != self && Libc.call(state, calls.of("kill"), pid, 0) == 0;
        if (isOurs && isRunning(pid)) count++;
      }
    }
  }

  /// Returns whether it has not ended: one that has, and that nobody has waited for, still takes
  /// signals.
  private boolean isRunning(long pid) {
    long opened = Libc.call(state, calls.of("pidfd_open"), pid, 0);
    if (opened < 0) return false;
    poll.set(JAVA_INT, 0, (int) opened);
    poll.set(JAVA_SHORT, 4, POLLIN);
    long ready = Libc.call(state, calls.of("ppoll"), poll.address(), 1, now.address(), 0, 0);
    Libc.call(state, calls.of("close"), opened);
    return ready == 0;
  }

  private int length(long at) {
    int low = Libc.int8(buffer, at + LENGTH_OFFSET) & 0xff;
    return low | (Libc.int8(buffer, at + LENGTH_OFFSET + 1) & 0xff) << 8;
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

  void close() {
    Libc.call(state, calls.of("close"), folder);
  }
}
