package dev.superstep.sandbox.internal.process;

import dev.superstep.sandbox.internal.linux.NativeProcess;
import dev.superstep.sandbox.internal.linux.PidsGroup;
import dev.superstep.sandbox.internal.linux.Signals;
import dev.superstep.sandbox.internal.linux.SystemCalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// A process started by the C library.
public final class NativeChild implements ChildProcess {
  private final SystemCalls calls;
  private final NativeProcess process;
  private final @Nullable PidsGroup group;

  private NativeChild(SystemCalls calls, NativeProcess process, @Nullable PidsGroup group) {
    this.calls = calls;
    this.process = process;
    this.group = group;
  }

  /// Starts it.
  public static NativeChild start(SystemCalls calls, NativeProcess.Order order)
      throws IOException, InterruptedException {
    return new NativeChild(calls, NativeProcess.start(calls, order), order.group());
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public OutputStream input() {
    return process.input();
  }

  @Override
  public InputStream output() {
    return process.output();
  }

  @Override
  public InputStream errors() {
    return process.errors();
  }

  @Override
  public boolean await(long nanos) throws InterruptedException {
    return process.await(nanos);
  }

  @Override
  public ExitStatus status() {
    return ExitStatus.ofWait(process.status());
  }

  @Override
  public void kill() {
    if (group != null) group.freeze();
    Signals.killGroup(calls, process.pid());
  }

  @Override
  public int left() {
    return process.left();
  }
}
