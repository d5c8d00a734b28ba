package dev.superstep.repl;

import dev.superstep.language.Source;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.builtin.Attributes;
import dev.superstep.repl.internal.builtin.Builtins;
import dev.superstep.repl.internal.node.Machine;
import dev.superstep.repl.internal.value.CellValue;
import dev.superstep.repl.internal.value.Meter;
import dev.superstep.repl.internal.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A session: cells come in, results go out, variables stay. It knows no terminal and reaches
/// nothing but what its [Capabilities] grant.
///
/// A cell that fails leaves the variables as they were set before it failed. Cells of a session run
/// one at a time, each on a thread of its own with a stack that is deep enough; the caller waits,
/// and interrupts the cell when its time is over. Safe for use by several threads.
public final class ReplSession implements CellSession {
  private static final long STACK_BYTES = 512L << 20;
  private static final long GRACE_MILLIS = 20;

  private final ReplPolicy policy;
  private final SessionVariables variables = new SessionVariables();
  private final Map<String, Value> given = new LinkedHashMap<>();
  private final Machine machine;
  private final SessionFunctions functions;
  private final CellRunner runner;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Thread running;
  private volatile @Nullable CallDispatcher dispatcher;
  private int cells;

  private ReplSession(ReplPolicy policy, Capabilities host, LongSupplier nanos) {
    this.policy = policy;
    var limits = new Meter.Limits(policy.operations(), policy.memoryBytes(), policy.callDepth());
    this.machine = new Machine(limits, nanos, this::globals);
    var output = new Output(policy);
    this.functions = new SessionFunctions(output, variables, host);
    given.putAll(Builtins.all());
    given.putAll(functions.all());
    meter().begin(policy.cellTime().toNanos());
    host.variables().forEach((name, value) -> given.put(name, Crossing.in(meter(), value)));
    var reserved = host.reserved();
    reserved.addAll(SessionFunctions.NAMES);
    if (host.seed().isPresent()) reserved.add("rand");
    this.runner =
        new CellRunner(
            machine,
            variables,
            given,
            reserved,
            host.functions(),
            new CellRunner.Ends(output, functions, policy));
  }

  /// Opens a session with no variables but those that the host gives.
  public static ReplSession open(ReplPolicy policy, Capabilities host) {
    return new ReplSession(policy, host, System::nanoTime);
  }

  private List<? extends Value> globals() {
    var all = new ArrayList<Value>(variables.cells().values());
    all.addAll(given.values());
    return all;
  }

  private Meter meter() {
    return machine.meter();
  }

  /// Runs a cell and waits for it. Never throws for what the source does: that is in the result. An
  /// interrupt of the caller cancels the cell.
  public CellResult execute(String source) {
    lock.lock();
    try {
      functions.calls(HostCalls.DIRECT);
      var ran = start(Source.of("cell " + ++cells, source), () -> {});
      running = ran.thread();
      await(ran.thread());
      running = null;
      return ran.result();
    } finally {
      lock.unlock();
    }
  }

  /// Like [#execute], but functions of the host run on the calling thread, and their time is not
  /// the cell's: for hosts that need their own thread, such as a node of a graph. An [Error] of
  /// such a function, such as a suspension, ends the cell and is thrown.
  @Override
  public CellResult executeHere(String source) {
    lock.lock();
    try {
      var calls = new CallDispatcher();
      functions.calls(calls);
      dispatcher = calls;
      var ran = start(Source.of("cell " + ++cells, source), calls::end);
      boolean wasInterrupted = calls.serve(meter()::cancel);
      dispatcher = null;
      if (wasInterrupted) Thread.currentThread().interrupt();
      return ran.result();
    } finally {
      dispatcher = null;
      lock.unlock();
    }
  }

  /// A cell on its thread. What came of it is read when that has ended.
  private final class Ran {
    private final Source cell;
    private final Thread thread;
    private volatile @Nullable CellResult result;
    private volatile @Nullable Throwable failure;

    Ran(Source cell, Runnable end) {
      this.cell = cell;
      this.thread =
          Thread.ofPlatform()
              .name("ragsh " + cell.name())
              .daemon()
              .stackSize(STACK_BYTES)
              .unstarted(() -> run(end));
    }

    private void run(Runnable end) {
      try {
        result = runner.run(cell);
      } catch (Throwable e) {
        failure = e;
      } finally {
        end.run();
      }
    }

    Thread thread() {
      return thread;
    }

    CellResult result() {
      var found = result;
      if (found != null) return found;
      throw new IllegalStateException("the interpreter failed on " + cell.name(), failure);
    }
  }

  private Ran start(Source cell, Runnable end) {
    var ran = new Ran(cell, end);
    ran.thread().start();
    return ran;
  }

  /// Waits for the end of a cell. What it waits for itself is interrupted when its time is over or
  /// the caller is.
  private void await(Thread thread) {
    boolean wasInterrupted = false;
    var wait = policy.cellTime().plusMillis(GRACE_MILLIS);
    while (true) {
      try {
        if (thread.join(wait)) break;
        thread.interrupt();
      } catch (InterruptedException _) {
        wasInterrupted = true;
        meter().cancel();
        thread.interrupt();
      }
      wait = Duration.ofMillis(GRACE_MILLIS);
    }
    if (wasInterrupted) Thread.currentThread().interrupt();
  }

  /// Ends the cell that runs and every later one, until [#resume]. Any thread may call it.
  public void cancel() {
    meter().cancel();
    var thread = running;
    if (thread != null) thread.interrupt();
    var calls = dispatcher;
    if (calls != null) calls.stop();
  }

  /// Takes a cancel back: cells run again, with the variables as they are.
  public void resume() {
    meter().resume();
  }

  @Override
  public void close() {
    cancel();
  }

  /// The variables of the session, without their values.
  @Override
  public List<CellResult.Variable> variables() {
    lock.lock();
    try {
      return variables.all();
    } finally {
      lock.unlock();
    }
  }

  /// Puts another value in the place of a variable of the host, for the cells that follow.
  /// Functions that were defined before keep the value that they had.
  ///
  /// @throws IllegalArgumentException if the host gave no such variable
  public void give(String name, HostValue value) {
    lock.lock();
    try {
      if (!given.containsKey(name)) {
        throw new IllegalArgumentException("the host gave no variable `" + name + "`");
      }
      meter().begin(policy.cellTime().toNanos());
      given.put(name, Crossing.in(meter(), value));
    } finally {
      lock.unlock();
    }
  }

  /// All names that a cell can use: its variables, functions of the host, builtins, modules.
  public Set<String> names() {
    lock.lock();
    try {
      var all = new TreeSet<>(given.keySet());
      for (var variable : variables.all()) all.add(variable.name());
      return all;
    } finally {
      lock.unlock();
    }
  }

  /// The names that can stand behind the dot of a variable or a module; none if it is unknown.
  public Set<String> members(String name) {
    lock.lock();
    try {
      var cell = variables.cells().get(name);
      var own = cell == null ? null : cell.value;
      var value = own == null ? given.get(name) : own;
      return value == null ? Set.of() : Attributes.names(value);
    } finally {
      lock.unlock();
    }
  }

  Map<String, CellValue> cells() {
    return variables.cells();
  }

  @Override
  public String toString() {
    return "ReplSession[" + cells + " cells]";
  }
}
