package dev.superstep.sandbox;

import java.util.function.BooleanSupplier;

/// Runs commands as child processes that are confined as strictly as each asks for.
///
/// ```java
/// var sandbox = Sandbox.open();
/// var result = sandbox.run(SandboxCommand.of(Tier.LANDLOCK, project, "make").writing(project));
/// ```
///
/// Safe for many threads.
public final class Sandbox {
  private final SandboxProbe machine;

  private Sandbox(SandboxProbe machine) {
    this.machine = machine;
  }

  /// A sandbox with what this machine can hold.
  public static Sandbox open() {
    return open(probe());
  }

  /// A sandbox with what a probe of this machine has found.
  public static Sandbox open(SandboxProbe probe) {
    return new Sandbox(probe);
  }

  /// Tries what this machine can hold. Takes some tenths of a second.
  public static SandboxProbe probe() {
    throw new UnsupportedOperationException("the sandbox is being written");
  }

  /// What this machine can hold.
  public SandboxProbe machine() {
    return machine;
  }

  /// Runs a command and waits for its end. A non-zero exit code is a result, not an error.
  ///
  /// @throws SandboxError.TierUnavailable if its tier cannot be held here
  /// @throws SandboxError.NotStarted if its program cannot be started
  /// @throws InterruptedException if this thread is interrupted; the command is then killed
  public SandboxResult run(SandboxCommand command) throws InterruptedException {
    return run(command, () -> false);
  }

  /// Runs a command until it ends, or until its caller no longer wants it.
  ///
  /// @param isCancelled asked many times a second; the result then has what was written until then
  public SandboxResult run(SandboxCommand command, BooleanSupplier isCancelled)
      throws InterruptedException {
    throw new UnsupportedOperationException("the sandbox is being written");
  }

  /// Starts a command and hands out its streams, for a program that answers requests.
  ///
  /// @throws SandboxError.TierUnavailable if its tier cannot be held here
  /// @throws SandboxError.NotStarted if its program cannot be started
  public SandboxProcess start(SandboxCommand command) throws InterruptedException {
    throw new UnsupportedOperationException("the sandbox is being written");
  }

  /// A hash of everything that would confine a command here: its tier, the means that the machine
  /// has for it, the paths, the limits, the hosts. It is the same for commands with other words, and
  /// differs if the machine changes.
  public String policyHash(SandboxCommand command) {
    throw new UnsupportedOperationException("the sandbox is being written");
  }
}
