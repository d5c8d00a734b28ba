package dev.superstep.terminal;

import static dev.superstep.terminal.WorkflowState.ATTEMPTS;
import static dev.superstep.terminal.WorkflowState.REQUEST;

import dev.superstep.checkpoint.ThreadBusy;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.run.ThreadState;
import dev.superstep.terminal.CommandAttempt.Kind;
import dev.superstep.terminal.undo.Change;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// Takes a conversation back by one command: the workspace first, and then its thread. If the
/// process dies in between, the next call goes on.
final class TakingBack {
  private static final int PAGE = 50;
  private static final String SHELL_STAYS = "variables that it exported to the session";

  private final Terminal terminal;
  private final SessionShell shell;
  private final String id;
  private final RunOptions options;

  TakingBack(Terminal terminal, SessionShell shell, String id, RunOptions options) {
    this.terminal = terminal;
    this.shell = shell;
    this.id = id;
    this.options = options;
  }

  /// The result.
  ///
  /// @param paths that are as before again
  /// @param lasting what was not taken back; sentences
  record TakenBack(List<String> paths, List<String> lasting) {}

  /// The changes by commands of a conversation that nobody took back.
  List<Change> changes(List<CommandAttempt> attempts) {
    var ids = new HashSet<Long>();
    for (var attempt : attempts) change(attempt).ifPresent(change -> ids.add(change.id()));
    return recorded().stream().filter(change -> ids.contains(change.id())).toList();
  }

  private List<Change> recorded() {
    return terminal.parts().undo().changes(shell.workspace()).stream()
        .filter(change -> !change.isUndone())
        .toList();
  }

  private Optional<Change> change(CommandAttempt attempt) {
    var number = attempt.change();
    if (number.isPresent()) {
      return recorded().stream().filter(change -> change.id() == number.get()).findFirst();
    }
    if (attempt.decision().kind() != Kind.INTERRUPTED) return Optional.empty();
    // Its process died before it could say the number.
    var label = new WatchedCommands(terminal.parts()).label(attempt.command());
    return recorded().stream()
        .filter(change -> change.isInterrupted() && change.label().equals(label))
        .reduce((_, newer) -> newer);
  }

  /// @throws dev.superstep.terminal.undo.UndoFailed if the workspace cannot be as before
  TakenBack newest() {
    var threads = Threads.in(terminal.threads());
    var holder = threads.find(id).flatMap(found -> found.holder());
    if (holder.isPresent()) {
      throw new ThreadBusy(id, holder.get().owner(), holder.get().until());
    }
    var now = terminal.graph().state(options).orElseThrow(TakingBack::nothing);
    var attempts = now.state().get(ATTEMPTS);
    int index = attempts.size() - 1;
    while (index >= 0 && !attempts.get(index).isStarted()) index--;
    if (index < 0) throw nothing();
    var to = before(index).orElseThrow(TakingBack::nothing);
    var lasting = new ArrayList<String>();
    var change = change(attempts.get(index));
    var paths = List.<String>of();
    if (change.isPresent()) {
      paths = terminal.parts().undo().undo(shell.workspace(), change.get().id());
      lasting.addAll(change.get().outside());
    }
    if (to.state().find(REQUEST).isPresent()) {
      var request = to.state().get(REQUEST);
      for (var each : request.lasting()) if (!lasting.contains(each)) lasting.add(each);
      if (shell.movesBack(Path.of(request.directory()))) lasting.add(SHELL_STAYS);
    }
    // The approval that comes is the word for whatever happens again.
    var _ = threads.repeatingEffects().rewind(id, to.checkpoint());
    return new TakenBack(paths, lasting);
  }

  private static NotApproved nothing() {
    return new NotApproved("No command of this conversation has run, so none can be taken back.");
  }

  /// The place where a command waited to be approved, or, if a rule did that, to be assessed.
  private Optional<ThreadState> before(int index) {
    var last = Optional.<String>empty();
    while (true) {
      var page = terminal.graph().history(last, PAGE, options);
      for (var checkpoint : page) {
        var state = terminal.graph().state(checkpoint.id(), options);
        if (state.isEmpty() || state.get().state().get(ATTEMPTS).size() != index) continue;
        var next = state.get().next();
        boolean isDue =
            next.contains(TerminalWorkflow.APPROVE) || next.contains(TerminalWorkflow.ASSESS);
        if (isDue) return state;
      }
      if (page.size() < PAGE) return Optional.empty();
      last = Optional.of(page.getLast().id());
    }
  }
}
