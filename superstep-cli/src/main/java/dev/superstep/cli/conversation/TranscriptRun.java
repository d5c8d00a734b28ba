package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.file.PrivateFiles;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.terminal.ConversationView;
import dev.superstep.terminal.privacy.SecretSources;
import dev.superstep.terminal.transcript.Transcript;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.function.UnaryOperator;

/// The work of `superstep transcript`.
public final class TranscriptRun {
  private TranscriptRun() {}

  /// The forms of an export.
  public enum Format {
    /// The journal, line by line, each chained to the one before; a file is added to.
    JSONL,
    /// A page for people.
    MARKDOWN,
    /// A recording that can be played.
    ASCIICAST
  }

  /// Writes a conversation to a file, or to standard output if its name is `-`.
  ///
  /// @return the exit code
  public static int export(Host host, String conversation, String name, Format format) {
    return switch (format) {
      case JSONL -> journal(host, conversation, name);
      case MARKDOWN -> {
        var redact = redactor(host);
        yield write(host, name, redact.apply(view(host, conversation).markdown()));
      }
      case ASCIICAST -> {
        var cast = ConversationCast.of(view(host, conversation), redactor(host));
        yield write(host, name, cast);
      }
    };
  }

  private static ConversationView view(Host host, String conversation) {
    return StoredConversations.view(host, conversation);
  }

  /// Takes out what has become a secret since it was stored; what was one then is not there.
  private static UnaryOperator<String> redactor(Host host) {
    return SecretSources.of(host.variables()).redactor()::text;
  }

  private static int write(Host host, String name, String text) {
    if (name.equals("-")) {
      host.terminal().out().print(text);
      return ExitCodes.COMPLETED;
    }
    var file = host.path(name);
    try {
      PrivateFiles.replace(file, text);
      say(host, name + ": written");
      return ExitCodes.COMPLETED;
    } catch (IOException e) {
      throw new UncheckedIOException("The transcript " + file + " cannot be written", e);
    }
  }

  /// Adds to a file what it does not have yet of a conversation.
  private static int journal(Host host, String conversation, String name) {
    if (name.equals("-")) {
      throw new UsageError(
          "transcript.file", "The chain of lines needs a file. Name one, or another --format.");
    }
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
