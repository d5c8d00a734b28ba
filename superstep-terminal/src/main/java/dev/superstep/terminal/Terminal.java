package dev.superstep.terminal;

import dev.superstep.checkpoint.Checkpointer;
import dev.superstep.event.Event;
import dev.superstep.event.Redaction;
import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.graph.Threads;
import dev.superstep.json.Codec;
import dev.superstep.node.Ids;
import dev.superstep.store.Store;
import dev.superstep.terminal.approval.Approvals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Opens sessions of the terminal workflow, and the conversations that belong to them.
///
/// ```java
/// var terminal = Terminal.of(parts, checkpointer, store);
/// var session = terminal.open(workspace, environment);
/// var conversation = session.ask("find the largest files here");
/// var view = conversation.advance();         // until it waits for somebody
/// switch (view.waiting()) { ... }            // decide, approve, answer, recover
/// ```
///
/// Conversations are threads of the checkpointer, with journals; sessions are records of the store.
/// Safe for many threads.
public final class Terminal {
  /// The time after which a session that nobody used is forgotten.
  public static final Duration RETENTION = Duration.ofDays(30);

  /// The number of conversations that a session keeps.
  public static final int CONVERSATIONS_MAX = 50;

  private static final Codec<Event> EVENT = Codec.of(Event.class);

  private final TerminalParts parts;
  private final Checkpointer threads;
  private final SessionStore sessions;
  private final Approvals approvals;
  private final Graph graph;

  private Terminal(TerminalParts parts, Checkpointer threads, Store store) {
    this.parts = parts;
    this.threads = threads;
    this.sessions = new SessionStore(store);
    this.approvals = Approvals.of(parts.clock(), parts.limits().approvalValidity());
    this.graph = TerminalWorkflow.graph(parts, approvals);
  }

  /// A terminal.
  ///
  /// @param threads where conversations are stored; it keeps journals
  /// @param store where sessions are stored
  public static Terminal of(TerminalParts parts, Checkpointer threads, Store store) {
    return new Terminal(parts, threads, store);
  }

  /// Opens a new session in a workspace.
  ///
  /// @param environment the variables that its commands get, and no others
  public TerminalSession open(Path workspace, Map<String, String> environment) {
    var now = parts.clock().instant();
    var root = workspace.toAbsolutePath().normalize();
    var record =
        new SessionRecord(
            Ids.timeOrdered().next(),
            now,
            now,
            root.toString(),
            root.toString(),
            SessionShell.masked(environment),
            Projects.kind(root),
            Projects.tools(environment.getOrDefault("PATH", "")),
            List.of(),
            List.of());
    sessions.save(record);
    return new TerminalSession(this, record, environment);
  }

  /// Opens a session that is stored, with variables of this process, or empty if there is none.
  public Optional<TerminalSession> open(String session, Map<String, String> environment) {
    return sessions.find(session).map(record -> new TerminalSession(this, record, environment));
  }

  /// The sessions, the most recently used first.
  public List<SessionRecord> sessions() {
    return sessions.all();
  }

  /// Deletes sessions that nobody used for [#RETENTION], and the oldest conversations of the others
  /// beyond [#CONVERSATIONS_MAX], with their threads. Conversations that are at work or wait for
  /// somebody stay, and so do their sessions.
  ///
  /// @return how many conversations are gone
  public int prune() {
    var before = parts.clock().instant().minus(RETENTION);
    int gone = 0;
    for (var record : sessions.all()) {
      boolean isOld = record.lastActive().isBefore(before);
      int kept = isOld ? 0 : CONVERSATIONS_MAX;
      var all = record.conversations();
      var old =
          all.subList(0, Math.max(0, all.size() - kept)).stream().filter(this::isOver).toList();
      for (var conversation : old) {
        Threads.in(threads).delete(conversation);
        sessions.forget(conversation);
      }
      gone += old.size();
      if (isOld && old.size() == all.size()) sessions.delete(record.id());
      else if (!old.isEmpty()) sessions.update(record.id(), now -> without(now, old));
    }
    return gone;
  }

  /// Returns whether nothing is to come in a conversation: it is at its end, or was never begun.
  private boolean isOver(String conversation) {
    boolean isAtWork =
        Threads.in(threads).find(conversation).flatMap(found -> found.holder()).isPresent();
    if (isAtWork) return false;
    var options = RunOptions.defaults().on(conversation, threads);
    return graph.state(options).map(state -> state.next().isEmpty()).orElse(true);
  }

  private static SessionRecord without(SessionRecord record, List<String> conversations) {
    var left = record.conversations().stream().filter(id -> !conversations.contains(id)).toList();
    return record.withConversations(left);
  }

  TerminalParts parts() {
    return parts;
  }

  Checkpointer threads() {
    return threads;
  }

  SessionStore store() {
    return sessions;
  }

  Approvals approvals() {
    return approvals;
  }

  Graph graph() {
    return graph;
  }

  /// The options of a run on a conversation. Its journal holds what was said, without secrets.
  RunOptions options(String conversation, SessionShell shell) {
    return RunOptions.defaults()
        .on(conversation, threads)
        .clock(parts.clock())
        .approvalTime(parts.limits().approvalValidity())
        .journal(redaction())
        .with(TerminalWorkflow.SHELL, shell);
  }

  private Redaction redaction() {
    var redact = parts.redact();
    return event -> EVENT.decode(RedactedJson.of(EVENT.encode(event), redact));
  }

  @Override
  public String toString() {
    return "Terminal[" + threads + "]";
  }
}
