package dev.superstep.cli.repl;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.ShellText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.repl.agent.TextOpener;
import dev.superstep.repl.context.FileText;
import dev.superstep.repl.host.TextSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// The files that cells have as `context`, read where they are. One thread at a time.
final class SessionTexts implements TextOpener, AutoCloseable {
  private static final int BLOCK = 1 << 16;

  private final Host host;
  private final Optional<Path> named;
  private final List<FileText> open = new ArrayList<>();

  /// @param named the file that the user names; others that a thread names are in this directory
  SessionTexts(Host host, Optional<String> named) {
    this.host = host;
    this.named = named.map(host::path);
  }

  /// Opens a file that the user names.
  ///
  /// @throws UsageError if there is none
  Loaded load(String typed) {
    var file = host.path(typed);
    if (!Files.isRegularFile(file)) {
      throw new UsageError("context.missing", "There is no file " + file + ".");
    }
    return new Loaded(file.toString(), digest(file), opened(file));
  }

  /// Opens a file that a thread names. Whoever wrote the store may have named any, so one outside
  /// of the current directory has to be named by the user as well.
  @Override
  public TextSource open(String name, String digest) {
    var file = host.path(name);
    if (!Files.isRegularFile(file)) {
      throw new UsageError("context.missing", "The text of the thread is gone: " + file + ".");
    }
    if (!named.equals(Optional.of(file)) && !isHere(file)) {
      throw new UsageError(
          "context.not-agreed",
          "The thread reads %s, which is outside of this directory. If that is meant: --context %s"
              .formatted(file, ShellText.word(file.toString())));
    }
    if (!digest(file).equals(digest)) {
      throw new UsageError(
          "context.changed", "The text of the thread has changed: " + file + ". Put it back.");
    }
    return opened(file);
  }

  private boolean isHere(Path file) {
    try {
      return file.toRealPath().startsWith(host.folder().toRealPath());
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private FileText opened(Path file) {
    try {
      var text = FileText.open(file);
      open.add(text);
      return text;
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private static String digest(Path file) {
    try (var in = Files.newInputStream(file)) {
      var digest = MessageDigest.getInstance("SHA-256");
      var block = new byte[BLOCK];
      for (int read = in.read(block); read >= 0; read = in.read(block)) {
        digest.update(block, 0, read);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      throw unreadable(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static UncheckedIOException unreadable(IOException e) {
    return new UncheckedIOException("The text cannot be read: " + e.getMessage(), e);
  }

  @Override
  public void close() {
    try {
      for (var text : open) text.close();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }
}
