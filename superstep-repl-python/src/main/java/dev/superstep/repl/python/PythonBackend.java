package dev.superstep.repl.python;

import dev.superstep.repl.CellSession;
import dev.superstep.repl.ReplPolicy;
import dev.superstep.repl.SessionBackend;
import dev.superstep.repl.host.Capabilities;
import dev.superstep.sandbox.ProcessLimits;
import dev.superstep.sandbox.Sandbox;
import dev.superstep.sandbox.SandboxError;
import dev.superstep.sandbox.Tier;
import java.time.Duration;

/// Runs the cells of a session in CPython, in a process of its own for each session. The process is
/// confined by [Tier#BUBBLEWRAP] or not started at all: it has no network, no files but the
/// system's programs and a private temporary folder in memory, and no variables of this process.
///
/// ```java
/// ReplAgent.named("reader").model(driver).backend(PythonBackend.sandboxed(Sandbox.open()))
/// ```
///
/// Cells call the same functions as in the built-in language, with the same counts, budgets, gates
/// and records. A limit kills the process; the next cell gets a fresh one, which is made from the
/// cells before. Python stops neither clocks nor chance: a cell whose result hangs on them cannot
/// be repeated, and that is reported. Operations are not counted. Immutable.
public final class PythonBackend implements SessionBackend {
  private static final int PROCESSES = 16;
  private static final long SCRATCH_BYTES = 16L << 20;
  private static final Duration LIFE = Duration.ofHours(1);

  private final Sandbox sandbox;
  private final PythonLimits limits;

  private PythonBackend(Sandbox sandbox, PythonLimits limits) {
    this.sandbox = sandbox;
    this.limits = limits;
  }

  /// Python in the strictest tier.
  ///
  /// @throws PythonUnavailable if this machine cannot hold that tier
  public static PythonBackend sandboxed(Sandbox sandbox) {
    try {
      sandbox.require(Tier.BUBBLEWRAP);
    } catch (SandboxError.TierUnavailable e) {
      throw new PythonUnavailable(e.missing(), e);
    }
    return new PythonBackend(sandbox, new PythonLimits(PROCESSES, SCRATCH_BYTES, LIFE));
  }

  /// Returns a copy with another limit on the processes of a session at once, at least 8: the
  /// sandbox takes some. The limit of memory is for each of them.
  public PythonBackend withProcesses(int most) {
    if (most < 8) throw new IllegalArgumentException("processes must be at least 8, was " + most);
    return new PythonBackend(sandbox, new PythonLimits(most, limits.scratchBytes(), limits.life()));
  }

  /// Returns a copy with another time after which a process is replaced; an hour unless set.
  public PythonBackend withLife(Duration most) {
    if (!most.isPositive()) throw new IllegalArgumentException("life must be positive");
    return new PythonBackend(
        sandbox, new PythonLimits(limits.processes(), limits.scratchBytes(), most));
  }

  @Override
  public String name() {
    return "python";
  }

  @Override
  public String language() {
    return "The language is Python 3 with its standard library, without network and files. `re`,"
        + " `json`, `math` and `text` are there.";
  }

  /// Opens a session. Its process is started by the first cell.
  @Override
  public CellSession open(ReplPolicy policy, Capabilities host) {
    return new PythonSession(new PythonStart(sandbox, limits, policy), policy, host);
  }

  /// The limits of the process that the policy of the session does not tell.
  record PythonLimits(int processes, long scratchBytes, Duration life) {
    ProcessLimits of(long memoryBytes) {
      return ProcessLimits.standard()
          .cpu(life.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : life)
          .fileBytes(scratchBytes)
          .processes(processes)
          .memoryBytes(memoryBytes)
          .scratchBytes(scratchBytes);
    }
  }

  @Override
  public String toString() {
    return "PythonBackend[" + limits + "]";
  }
}
