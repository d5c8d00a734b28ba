package dev.superstep.cli.conversation;

import dev.superstep.cli.host.ExitCodes;
import dev.superstep.cli.host.Host;
import dev.superstep.cli.host.SafeText;
import dev.superstep.cli.host.UsageError;
import dev.superstep.terminal.undo.Change;
import dev.superstep.terminal.undo.ChangeTracker;
import dev.superstep.terminal.undo.UndoLimits;
import java.nio.file.Files;
import java.util.List;

/// The work of `superstep undo`.
public final class UndoRun {
  private static final String NONE = "No command has changed anything here that was recorded.";

  private UndoRun() {}

  /// Lists what commands changed.
  ///
  /// @return the exit code
  public static int list(Host host) {
    var files = TerminalFiles.of(host);
    if (!Files.exists(files.changes())) {
      host.terminal().out().println(NONE);
      return ExitCodes.COMPLETED;
    }
    try (var changes = open(host, files)) {
      for (var change : changes.changes()) print(host, change);
    }
    return ExitCodes.COMPLETED;
  }

  /// Takes the newest change back.
  ///
  /// @return the exit code
  public static int newest(Host host) {
    var files = TerminalFiles.of(host);
    if (!Files.exists(files.changes())) throw none();
    try (var changes = open(host, files)) {
      var all = changes.changes();
      if (all.isEmpty()) throw none();
      return undone(host, all.getLast(), changes.undo(all.getLast().id()));
    }
  }

  /// Takes one change back.
  ///
  /// @return the exit code
  public static int one(Host host, long id) {
    var files = TerminalFiles.of(host);
    if (!Files.exists(files.changes())) throw none();
    try (var changes = open(host, files)) {
      var found = changes.changes().stream().filter(change -> change.id() == id).findFirst();
      if (found.isEmpty()) {
        throw new UsageError(
            "undo.unknown", "There is no change " + id + ". `undo --list` lists them.");
      }
      return undone(host, found.get(), changes.undo(id));
    }
  }

  private static UsageError none() {
    return new UsageError("undo.nothing", NONE);
  }

  private static ChangeTracker open(Host host, TerminalFiles files) {
    return ChangeTracker.open(files.undo(), UndoLimits.standard(), host.clock());
  }

  private static int undone(Host host, Change change, List<String> paths) {
    var out = host.terminal().out();
    for (var path : paths) out.println("as before: " + SafeText.line(path));
    for (var outside : change.outside()) {
      out.println("not undone: " + SafeText.line(outside));
    }
    return ExitCodes.COMPLETED;
  }

  private static void print(Host host, Change change) {
    var out = host.terminal().out();
    var mark = change.isInterrupted() ? " (its process died)" : "";
    out.println("%d  %s%s".formatted(change.id(), SafeText.line(change.label()), mark));
    for (var path : change.paths()) out.println("     " + SafeText.line(path.toString()));
    for (var outside : change.outside()) {
      out.println("     cannot be undone: " + SafeText.line(outside));
    }
  }
}
