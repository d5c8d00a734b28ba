package dev.superstep.sandbox.internal.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A process started by the JDK, where native calls are not allowed or not known. The thread that
/// starts it waits for it, since a process may ask the kernel to be killed at the end of the thread
/// that it came from.
public final class JdkChild implements ChildProcess {
  private static final int KILLS_MAX = 8;

  private final Process process;
  private final CountDownLatch ended;

  private JdkChild(Process process, CountDownLatch ended) {
    this.process = process;
    this.ended = ended;
  }

  private record Started(@Nullable Process process, @Nullable IOException failure) {}

  /// Starts it.
  ///
  /// @throws IOException if it cannot be started
  public static JdkChild start(List<String> words, Path directory, Map<String, String> variables)
      throws IOException, InterruptedException {
    var builder = new ProcessBuilder(words).directory(new File(directory.toString()));
    builder.environment().clear();
    builder.environment().putAll(variables);
    var handover = new SynchronousQueue<Started>();
    var ended = new CountDownLatch(1);
    Thread.ofPlatform()
        .name("superstep-sandbox-process")
        .daemon()
        .start(() -> own(builder, handover, ended));
    var started = take(handover);
    if (started.failure() != null) throw started.failure();
    return new JdkChild(java.util.Objects.requireNonNull(started.process()), ended);
  }

  private static void own(
      ProcessBuilder builder, SynchronousQueue<Started> handover, CountDownLatch ended) {
    try {
      var process = builder.start();
      handover.put(new Started(process, null));
      process.waitFor();
    } catch (IOException e) {
      offer(handover, e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt(); // nobody does that
    } finally {
      ended.countDown();
    }
  }

  private static void offer(SynchronousQueue<Started> handover, IOException failure) {
    try {
      handover.put(new Started(null, failure));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static Started take(SynchronousQueue<Started> handover) throws InterruptedException {
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          return handover.take();
        } catch (InterruptedException _) {
          isInterrupted = true;
        }
      }
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }

  @Override
  public long pid() {
    return process.pid();
  }

  @Override
  public OutputStream input() {
    return process.getOutputStream();
  }

  @Override
  public InputStream output() {
    return process.getInputStream();
  }

  @Override
  public InputStream errors() {
    return process.getErrorStream();
  }

  @Override
  public boolean await(long nanos) throws InterruptedException {
    return ended.await(nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public ExitStatus status() {
    return ExitStatus.ofCode(process.exitValue());
  }

  @Override
  public void kill() {
    var below = new ArrayList<>(process.descendants().toList());
    process.toHandle().destroyForcibly(); // the process itself would close what it has said
    for (int round = 0; round < KILLS_MAX && !below.isEmpty(); round++) {
      // What they started since they were counted.
      var more = below.stream().flatMap(ProcessHandle::descendants).toList();
      below.forEach(ProcessHandle::destroyForcibly);
      below = new ArrayList<>(more);
    }
  }

  @Override
  public int left() {
    return -1;
  }
}
