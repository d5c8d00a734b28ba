package dev.superstep.cli.conversation;

import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.UsageError;
import dev.superstep.cli.model.ModelOpener;
import dev.superstep.model.ModelRef;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.terminal.CommandReview;
import dev.superstep.terminal.ConversationView;
import dev.superstep.terminal.Terminal;
import dev.superstep.terminal.TerminalParts;
import dev.superstep.terminal.approval.Execution;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Files;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Conversations of a folder as they are stored. They are only read: no model is asked, and nothing
/// runs.
final class StoredConversations {
  private static final String WHY = "A stored conversation is only read here.";

  private StoredConversations() {}

  /// A conversation as it stands.
  ///
  /// @throws UsageError if there is none of this name
  static ConversationView view(Host host, String conversation) {
    var files = TerminalFiles.of(host);
    if (Files.exists(files.threads()) && Files.exists(files.sessions())) {
      try (var threads = SqliteCheckpointer.open(files.threads());
          var sessions = SqliteStore.open(files.sessions())) {
        var terminal = Terminal.of(parts(), threads, sessions);
        for (var record : terminal.sessions()) {
          var found =
              terminal
                  .open(record.id(), Map.of())
                  .flatMap(session -> session.conversation(conversation));
          if (found.isPresent()) return found.get().view();
        }
      }
    }
    throw new UsageError(
        "conversation.unknown",
        "There is no conversation `%s` in %s. `%s sessions list` lists them."
            .formatted(conversation, files.workspace(), host.command()));
  }

  private static TerminalParts parts() {
    var none = ModelOpener.none(new ModelRef("scripted", "none"), WHY);
    return TerminalParts.of(
        ModelBackend.of("none", none),
        new Closed(),
        StoredConversations::refuse,
        UnaryOperator.identity());
  }

  private static dev.superstep.terminal.CommandResult refuse(Execution execution) {
    throw new IllegalStateException(WHY);
  }

  /// Decides on nothing.
  private record Closed() implements CommandReview {
    @Override
    public Review review(ShellScript script, Circumstances circumstances) {
      throw new IllegalStateException(WHY);
    }

    @Override
    public void allow(String rule, String scope) {
      throw new IllegalStateException(WHY);
    }
  }
}
