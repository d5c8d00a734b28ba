package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.process.OutputBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/// Runs a command to its end on the calling thread, which reads both outputs in turn without
/// blocking. So no thread stays blocked at a pipe that a descendant of the command keeps open. One
/// thread.
final class CapturedRun {
  private static final long LOOK_AGAIN_MOST = 5_000_000; // nanoseconds

  /// The first wait after there was output: a pipe holds little, so one that is emptied late holds
  /// up the command.
  private static final long LOOK_AGAIN_LEAST = 50_000;

  private static final long DRAIN_MAX = 16L << 20; // more than a pipe holds
  private static final int DIRECT_INPUT_BYTES = 4_096; // fits into a pipe, so writing never waits

  private final SandboxCommand command;
  private final RunningProcess process;
  private final ProtectedSnapshot before;
  private final OutputBuffer out;
  private final OutputBuffer err;
  private final long began = System.nanoTime();

  private CapturedRun(SandboxCommand command, RunningProcess process, ProtectedSnapshot before)
      throws IOException {
    this.command = command;
    this.process = process;
    this.before = before;
    var name = UUID.randomUUID();
    this.out = new OutputBuffer(process.output(), limits(command.output(), name + ".out"));
    this.err = new OutputBuffer(process.errors(), limits(command.output(), name + ".err"));
  }

  private static OutputBuffer.Limits limits(OutputLimits limits, String name) {
    Path file = limits.spool().map(folder -> folder.resolve(name)).orElse(null);
    return new OutputBuffer.Limits(
        limits.headBytes(), limits.tailBytes(), limits.spoolBytes(), file);
  }

  /// Waits for the end of a started command, or ends it.
  static SandboxResult of(
      SandboxCommand command,
      RunningProcess process,
      ProtectedSnapshot before,
      BooleanSupplier isCancelled)
      throws InterruptedException, IOException {
    try (process) {
      return new CapturedRun(command, process, before).result(isCancelled);
    }
  }

  private SandboxResult result(BooleanSupplier isCancelled)
      throws InterruptedException, IOException {
    feed();
    try (out;
        err) {
      long wait = LOOK_AGAIN_LEAST;
      while (true) {
        var why = reasonToEnd(isCancelled);
        if (why != null) {
          process.end(why);
          break;
        }
        boolean isSilent = !readAvailable();
        wait = isSilent ? Math.min(2 * wait, LOOK_AGAIN_MOST) : LOOK_AGAIN_LEAST;
        if (isSilent && process.awaitExit(wait)) break;
        if (Thread.interrupted()) throw new InterruptedException("while the command ran");
      }
      int orphans = process.finish();
      drain();
      var took = Duration.ofNanos(System.nanoTime() - began);
      return new SandboxResult(
          command.tier(),
          process.ended(),
          captured(out),
          captured(err),
          took,
          orphans,
          denials(),
          before.changed());
    }
  }

  private SandboxResult.@org.jspecify.annotations.Nullable Ended reasonToEnd(
      BooleanSupplier isCancelled) {
    var took = Duration.ofNanos(System.nanoTime() - began);
    if (took.compareTo(command.timeout()) >= 0) {
      return new SandboxResult.Ended.TimedOut(command.timeout());
    }
    long most = command.output().writtenBytes();
    if (out.bytes() > most || err.bytes() > most) {
      return new SandboxResult.Ended.OutputExceeded(most);
    }
    return isCancelled.getAsBoolean() ? new SandboxResult.Ended.Cancelled() : null;
  }

  /// Writes the input: on another thread, if a command that does not read could keep this one.
  private void feed() {
    var input = command.input();
    if (input.length <= DIRECT_INPUT_BYTES) {
      write(process.input(), input);
      return;
    }
    Thread.ofVirtual().name("superstep-sandbox-input").start(() -> write(process.input(), input));
  }

  private static void write(OutputStream to, byte[] input) {
    try (to) {
      to.write(input);
    } catch (IOException _) {
      return; // it has ended, or reads no more
    }
  }

  private boolean readAvailable() throws IOException {
    var said = out.readAvailable();
    var complained = err.readAvailable();
    return said || complained;
  }

  /// Reads the rest of the output after the command has ended. Bounded, because a descendant may
  /// still write.
  private void drain() throws IOException {
    long most = out.bytes() + DRAIN_MAX;
    while (out.bytes() <= most && out.readAvailable()) {}
    long mostErrors = err.bytes() + DRAIN_MAX;
    while (err.bytes() <= mostErrors && err.readAvailable()) {}
  }

  private static CapturedOutput captured(OutputBuffer from) {
    return new CapturedOutput(from.head(), from.tail(), from.bytes(), from.leftOut(), from.file());
  }

  private java.util.List<Denial> denials() {
    if (command.tier() == Tier.PROCESS) return java.util.List.of();
    var text = err.head() + "\n" + err.tail();
    return new DenialReader(command.directory(), command.tier() == Tier.BUBBLEWRAP).read(text);
  }
}
