package dev.superstep.cli.rlm;

import static java.util.Objects.requireNonNull;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.file.PrivateFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Makes one file of all that a question is about, without holding it in memory. A single file is
/// used where it is; folders, several files and standard input are copied into a file that only its
/// owner can read. One thread at a time.
final class AskContext {
  private static final long BYTES_MAX = 8L << 30;
  private static final int BLOCK = 1 << 16;
  private static final int PROBE = 8 << 10;
  private static final Set<String> PASSED_OVER =
      Set.of(".git", ".hg", ".svn", ".superstep", "node_modules", "target", "build");

  private final Host host;
  private final Path copy;
  private long bytes;

  /// @param copy the file that is made if one is needed
  AskContext(Host host, Path copy) {
    this.host = host;
    this.copy = copy;
  }

  /// The text of the paths, or of standard input if there is no path.
  ///
  /// @throws UsageError if there is neither, or a path leads to nothing
  Path file(List<String> paths) throws IOException {
    var sources = new ArrayList<Path>();
    for (var path : paths) sources.add(existing(path));
    if (sources.size() == 1 && Files.isRegularFile(sources.getFirst())) return sources.getFirst();
    if (sources.isEmpty() && host.terminal().typesInto()) {
      throw new UsageError(
          "context.none", "Name the text with --context PATH, or give it on standard input.");
    }
    PrivateFiles.createDirectories(requireNonNull(copy.toAbsolutePath().getParent()));
    try (var out = PrivateFiles.create(copy)) {
      if (sources.isEmpty()) input(out);
      for (var source : sources) add(source, out);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(copy);
      throw e;
    }
    return copy;
  }

  private Path existing(String typed) {
    var path = host.path(typed);
    if (Files.isRegularFile(path) || Files.isDirectory(path)) return path;
    throw new UsageError("context.missing", "There is no file or folder " + path + ".");
  }

  private void input(OutputStream out) throws IOException {
    while (true) {
      var line = host.terminal().readLine();
      if (line.isEmpty()) return;
      write(out, (line.get() + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private void add(Path source, OutputStream out) throws IOException {
    if (Files.isRegularFile(source)) {
      copy(source, source.getFileName().toString(), out);
      return;
    }
    for (var file : files(source)) {
      if (isText(file)) copy(file, source.relativize(file).toString(), out);
    }
  }

  /// The files of a folder in the order of their names; links are not followed.
  private static List<Path> files(Path folder) throws IOException {
    var all = new ArrayList<Path>();
    try (var entries = Files.list(folder)) {
      for (var entry : entries.sorted().toList()) {
        if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
          if (!PASSED_OVER.contains(entry.getFileName().toString())) all.addAll(files(entry));
        } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) all.add(entry);
      }
    }
    return all;
  }

  private static boolean isText(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      for (byte b : in.readNBytes(PROBE)) if (b == 0) return false;
      return true;
    }
  }

  private void copy(Path file, String name, OutputStream out) throws IOException {
    write(out, ("===== " + name + " =====\n").getBytes(StandardCharsets.UTF_8));
    var block = new byte[BLOCK];
    byte last = '\n';
    try (InputStream in = Files.newInputStream(file)) {
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        if (read == 0) continue;
        write(out, block, read);
        last = block[read - 1];
      }
    }
    if (last != '\n') write(out, new byte[] {'\n'});
  }

  private void write(OutputStream out, byte[] text) throws IOException {
    write(out, text, text.length);
  }

  private void write(OutputStream out, byte[] text, int length) throws IOException {
    bytes += length;
    if (bytes > BYTES_MAX) {
      throw new UsageError(
          "context.too-large",
          "The text is larger than %,d bytes. Name fewer files.".formatted(BYTES_MAX));
    }
    out.write(text, 0, length);
  }
}
