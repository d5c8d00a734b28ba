package dev.superstep.sandbox;

import dev.superstep.sandbox.internal.linux.PidsGroup;
import dev.superstep.sandbox.internal.process.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A started command with everything that must be done at its end, whatever ends it.
final class RunningProcess implements SandboxProcess {
  private static final Duration DEATH = Duration.ofSeconds(5);

  private final Launch launch;
  private final ChildProcess child;
  private final @Nullable PidsGroup group;
  private final AtomicReference<SandboxResult.@Nullable Ended> forced = new AtomicReference<>();
  private final Object ending = new Object();
  private boolean isEnded;
  private int orphans;

  RunningProcess(Launch launch, Launch.Started started) {
    this.launch = launch;
    this.child = started.child();
    this.group = started.group();
  }

  /// Kills it when its time is over, if nobody waits for it by a loop.
  void limitTime(Duration most) {
    Thread.ofVirtual()
        .name("superstep-sandbox-timeout")
        .start(() -> {
          try {
            if (!child.await(nanos(most))) end(new SandboxResult.Ended.TimedOut(most));
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // nobody does that
          }
        });
  }

  @Override
  public OutputStream input() {
    return child.input();
  }

  @Override
  public InputStream output() {
    return child.output();
  }

  @Override
  public InputStream errors() {
    return child.errors();
  }

  boolean awaitExit(long nanos) throws InterruptedException {
    return child.await(nanos);
  }

  /// Of a time that may be too long for that.
  private static long nanos(Duration time) {
    return TimeUnit.NANOSECONDS.convert(time);
  }

  @Override
  public Optional<SandboxResult.Ended> await(Duration time) throws InterruptedException {
    if (!child.await(nanos(time))) return Optional.empty();
    finish();
    return Optional.of(ended());
  }

  /// The way in which it has ended.
  SandboxResult.Ended ended() {
    var killed = forced.get();
    if (killed != null) return killed;
    var status = launch.isOfShell() ? child.status().asOfShell() : child.status();
    return status.signal() == 0
        ? new SandboxResult.Ended.Exited(status.code())
        : new SandboxResult.Ended.Signaled(status.signal());
  }

  /// Kills it with all that it started, for a reason.
  void end(SandboxResult.Ended why) {
    if (!forced.compareAndSet(null, why)) return;
    child.kill();
    awaitDeath();
    finish();
  }

  /// Kills it, interrupted or not.
  private void awaitDeath() {
    boolean isInterrupted = Thread.interrupted();
    long began = System.nanoTime();
    while (System.nanoTime() - began < DEATH.toNanos()) {
      try {
        if (child.await(DEATH.toNanos())) break;
      } catch (InterruptedException _) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) Thread.currentThread().interrupt();
  }

  /// Kills what it has left behind and removes what was made for it. Once.
  ///
  /// @return how many processes it had left
  int finish() {
    synchronized (ending) {
      if (isEnded) return orphans;
      isEnded = true;
      int left = leftInGroup() + leftOutside();
      orphans = launch.tier() == Tier.BUBBLEWRAP ? 0 : left;
      launch.cleanup().run();
      return orphans;
    }
  }

  private int leftInGroup() {
    if (group == null) return 0;
    try {
      return group.end();
    } catch (IOException e) {
      throw new IllegalStateException("the group of its processes cannot be removed", e);
    }
  }

  /// Looks for others by their marks, unless the kernel or the owner of the process has ended them.
  private int leftOutside() {
    boolean isGrouped = group != null;
    return switch (launch.tier()) {
      // Unconfined, root's can leave their group.
      case PROCESS -> launch.marks().kill();
      case LANDLOCK -> {
        int left = child.left();
        if (left < 0) left = isGrouped ? 0 : launch.marks().kill();
        yield left;
      }
      case BUBBLEWRAP -> forced.get() != null && !isGrouped ? launch.marks().kill() : 0;
    };
  }

  private boolean isFinished() {
    synchronized (ending) {
      return isEnded;
    }
  }

  @Override
  public void close() {
    // Its number may be another's once it has ended.
    if (!isFinished()) end(new SandboxResult.Ended.Cancelled());
    for (var stream : new AutoCloseable[] {child.input(), child.output(), child.errors()}) {
      try {
        stream.close();
      } catch (Exception _) {
        // the other end is gone
      }
    }
  }
}
