package dev.superstep.documents.tika;

import dev.superstep.documents.DocumentLimits;
import dev.superstep.documents.ParserStopped;
import dev.superstep.documents.UnreadableDocument;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Parses each document in a Java process of its own. Immutable, safe for many threads.
///
/// @param megabytes the heap of a process
/// @param prefix the words of the command before that of Java
record ParserProcess(int megabytes, List<String> prefix, String classPath) {
  private static final System.Logger LOG = System.getLogger("dev.superstep.documents");

  /// The time for the start of a process, and for its output after its own time is over.
  private static final Duration GRACE = Duration.ofSeconds(20);

  private static final int OUT_OF_MEMORY = 3;

  ParserProcess {
    prefix = List.copyOf(prefix);
  }

  /// The class path and the module path of this process.
  static String ownClassPath() {
    var paths = System.getProperty("java.class.path", "");
    var modules = System.getProperty("jdk.module.path", "");
    if (modules.isEmpty()) return paths;
    return paths.isEmpty() ? modules : modules + File.pathSeparator + paths;
  }

  void parse(String id, byte[] bytes, DocumentLimits limits, BlockSink sink)
      throws InterruptedException {
    Path folder;
    try {
      folder = Files.createTempDirectory("superstep-parser");
    } catch (IOException e) {
      throw new ParserNotStarted("there is no folder for its temporary files", e);
    }
    try {
      parse(id, bytes, limits, sink, start(folder));
    } finally {
      delete(folder);
    }
  }

  private Process start(Path folder) {
    var command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + megabytes + "m");
    command.add("-XX:MaxMetaspaceSize=256m");
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.add("-XX:-UsePerfData");
    command.add("-Djava.awt.headless=true");
    command.add("-Djava.io.tmpdir=" + folder);
    command.add("-Dlog4j2.StatusLogger.level=OFF");
    command.add("-cp");
    command.add(absolute(classPath));
    command.add(ParserMain.class.getName());
    var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.directory(folder.toFile());
    // Keys in the environment are not for parsers of strange files.
    builder.environment().keySet().retainAll(List.of("PATH", "LANG", "LC_ALL", "SystemRoot"));
    try {
      return builder.start();
    } catch (IOException e) {
      throw new ParserNotStarted(String.valueOf(e.getMessage()), e);
    }
  }

  /// The paths as the process finds them, which works in another directory: `java -jar app.jar` has
  /// a relative one.
  private static String absolute(String paths) {
    return Arrays.stream(paths.split(Pattern.quote(File.pathSeparator), -1))
        .map(path -> new File(path).getAbsolutePath())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private void parse(
      String id, byte[] bytes, DocumentLimits limits, BlockSink sink, Process process)
      throws InterruptedException {
    var exchange =
        new FutureTask<Void>(() -> {
          exchange(id, bytes, limits, sink, process);
          return null;
        });
    Thread.ofVirtual().name("superstep-parser").start(exchange);
    try {
      exchange.get(limits.maxTime().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      throw timeOver(id, limits);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) throw known;
      if (e.getCause() instanceof Error error) throw error;
      throw failure(id, limits, process, e);
    } finally {
      process.destroyForcibly();
      // Its files can only be deleted once it is gone, which a kill makes soon.
      process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static void exchange(
      String id, byte[] bytes, DocumentLimits limits, BlockSink sink, Process process)
      throws IOException {
    var in = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16));
    int magic;
    try {
      magic = in.readInt();
    } catch (IOException e) {
      throw new ParserNotStarted("it ended at once", e);
    }
    if (magic != Wire.MAGIC) throw new ParserNotStarted("another program answered", null);
    var out = new DataOutputStream(process.getOutputStream());
    var name = id.getBytes(StandardCharsets.UTF_8);
    out.writeInt(name.length);
    out.write(name);
    out.writeInt(limits.maxBytes());
    out.writeInt(limits.maxCharacters());
    out.writeInt(limits.maxBlocks());
    out.writeInt(limits.maxDepth());
    out.writeLong(limits.maxTime().toMillis());
    out.writeInt(bytes.length);
    out.write(bytes);
    out.flush();
    new Wire.Reader(id, limits, in).readInto(sink);
  }

  private RuntimeException failure(
      String id, DocumentLimits limits, Process process, Exception cause)
      throws InterruptedException {
    if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
      return new UnreadableDocument(id, "made its parser answer with no blocks", cause);
    }
    return switch (process.exitValue()) {
      case ParserMain.TIME_OVER -> timeOver(id, limits);
      case OUT_OF_MEMORY ->
          new ParserStopped(id, "needed more than %,d MB of memory".formatted(megabytes));
      default ->
          new ParserStopped(id, "ended its parser with the exit status " + process.exitValue());
    };
  }

  private static ParserStopped timeOver(String id, DocumentLimits limits) {
    return new ParserStopped(id, "took longer than %,d ms".formatted(limits.maxTime().toMillis()));
  }

  private static void delete(Path folder) {
    try (var paths = Files.walk(folder)) {
      for (var path : paths.sorted(Comparator.reverseOrder()).toList()) Files.delete(path);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "Temporary files of a parser stay in " + folder, e);
    }
  }
}
