package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.terminal.transcript.Transcript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/// The work of `superstep transcript`.
public final class TranscriptRun {
  private TranscriptRun() {}

  /// Adds to a file what it does not have yet of a conversation.
  ///
  /// @return the exit code
  public static int export(Host host, String conversation, String name) {
    var threads = TerminalFiles.of(host).threads();
    if (!Files.exists(threads)) {
      throw new UsageError("conversation.unknown", "There is no conversation in this folder.");
    }
    var file = host.path(name);
    try (var store = SqliteCheckpointer.open(threads)) {
      var done = Transcript.export(ThreadJournal.of(store, conversation), file);
      for (var notice : done.notices()) say(host, notice);
      say(host, "%s: %d lines added".formatted(name, done.added()));
      return ExitCodes.COMPLETED;
    } catch (IOException e) {
      throw new UncheckedIOException("The transcript " + file + " cannot be written", e);
    }
  }

  /// Checks the chain of a file.
  ///
  /// @return the exit code
  public static int verify(Host host, String name) {
    var file = host.path(name);
    if (!Files.isRegularFile(file)) {
      throw new UsageError("transcript.missing", "There is no file " + file + ".");
    }
    try {
      var check = Transcript.verify(file);
      if (check.tornBytes() > 0) {
        say(host, "%d bytes of a last line that was not finished".formatted(check.tornBytes()));
      }
      if (check.broken().isEmpty()) {
        say(host, "%s: %d lines, as they were written".formatted(name, check.lines()));
        return ExitCodes.COMPLETED;
      }
      var at = check.broken().get();
      say(host, "%s: line %d was changed: %s".formatted(name, at.line(), at.reason()));
      return ExitCodes.FAILED;
    } catch (IOException e) {
      throw new UncheckedIOException("The transcript " + file + " cannot be read", e);
    }
  }

  private static void say(Host host, String text) {
    host.terminal().out().println(SafeText.line(text));
  }
}
