package dev.superstep.workspace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A child process, and the thread that started it, which reads both outputs in turn without
/// blocking. So no thread stays blocked at a pipe that a descendant of the command keeps open. One
/// thread.
final class RunningCommand implements AutoCloseable {
  private static final long LOOK_AGAIN_MILLIS = 5;
  private static final int KILLS_MAX = 8;
  private static final Duration DEATH = Duration.ofSeconds(5);

  private final Process process;
  private final OrphanProcesses strays;
  private final CapturedOutput out;
  private final CapturedOutput err;

  /// A command to run.
  record Order(List<String> command, Path program, Path directory, Map<String, String> variables) {}

  /// The first bytes of an output.
  private static final class CapturedOutput {
    private final InputStream from;
    private final int most;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean isCut;

    CapturedOutput(InputStream from, int most) {
      this.from = from;
      this.most = most;
    }

    /// Takes what is there without waiting for more.
    ///
    /// @return whether there was something
    boolean readAvailable() throws IOException {
      try {
        return readOnce();
      } catch (IOException _) {
        // When the process ends, the JDK closes the pipe and puts what was left in its place.
        return readOnce();
      }
    }

    private boolean readOnce() throws IOException {
      int ready = from.available();
      if (ready <= 0) return false;
      var buffer = new byte[ready];
      int read = from.read(buffer);
      if (read < 0) return false;
      int kept = Math.min(read, most - bytes.size());
      bytes.write(buffer, 0, kept);
      isCut |= kept < read;
      return true;
    }

    CommandResult.Output output() {
      return new CommandResult.Output(text(bytes.toByteArray()), isCut);
    }
  }

  private RunningCommand(Process process, OrphanProcesses strays, int outputMax) {
    this.process = process;
    this.strays = strays;
    this.out = new CapturedOutput(process.getInputStream(), outputMax);
    this.err = new CapturedOutput(process.getErrorStream(), outputMax);
  }

  /// Starts it, with nothing to read.
  static RunningCommand start(Order order, int outputMax) throws IOException {
    var words = new ArrayList<>(order.command());
    words.set(0, order.program().toString());
    var builder = new ProcessBuilder(words).directory(order.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(order.variables());
    var strays = OrphanProcesses.fresh();
    builder.environment().put(OrphanProcesses.VARIABLE, strays.mark());
    var process = builder.start();
    try {
      process.getOutputStream().close();
    } catch (IOException _) {
      // It has ended already.
    }
    return new RunningCommand(process, strays, outputMax);
  }

  /// Waits for its end, or kills it when the time is over.
  ///
  /// @throws InterruptedException if this thread is interrupted
  CommandResult result(List<String> command, Duration limit)
      throws InterruptedException, IOException {
    long began = System.nanoTime();
    CommandResult.Ended ended = null;
    while (ended == null) {
      var took = Duration.ofNanos(System.nanoTime() - began);
      if (took.compareTo(limit) >= 0) {
        kill();
        ended = new CommandResult.Ended.TimedOut(limit);
      } else if (!readAvailable() && process.waitFor(LOOK_AGAIN_MILLIS, TimeUnit.MILLISECONDS)) {
        ended = new CommandResult.Ended.Exited(process.exitValue());
      } else if (Thread.interrupted()) {
        throw new InterruptedException("while the command ran");
      }
    }
    int killed = strays.kill();
    drain();
    var took = Duration.ofNanos(System.nanoTime() - began);
    return new CommandResult(command, ended, out.output(), err.output(), took, killed);
  }

  private boolean readAvailable() throws IOException {
    var said = out.readAvailable();
    var complained = err.readAvailable();
    return said || complained;
  }

  /// Reads the rest of the output after the command has ended. Bounded, because a descendant may
  /// still write.
  private void drain() throws IOException {
    while (!out.isCut && out.readAvailable()) {}
    while (!err.isCut && err.readAvailable()) {}
  }

  /// Kills it and those that it started and that are its descendants still. The others are strays.
  private void kill() throws InterruptedException {
    var below = new ArrayList<>(process.descendants().toList());
    process.toHandle().destroyForcibly(); // the process itself would close what it has said
    for (int round = 0; round < KILLS_MAX && !below.isEmpty(); round++) {
      // What they started since they were counted.
      var more = below.stream().flatMap(ProcessHandle::descendants).toList();
      below.forEach(ProcessHandle::destroyForcibly);
      below = new ArrayList<>(more);
    }
    var _ = process.waitFor(DEATH);
  }

  /// Kills it if it still runs, and what it has left behind.
  @Override
  public void close() {
    if (!process.isAlive()) {
      strays.kill();
      return;
    }
    try {
      kill();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      strays.kill();
    }
  }

  /// Text without half a character at its end, where it may have been cut.
  static String text(byte[] bytes) {
    var decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    var chars = CharBuffer.allocate(bytes.length);
    decoder.decode(ByteBuffer.wrap(bytes), chars, false);
    return chars.flip().toString();
  }
}
