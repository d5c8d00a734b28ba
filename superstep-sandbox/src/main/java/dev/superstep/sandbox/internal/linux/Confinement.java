package dev.superstep.sandbox.internal.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Landlock and a filter of system calls, put on a thread for the rest of its life. Everything is
/// prepared first; [#enter] then makes nothing but system calls. One thread.
public final class Confinement {
  private static final int PR_CAPBSET_DROP = 24;
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int PR_CAP_AMBIENT = 47;
  private static final int CLEAR_ALL = 4;
  private static final int CAPABILITY_LAST = 63;
  private static final int CAPABILITY_VERSION_3 = 0x20080522;
  private static final int SECCOMP_SET_MODE_FILTER = 1;

  /// With this one root can still write in a workspace of another user. Landlock holds the rest.
  private static final int CAP_DAC_OVERRIDE = 1;

  private final SystemCalls calls;
  private final MemorySegment state;
  private final long rules;
  private final MemorySegment filter;
  private final MemorySegment header;
  private final MemorySegment capabilities;
  private final boolean isRoot;
  private final int version;

  private Confinement(Arena memory, SystemCalls calls, long rules, Plan plan) {
    this.calls = calls;
    this.state = Libc.state(memory);
    this.rules = rules;
    this.filter = program(memory, plan.filter());
    this.header = memory.allocate(8, 4);
    this.capabilities = memory.allocate(24, 4);
    this.isRoot = plan.isRoot();
    this.version = plan.rules().version();
    header.set(JAVA_INT, 0, CAPABILITY_VERSION_3);
    if (isRoot) {
      capabilities.set(JAVA_INT, 0, 1 << CAP_DAC_OVERRIDE);
      capabilities.set(JAVA_INT, 4, 1 << CAP_DAC_OVERRIDE);
    }
  }

  /// A confinement that can be prepared for a thread.
  public record Plan(LandlockRules rules, SyscallFilter filter, boolean isRoot) {}

  /// Prepares what the thread will enter.
  ///
  /// @param rules the descriptor of the rules of the plan, which [#close] closes
  static Confinement prepare(Arena memory, SystemCalls calls, long rules, Plan plan) {
    return new Confinement(memory, calls, rules, plan);
  }

  private static MemorySegment program(Arena memory, SyscallFilter filter) {
    int size = filter.instructions().size();
    var code = memory.allocate(8L * size, 8);
    for (int i = 0; i < size; i++) {
      code.setAtIndex(JAVA_LONG, i, filter.instructions().get(i));
    }
    var program = memory.allocate(16, 8);
    program.set(JAVA_SHORT, 0, (short) size);
    program.set(ADDRESS, 8, code);
    return program;
  }

  /// Confines this thread. What fails leaves it half confined: it must start nothing then.
  void enter() throws IOException {
    int prctl = calls.of("prctl");
    Libc.must("prctl(NO_NEW_PRIVS)", state, prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    dropCapabilities(prctl);
    Libc.must("landlock_restrict_self", state, calls.of("landlock_restrict_self"), rules, 0);
    Libc.must("seccomp", state, calls.of("seccomp"), SECCOMP_SET_MODE_FILTER, 0, filter.address());
  }

  private void dropCapabilities(int prctl) throws IOException {
    for (int one = 0; isRoot && one <= CAPABILITY_LAST; one++) {
      if (one == CAP_DAC_OVERRIDE) continue;
      // The kernel knows no more of them.
      if (Libc.call(state, prctl, PR_CAPBSET_DROP, one, 0, 0, 0) == -Libc.EINVAL) break;
    }
    Libc.call(state, prctl, PR_CAP_AMBIENT, CLEAR_ALL, 0, 0, 0);
    Libc.must("capset", state, calls.of("capset"), header.address(), capabilities.address());
  }

  /// Returns whether signals of this thread reach those alone that it has started, by the rules.
  boolean holdsSignals() {
    return version >= LandlockRules.SIGNALS;
  }

  /// Gives back what [#enter] has used.
  void close() {
    Libc.call(state, calls.of("close"), rules);
  }
}
