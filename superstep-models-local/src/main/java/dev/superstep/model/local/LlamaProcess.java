package dev.superstep.model.local;

import dev.superstep.model.ModelException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A running child, as the parent sees it. Takes orders from one thread at a time; [#close] may
/// come from any thread.
final class LlamaProcess implements AutoCloseable {
  private static final int ANSWERS_MAX = 1 << 16;

  /// Characters of pieces that nobody has heard yet.
  private static final long WAITING_MAX = 16L * 1024 * 1024;

  private static final Duration EXIT_LIMIT = Duration.ofSeconds(5);
  // The child needs no keys and no settings of the parent, only what a process cannot do without.
  private static final Set<String> ENVIRONMENT =
      Set.of("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "SYSTEMROOT", "TEMP", "TMP");

  private final Process process;
  private final OutputStream orders;
  private final ChildDirectory directory;
  private final LinkedBlockingQueue<ChildReply> answers = new LinkedBlockingQueue<>(ANSWERS_MAX);
  private final AtomicLong waiting = new AtomicLong();
  private final StderrTail stderr = new StderrTail();
  private final Thread stderrDrain;

  private LlamaProcess(Process process, ChildDirectory directory) {
    this.process = process;
    this.orders = process.getOutputStream();
    this.directory = directory;
    this.stderrDrain = drain();
  }

  /// Starts a child; it is not [ChildReply.Ready] yet.
  static LlamaProcess start(Path gguf, LocalModelOptions options) {
    var classPath = ChildClassPath.find();
    ChildDirectory directory = null;
    try {
      directory = ChildDirectory.create();
      var builder = new ProcessBuilder(command(gguf, options, directory.path(), classPath));
      builder.directory(directory.path().toFile());
      builder
          .environment()
          .keySet()
          .removeIf(name -> !ENVIRONMENT.contains(name.toUpperCase(Locale.ROOT)));
      var child = new LlamaProcess(builder.start(), directory);
      return child;
    } catch (IOException e) {
      if (directory != null) directory.close();
      throw new ModelException(
          ModelException.Kind.UNAVAILABLE,
          "The process for local models did not start: " + ChildProtocol.line(e.getMessage()),
          null,
          e);
    }
  }

  private static List<String> command(
      Path gguf, LocalModelOptions options, Path directory, String classPath) {
    var windows = System.getProperty("os.name", "").startsWith("Windows");
    var java = Path.of(System.getProperty("java.home"), "bin", windows ? "java.exe" : "java");
    return List.of(
        java.toString(),
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-XX:-UsePerfData",
        "-XX:-CreateCoredumpOnCrash",
        "-XX:ErrorFile=" + directory.resolve("crash.log"),
        "--enable-native-access=ALL-UNNAMED",
        "-Dde.kherud.llama.tmpdir=" + directory,
        "-Djava.io.tmpdir=" + directory,
        "-Dstdout.encoding=UTF-8",
        "-cp",
        classPath,
        LlamaChild.class.getName(),
        gguf.toAbsolutePath().toString(),
        Integer.toString(options.contextTokens()),
        Integer.toString(options.threads()),
        directory.toString());
  }

  private Thread drain() {
    var _ =
        ModelThreads.start("out", () -> lines(process.getInputStream(), this::onLine, this::ended));
    return ModelThreads.start(
        "err", () -> lines(process.getErrorStream(), (line, _) -> stderr.add(line), () -> {}));
  }

  private void onLine(String line, boolean isCut) {
    var answer = isCut ? Optional.<ChildReply>empty() : ChildProtocol.answer(line);
    if (answer.isEmpty()) {
      stderr.add(line);
      // An answer that is longer than any can be.
      if (isCut && line.startsWith("{")) process.destroyForcibly();
      return;
    }
    boolean isHeard = waiting.addAndGet(size(answer.get())) <= WAITING_MAX;
    // Else it talks unasked.
    if (!isHeard || !answers.offer(answer.get())) process.destroyForcibly();
  }

  private static int size(ChildReply answer) {
    return answer instanceof ChildReply.Piece(_, var text) ? text.length() : 0;
  }

  private void ended() {
    var ended = new ChildReply.Ended();
    if (!answers.offer(ended)) {
      answers.clear();
      answers.add(ended);
    }
  }

  /// Hears a line, and whether it was longer.
  @FunctionalInterface
  private interface LineListener {
    void onLine(String line, boolean isCut);
  }

  private static void lines(InputStream pipe, LineListener each, Runnable last) {
    try (pipe) {
      var lines = new PipeLines(pipe);
      for (var line = lines.next(); line != null; line = lines.next()) {
        each.onLine(line, lines.isCut());
      }
    } catch (IOException _) {
      // A closed pipe: the same as its end.
    } finally {
      last.run();
    }
  }

  void send(ChildRequest order) throws IOException {
    ChildProtocol.write(order, orders);
  }

  /// The next answer, or null when the time is up.
  @Nullable ChildReply next(Duration limit) throws InterruptedException {
    var next = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    if (next != null) waiting.addAndGet(-size(next));
    return next;
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /// Returns how the child ended, for an error message.
  String lastWords() {
    return process.isAlive()
        ? stderr.lastWords()
        : "exit code " + process.exitValue() + ", " + stderr.lastWords();
  }

  /// Why the schema of the last order ended the child, if it did.
  Optional<String> schemaComplaint() {
    return stderr.schemaComplaint();
  }

  /// Kills the child and removes its directory. Waits for the end of the process, though not for
  /// ever, and keeps the interrupt of the calling thread for later.
  @Override
  public void close() {
    process.destroyForcibly();
    awaitExit();
    directory.close();
  }

  /// Waits until the process has ended and [#lastWords] are known.
  void awaitExit() {
    boolean interrupted = Thread.interrupted();
    try {
      var _ = process.waitFor(EXIT_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
      // The pipe may hold the reason for the end still.
      var _ = stderrDrain.join(EXIT_LIMIT);
    } catch (InterruptedException _) {
      interrupted = true;
    }
    if (interrupted) Thread.currentThread().interrupt();
  }
}
