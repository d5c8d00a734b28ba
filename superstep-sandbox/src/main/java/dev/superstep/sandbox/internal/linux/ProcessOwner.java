package dev.superstep.sandbox.internal.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/// The thread that starts a process and waits for it. After it is confined it makes system calls
/// and touches memory that it already has, nothing else: it could not load a class.
final class ProcessOwner implements Runnable {
  private static final short SETSIGDEF_SETSIGMASK_SETSID = 0x04 | 0x08 | 0x80;
  private static final int ATTRIBUTES_BYTES = 1024; // more than any C library takes
  private static final int SIGNALS_BYTES = 128;

  private final SystemCalls calls;
  private final NativeProcess.Order order;
  private final Pipes pipes;
  private final NativeProcess process;
  private final CompletableFuture<Long> rules = new CompletableFuture<>();

  ProcessOwner(SystemCalls calls, NativeProcess.Order order, Pipes pipes, NativeProcess process) {
    this.calls = calls;
    this.order = order;
    this.pipes = pipes;
    this.process = process;
  }

  /// Functions of the C library that start processes.
  private static final class Spawn {
    static final MethodHandle SPAWN = of("posix_spawn", 6);
    static final MethodHandle ACTIONS_INIT = of("posix_spawn_file_actions_init", 1);
    static final MethodHandle CHDIR = of("posix_spawn_file_actions_addchdir_np", 2);
    static final MethodHandle ATTRIBUTES_INIT = of("posix_spawnattr_init", 1);
    static final MethodHandle SET_MASK = of("posix_spawnattr_setsigmask", 2);
    static final MethodHandle SET_DEFAULT = of("posix_spawnattr_setsigdefault", 2);
    static final MethodHandle FILL = of("sigfillset", 1);
    static final MethodHandle DELETE_ACTIONS = of("posix_spawn_file_actions_destroy", 1);

    static final MethodHandle SET_FLAGS =
        Libc.handle(
            "posix_spawnattr_setflags", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_SHORT));

