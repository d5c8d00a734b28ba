package dev.superstep.sandbox.internal.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/// The processes that a confined thread has started: all that it may signal, wherever they went to,
/// where Landlock lets its signals reach no others. Made before the thread is confined, since it
/// could not open the list of processes afterwards. One thread.
final class OwnProcesses {
  /// The number of processes where nobody has looked.
  static final int UNKNOWN = -1;

  private static final int KILL = 9;
  private static final int ROUNDS_MAX = 10_000;
  private static final short POLLIN = 1;

  private final SystemCalls calls;
  private final MemorySegment state;
  private final MemorySegment poll;
  private final MemorySegment now;
  private final ProcessList list;
  private final LongPredicate isSignalled;
  private final long outsider;
  private boolean isHeld;

  OwnProcesses(Arena memory, SystemCalls calls) throws IOException {
    this.calls = calls;
    this.state = Libc.state(memory);
    this.poll = memory.allocate(8, 8);
    this.now = memory.allocate(16, 8);
    this.list = new ProcessList(memory, calls);
    this.isSignalled = this::isSignalled; // made now: a confined thread loads no code
    this.outsider = outsider();
  }

  /// The parent of this program, if this thread may signal it while it is not confined; else 0.
  private long outsider() {
    long parent = Libc.call(state, calls.of("getppid"));
    return parent > 0 && list.mayBeSignalled(parent) ? parent : 0;
  }

  /// Looks, after the thread is confined and before it starts something, whether its signals reach
  /// no others. One process that they did reach before tells that, else all are asked.
  void check() {
    isHeld =
        outsider > 0
            ? Libc.call(state, calls.of("kill"), outsider, 0) == -Libc.EPERM
            : signalled() == 0;
  }

  /// Kills them all, only if it was seen that this reaches no others. One call ends them at once,
  /// so that not one of them can start another meanwhile.
  ///
  /// @return how many there were, or [#UNKNOWN]
  @SuppressWarnings("ThreadPriorityCheck") // a hint only: it looks again in any case
  int end() {
    if (!isHeld) return UNKNOWN;
    int found = signalled();
    int left = found;
    for (int round = 0; round < ROUNDS_MAX && left > 0; round++) {
      Libc.call(state, calls.of("kill"), -1, KILL);
      Thread.yield(); // the kernel takes a moment to be done with them
      left = signalled();
    }
    return left == 0 ? found : UNKNOWN;
  }

  /// The number of running processes beside this one that this thread may signal, without doing so.
  private int signalled() {
    return list.count(isSignalled);
  }

  private boolean isSignalled(long pid) {
    return list.mayBeSignalled(pid) && isRunning(pid);
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

  void close() {
    list.close();
  }
}
