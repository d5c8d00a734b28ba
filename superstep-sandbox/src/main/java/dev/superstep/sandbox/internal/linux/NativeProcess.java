package dev.superstep.sandbox.internal.linux;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A child process started by the C library instead of by the JDK, in a session of its own and with
/// no descriptor but the first three.
///
/// Its owner is a platform thread that starts it and waits for it, and that may be confined: what
/// it starts then is so, too. The JDK cannot be asked to start processes on such a thread, since it
/// may make the thread that it uses for all processes of the JVM there, which would be confined as
/// well. The owner lives as long as the process, since a process may ask the kernel to be killed at
/// the end of the thread that it came from. Safe for many threads.
public final class NativeProcess {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final long STACK_BYTES = 262_144;

  private final OutputStream input;
  private final InputStream output;
  private final InputStream errors;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile int pid;
  private volatile int status;
  private volatile int left;
  private volatile @Nullable IOException failure;

  /// A process to start.
  ///
  /// @param program the file to execute
  /// @param confinement what its owner enters first; null for nothing
  /// @param passed a filter that it reads from its descriptor 3 itself; null for none
  /// @param group where its processes are counted; null for nowhere
  public record Order(
      Path program,
      List<String> words,
      List<String> variables,
      Path directory,
      Confinement.@Nullable Plan confinement,
      @Nullable SyscallFilter passed,
      @Nullable PidsGroup group) {
    public Order {
      words = List.copyOf(words);
      variables = List.copyOf(variables);
    }

    /// The confinement, if it has one.
    public Optional<Confinement.Plan> plan() {
      return Optional.ofNullable(confinement);
    }
  }

  private NativeProcess(Pipes pipes) throws IOException {
    this.input = new FileOutputStream(pipes.path(pipes.input()));
    this.output = new FileInputStream(pipes.path(pipes.output()));
    this.errors = new FileInputStream(pipes.path(pipes.errors()));
  }

  /// Starts a process.
  ///
  /// @throws IOException if it cannot be started; then nothing runs
  public static NativeProcess start(SystemCalls calls, Order order)
      throws IOException, InterruptedException {
    NativeProcess process;
    try (var pipes = Pipes.open(calls)) {
      process = new NativeProcess(pipes);
      var owner = new ProcessOwner(calls, order, pipes, process);
      Thread.ofPlatform()
          .name("superstep-sandbox-" + NUMBERS.incrementAndGet())
          .daemon()
          .stackSize(STACK_BYTES)
          .start(owner);
      owner.makeRules(); // while the thread begins
      awaitStart(process);
    }
    var failure = process.failure;
    if (failure == null) return process;
    process.closeStreams();
    throw failure;
  }

  /// Says why processes cannot be started in this way; empty if they can.
  public static String missing() {
    return ProcessOwner.missingFunctions();
  }

  /// An interrupted caller still waits: the pipes are the owner's until the process has them.
  private static void awaitStart(NativeProcess process) throws InterruptedException {
    boolean isInterrupted = false;
    while (true) {
      try {
        process.started.await();
        break;
      } catch (InterruptedException _) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) Thread.currentThread().interrupt();
  }

  void reportStart(int started) {
    this.pid = started;
    this.started.countDown();
  }

  void reportFailure(IOException why) {
    this.failure = why;
    this.ended.countDown();
    this.started.countDown();
  }

  void reportEnd(int waited, int others) {
    this.left = others;
    this.status = waited;
    this.ended.countDown();
  }

  private void closeStreams() throws IOException {
    input.close();
    output.close();
    errors.close();
  }

  /// Its number, which is also that of its session and of its process group.
  public int pid() {
    return pid;
  }

  /// Its standard input.
  public OutputStream input() {
    return input;
  }

  /// Its standard output.
  public InputStream output() {
    return output;
  }

  /// Its error output.
  public InputStream errors() {
    return errors;
  }

  /// Waits until it has ended, and what it left behind where its owner can end that.
  ///
  /// @return whether it has
  public boolean await(long nanos) throws InterruptedException {
    return ended.await(nanos, TimeUnit.NANOSECONDS);
  }

  /// Its status as `wait` has it, after its end.
  public int status() {
    return status;
  }

  /// The number of processes that it left and that its owner has killed; negative if its owner
  /// cannot say.
  public int left() {
    return left;
  }
}