    static final MethodHandle DUP =
        Libc.handle(
            "posix_spawn_file_actions_adddup2",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

    static final MethodHandle CLOSE_FROM =
        Libc.handle(
            "posix_spawn_file_actions_addclosefrom_np",
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

    private static MethodHandle of(String name, int pointers) {
      var types = new java.lang.foreign.MemoryLayout[pointers];
      java.util.Arrays.fill(types, ADDRESS);
      return Libc.handle(name, FunctionDescriptor.of(JAVA_INT, types));
    }
  }

  /// Makes the rules of the confinement, on the thread that has asked for the process.
  void makeRules() {
    var plan = order.plan();
    if (plan.isEmpty()) return;
    try (var memory = Arena.ofConfined()) {
      rules.complete(plan.orElseThrow().rules().create(memory, calls));
    } catch (IOException | RuntimeException | Error e) {
      rules.completeExceptionally(e); // the owner says so
    }
  }

  private long takeRules() throws IOException {
    try {
      return rules.join();
    } catch (CompletionException e) {
      var cause = e.getCause();
      throw new IOException(cause == null ? "no rules" : String.valueOf(cause.getMessage()), e);
    }
  }

  /// Closes rules that were not taken, also those that are still being made.
  private void leaveRules() {
    var _ =
        rules.thenAccept(made -> {
          try (var memory = Arena.ofConfined()) {
            Libc.call(memory, calls.of("close"), made);
          }
        });
  }

  @Override
  public void run() {
    try (var memory = Arena.ofConfined()) {
      start(memory);
    } catch (IOException e) {
      process.reportFailure(e);
    } catch (RuntimeException | Error e) {
      process.reportFailure(new IOException("the process could not be started", e));
    }
  }

  private void start(Arena memory) throws IOException {
    PidsGroup.Membership membership = null;
    Confinement confinement = null;
    OwnProcesses others = null;
    try {
      var spawn = prepare(memory);
      var group = order.group();
      var plan = order.plan();
      if (group != null) membership = group.join(memory, calls);
      if (plan.isPresent()) {
        confinement = Confinement.prepare(memory, calls, takeRules(), plan.orElseThrow());
        // A group knows all processes of a confined command, so there is nothing to look for.
        boolean mustLook = group == null && confinement.holdsSignals();
        if (mustLook) others = new OwnProcesses(memory, calls);
      }
      int pid;
      try {
        if (membership != null) membership.enter();
        if (confinement != null) confinement.enter();
        if (others != null) others.check();
        pid = spawn.start();
      } finally {
        if (membership != null) membership.leave();
      }
      process.reportStart(pid);
      int status = await(memory, pid);
      process.reportEnd(status, others == null ? OwnProcesses.UNKNOWN : others.end());
    } finally {
      if (membership != null) membership.close();
      if (confinement != null) confinement.close();
      else leaveRules();
      if (others != null) others.close();
    }
  }

  /// Memory and file actions of a process that is about to start.
  private record Prepared(
      MemorySegment pid,
      MemorySegment program,
      MemorySegment actions,
      MemorySegment attributes,
      MemorySegment words,
      MemorySegment variables,
      String name) {
    int start() throws IOException {
      int error;
      try {
        error = (int) Spawn.SPAWN.invokeExact(pid, program, actions, attributes, words, variables);
        var _ = (int) Spawn.DELETE_ACTIONS.invokeExact(actions);
      } catch (Throwable e) {
        throw new IllegalStateException("a native call threw", e);
      }
      if (error != 0) throw new Libc.CallFailed("start of " + name, error);
      return pid.get(JAVA_INT, 0);
    }
  }

  private Prepared prepare(Arena memory) throws IOException {
    var actions = memory.allocate(ATTRIBUTES_BYTES, 16);
    var attributes = memory.allocate(ATTRIBUTES_BYTES, 16);
    var signals = memory.allocate(SIGNALS_BYTES, 8);
    try {
      check((int) Spawn.ACTIONS_INIT.invokeExact(actions));
      for (int i = 0; i < 3; i++) {
        check((int) Spawn.DUP.invokeExact(actions, pipes.ofChild(i), i));
      }
      check(
          (int) Spawn.CHDIR.invokeExact(actions, Libc.text(memory, order.directory().toString())));
      int first = 3;
      if (order.passed() != null) {
        int filled = pipes.filled(order.passed().bytes());
        check((int) Spawn.DUP.invokeExact(actions, filled, first++));
      }
      check((int) Spawn.CLOSE_FROM.invokeExact(actions, first));
      check((int) Spawn.ATTRIBUTES_INIT.invokeExact(attributes));
      check((int) Spawn.SET_MASK.invokeExact(attributes, signals));
      check((int) Spawn.FILL.invokeExact(signals));
      check((int) Spawn.SET_DEFAULT.invokeExact(attributes, signals));
      check((int) Spawn.SET_FLAGS.invokeExact(attributes, SETSIGDEF_SETSIGMASK_SETSID));
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("a native call threw", e);
    }
    return new Prepared(
        memory.allocate(JAVA_INT),
        Libc.text(memory, order.program().toString()),
        actions,
        attributes,
        Libc.texts(memory, order.words()),
        Libc.texts(memory, order.variables()),
        order.words().getFirst());
  }

  private static void check(int error) throws IOException {
    if (error != 0) throw new Libc.CallFailed("posix_spawn", error);
  }

  private int await(Arena memory, int pid) {
    var state = Libc.state(memory);
    var status = memory.allocate(JAVA_INT);
    long waited;
    do {
      waited = Libc.call(state, calls.of("wait4"), pid, status.address(), 0, 0);
    } while (waited == -Libc.EINTR);
    return status.get(JAVA_INT, 0);
  }

  /// Loads what a confined owner uses.
  static String missingFunctions() {
    try {
      return Spawn.SPAWN.type().parameterCount() == 6 ? "" : "posix_spawn";
    } catch (ExceptionInInitializerError | NoClassDefFoundError _) {
      return "the C library lacks a function to start processes by (glibc has them from 2.34 on)";
    }
  }
}
