package dev.superstep.cli.conversation;

import dev.superstep.cli.host.Confirmation;
import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.screen.Column;
import dev.superstep.cli.screen.Table;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.jdbc.SqliteCheckpointer;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.terminal.CommandReview;
import dev.superstep.terminal.Terminal;
import dev.superstep.terminal.TerminalParts;
import dev.superstep.terminal.backend.ModelBackend;
import dev.superstep.terminal.shell.ShellScript;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;

/// The work of `superstep sessions`. It looks at conversations and moves none, so it needs no
/// model.
public final class SessionsRun {
  private SessionsRun() {}

  /// Lists conversations of the folder, the newest first.
  ///
  /// @param after the id of the last one seen, or empty to begin with the newest
  /// @return the exit code
  public static int list(Host host, Optional<String> after, int most) {
    return with(
        host,
        terminal -> {
          int left = most;
          var table = Table.of(Column.whole("CONVERSATION"), Column.wrap("STATUS", 20));
          var from = after;
          for (var record : terminal.sessions()) {
            var isPassed = from.isPresent() && !record.conversations().contains(from.get());
            if (isPassed) continue;
            var session = terminal.open(record.id(), Map.of());
            if (session.isEmpty()) continue;
            for (var view : session.get().conversations(from, left)) {
              table.row(view.info().id(), view.statusLine());
              left--;
            }
            from = Optional.empty();
            if (left <= 0) break;
          }
          table.print(host.terminal());
          return ExitCodes.COMPLETED;
        });
  }

  /// Deletes what nobody used for long.
  ///
  /// @return the exit code
  public static int prune(Host host, boolean yes) {
    return with(
        host,
        terminal -> {
          var question =
              "Delete sessions that nobody used for %d days, and conversations beyond the newest %d"
                      .formatted(Terminal.RETENTION.toDays(), Terminal.CONVERSATIONS_MAX)
                  + " of each? Those that wait for somebody stay.";
          if (!new Confirmation(host.terminal(), yes).confirmed(question)) {
            host.terminal().out().println("nothing was deleted");
            return ExitCodes.COMPLETED;
          }
          int gone = terminal.prune();
          host.terminal()
              .out()
              .println(
                  gone == 1 ? "1 conversation is deleted" : gone + " conversations are deleted");
          return ExitCodes.COMPLETED;
        });
  }

  private static int with(Host host, ToIntFunction<Terminal> work) {
    var files = TerminalFiles.of(host);
    // Opening would make the files.
    if (!Files.exists(files.threads()) || !Files.exists(files.sessions())) {
      return ExitCodes.COMPLETED;
    }
    try (var threads = SqliteCheckpointer.open(files.threads());
        var sessions = SqliteStore.open(files.sessions())) {
      var parts =
          TerminalParts.of(
                  ModelBackend.of("none", ScriptedModel.saying()),
                  new NoReview(),
                  _ -> {
                    throw new IllegalStateException("nothing is run here");
                  },
                  text -> text)
              .clock(host.clock());
      return work.applyAsInt(Terminal.of(parts, threads, sessions));
    }
  }

  /// Decides on nothing, since nothing is proposed.
  private static final class NoReview implements CommandReview {
    @Override
    public Review review(ShellScript script, Circumstances circumstances) {
      throw new IllegalStateException("nothing is proposed here");
    }

    @Override
    public void allow(String rule, String scope) {
      throw new IllegalStateException("nothing is proposed here");
    }
  }
}
