package dev.superstep.sandbox;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Runs commands as child processes that are confined as strictly as each asks for.
///
/// ```java
/// var sandbox = Sandbox.open();
/// var result = sandbox.run(SandboxCommand.of(Tier.LANDLOCK, project, "make").writing(project));
/// ```
///
/// A command runs in the tier that it names or not at all. Start Java with
/// `--enable-native-access=ALL-UNNAMED` (on the module path:
/// `--enable-native-access=dev.superstep.sandbox`); without it [Tier#LANDLOCK] is not available,
/// and nothing warns. Safe for many threads.
public final class Sandbox {
  private final Machine machine;
  private final @Nullable SandboxProbe probe;
  private final Launcher launcher;

  /// @param probe null for one that is about to probe
  Sandbox(Machine machine, @Nullable SandboxProbe probe) {
    this.machine = machine;
    this.probe = probe;
    this.launcher = new Launcher(machine);
  }

  private static final class ThisMachine {
    static final SandboxProbe PROBE = probed();

    private static SandboxProbe probed() {
      try {
        return probe();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while this machine was probed", e);
      }
    }
  }

  /// A sandbox with what this machine can hold, which is probed the first time.
  public static Sandbox open() {
    return open(ThisMachine.PROBE);
  }

  /// A sandbox with what a probe of this machine has found.
  public static Sandbox open(SandboxProbe probe) {
    return new Sandbox(Machine.current(), probe);
  }

  /// A sandbox for [Tier#PROCESS] alone, which needs no probe.
  public static Sandbox processesOnly() {
    var none = List.of("it was not probed; use Sandbox.open()");
    var reports = new ArrayList<SandboxProbe.TierReport>();
    for (var tier : Tier.values()) {
      boolean isFirst = tier == Tier.PROCESS;
      reports.add(
          new SandboxProbe.TierReport(
              tier, isFirst, List.of(), List.of(), List.of(), isFirst ? List.of() : none));
    }
    return open(new SandboxProbe(System.getProperty("os.name"), reports));
  }

  /// Tries what this machine can hold. Takes some tenths of a second.
  public static SandboxProbe probe() throws InterruptedException {
    return new MachineProbe(Machine.current()).run();
  }

  /// The tiers that this machine can hold.
  public SandboxProbe machine() {
    if (probe == null) throw new IllegalStateException("it is being probed");
    return probe;
  }

  /// Checks that commands can run in a tier here.
  ///
  /// @throws SandboxError.TierUnavailable if not
  public void require(Tier tier) {
    if (machine().isAvailable(tier)) return;
    throw new SandboxError.TierUnavailable(tier, machine().of(tier).missing());
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
    requireTier(command);
    return runUnchecked(command, isCancelled);
  }

  SandboxResult runUnchecked(SandboxCommand command, BooleanSupplier isCancelled)
      throws InterruptedException {
    var before = ProtectedSnapshot.of(command);
    try {
      return CapturedRun.of(command, launch(command), before, isCancelled);
    } catch (IOException e) {
      throw notStarted(command, e);
    }
  }

  /// Starts a command and hands out its streams, for a program that answers requests. Close it.
  ///
  /// @throws SandboxError.TierUnavailable if its tier cannot be held here
  /// @throws SandboxError.NotStarted if its program cannot be started
  public SandboxProcess start(SandboxCommand command) throws InterruptedException {
    requireTier(command);
    try {
      var process = launch(command);
      process.limitTime(command.timeout());
      return process;
    } catch (IOException e) {
      throw notStarted(command, e);
    }
  }

  private RunningProcess launch(SandboxCommand command) throws IOException, InterruptedException {
    var launch = launcher.prepare(command);
    try {
      return new RunningProcess(launch, launch.start(machine, command.limits().processes()));
    } catch (IOException | RuntimeException | InterruptedException e) {
      launch.cleanup().run();
      throw e;
    }
  }

  private static SandboxError.NotStarted notStarted(SandboxCommand command, IOException e) {
    return new SandboxError.NotStarted(
        command.words().getFirst(), String.valueOf(e.getMessage()), e);
  }

  private void requireTier(SandboxCommand command) {
    var tier = command.tier();
    var missing = new ArrayList<String>(machine().of(tier).missing());
    if (command.relay().isPresent()) {
      if (tier != Tier.BUBBLEWRAP) missing.add("a network by relay needs " + Tier.BUBBLEWRAP);
      else if (!RelayBridge.isAvailable(machine)) missing.add(RelayBridge.missing());
    }
    if (command.isMetadataLocked() && tier == Tier.PROCESS) {
      missing.add("metadata cannot be locked in " + Tier.PROCESS);
    }
    if (!missing.isEmpty() || !machine().isAvailable(tier)) {
      throw new SandboxError.TierUnavailable(tier, missing);
    }
  }

  /// A hash of everything that would confine a command here: its tier, the means that the machine
  /// has for it, the paths, the limits, the hosts. It is the same for commands with other words,
  /// and differs if the machine changes.
  public String policyHash(SandboxCommand command) {
    return PolicyText.hash(command, machine());
  }

  @Override
  public String toString() {
    return "Sandbox[" + probe + "]";
  }
}
