package dev.superstep.terminal;

import dev.superstep.graph.Threads;
import dev.superstep.node.Ids;
import dev.superstep.run.Input;
import dev.superstep.terminal.CommandReview.Circumstances;
import dev.superstep.terminal.CommandReview.Verdict;
import dev.superstep.terminal.privacy.OutputFence;
import dev.superstep.terminal.shell.ShellScript;
import dev.superstep.terminal.undo.Change;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// A session: a workspace with a shell, the commands that a person types, and conversations. Safe
/// for many threads.
public final class TerminalSession {
  private static final int NAME_WORDS = 4;
  private static final int NAME_MAX = 40;
  private static final int SECRET_BYTES = 32;

  private final Terminal terminal;
  private final String id;
  private final SessionShell shell;
  private final WatchedCommands watched;

  TerminalSession(Terminal terminal, SessionRecord record, Map<String, String> environment) {
    this.terminal = terminal;
    this.id = record.id();
    this.shell =
        new SessionShell(terminal.parts(), terminal.store(), record, environment, this::related);
    this.watched = new WatchedCommands(terminal.parts());
  }

  /// The record of the session as it is stored.
  public SessionRecord record() {
    return terminal.store().required(id);
  }

  /// The outcome of a command that a person typed.
  public sealed interface Typed {
    /// It ran.
    record Ran(CommandResult result) implements Typed {}

    /// The rules deny it; nothing was started.
    record Denied(List<String> reasons) implements Typed {
      public Denied {
        reasons = List.copyOf(reasons);
      }
    }
  }

  /// Runs a command that a person typed, at once and without a conversation: who types a command
  /// has approved it. Where it leaves the directory and the variables is where the next one begins.
  public Typed run(String command) throws InterruptedException {
    var parts = terminal.parts();
    var circumstances = Circumstances.typed(shell.workspace(), shell.directory(), shell.home());
    var review = parts.review().review(ShellScript.parse(command), circumstances);
    if (review.verdict() == Verdict.DENY) return new Typed.Denied(review.reasons());
    var execution = Executions.of(command, review, shell, parts.limits(), Executions.Purpose.TYPED);
    var ending = watched.run(execution, shell, parts.clock(), true);
    var result = ending.result().orElseThrow();
    shell.typed(command, result);
    return new Typed.Ran(result);
  }

  /// The changes of the workspace by commands, the oldest first, as far as they are recorded.
  public List<Change> changes() {
    return terminal.parts().undo().changes(shell.workspace());
  }

  /// Takes back what one command changed, as a whole or not at all.
  ///
  /// @return the paths that are as before again
  /// @throws dev.superstep.terminal.undo.UndoFailed if it cannot be; nothing is changed then
  public List<String> undo(long change) {
    return terminal.parts().undo().undo(shell.workspace(), change);
  }

  /// Begins a conversation. Nothing is asked before [TerminalConversation#advance].
  public TerminalConversation ask(String prompt) {
    var parts = terminal.parts();
    var redacted = parts.redact().apply(prompt.strip());
    if (redacted.isEmpty()) throw new IllegalArgumentException("prompt must not be blank");
    var info =
        new ConversationInfo(
            Ids.timeOrdered().next(),
            id,
            name(redacted),
            parts.models().name(),
            redacted,
            parts.clock().instant());
    shell.began(info.id());
    var input = Input.of(WorkflowState.INFO, info).and(WorkflowState.SECRET, secret());
    return new TerminalConversation(terminal, shell, info.id(), Optional.of(input));
  }

  /// Begins a conversation that goes on from where another one of this session stands, which is not
  /// changed. No approval of one is valid in the other.
  ///
  /// @throws dev.superstep.error.ThreadError if there is none of this id
  public TerminalConversation fork(String conversation) {
    var threads = Threads.in(terminal.threads());
    var head =
        threads.history(conversation, Optional.empty(), 1).stream()
            .findFirst()
            .map(checkpoint -> checkpoint.id())
            .orElse("");
    var id = Ids.timeOrdered().next();
    var _ = threads.repeatingEffects().fork(conversation, head, id);
    shell.began(id);
    return new TerminalConversation(terminal, shell, id, Optional.empty());
  }

  /// A conversation of this session that is stored, or empty if there is none.
  public Optional<TerminalConversation> conversation(String conversation) {
    if (!record().conversations().contains(conversation)) return Optional.empty();
    var found = new TerminalConversation(terminal, shell, conversation, Optional.empty());
    return found.isStored() ? Optional.of(found) : Optional.empty();
  }

  /// The conversations, the newest first.
  public List<ConversationView> conversations() {
    return conversations(Optional.empty(), Integer.MAX_VALUE);
  }

  /// A page of conversations, the newest first. Costs as much as the page is long.
  ///
  /// @param after the id of the last one seen, or empty to begin with the newest
  public List<ConversationView> conversations(Optional<String> after, int most) {
    var views = new ArrayList<ConversationView>();
    var all = record().conversations().reversed();
    int from = after.map(all::indexOf).orElse(-1) + 1;
    for (var each : all.subList(from, all.size())) {
      if (views.size() == most) break;
      var found = new TerminalConversation(terminal, shell, each, Optional.empty());
      if (found.isStored()) views.add(found.view());
    }
    return views;
  }

  /// Outcomes of the newest conversations of this session, for the planner.
  private List<String> related(int most) {
    return conversations().stream()
        .filter(view -> view.status().isFinal())
        .limit(most)
        .map(TerminalSession::outcome)
        .toList();
  }

  private static String outcome(ConversationView view) {
    var asked = OutputFence.without(view.info().prompt()) + " (" + view.status().label() + ")";
    var summary = view.summary();
    return summary.isEmpty() ? asked : asked + "; " + summary.text();
  }

  /// A name for people: the first words of the first line that was asked. Data may follow it.
  private static String name(String prompt) {
    var words = new ArrayList<String>();
    var first = prompt.lines().findFirst().orElse("");
    for (var word : first.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", 0)) {
      if (!word.isEmpty() && words.size() < NAME_WORDS) words.add(word);
    }
    var name = String.join("-", words);
    if (name.isEmpty()) return "conversation";
    int most =
        name.offsetByCodePoints(0, Math.min(NAME_MAX, name.codePointCount(0, name.length())));
    return name.substring(0, most);
  }

  private static String secret() {
    var bytes = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  @Override
  public String toString() {
    return "TerminalSession[" + id + "]";
  }
}
