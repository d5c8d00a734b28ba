package dev.superstep.terminal;

import dev.superstep.json.SuperstepException;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.terminal.approval.ApprovalDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Keeps the records of sessions in a long-term store. Safe for many threads and processes.
final class SessionStore {
  private static final Namespace SESSIONS = Namespace.of("terminal", "sessions");
  private static final Namespace STARTED = Namespace.of("terminal", "started");
  private static final int STARTED_MAX = 5_000;
  private static final int TRIES = 100;

  private final Store store;

  SessionStore(Store store) {
    this.store = store;
  }

  void save(SessionRecord record) {
    store.put(Put.of(SESSIONS, record.id(), record).notEmbedded());
  }

  Optional<SessionRecord> find(String id) {
    return store.get(SESSIONS, id, SessionRecord.class);
  }

  SessionRecord required(String id) {
    return find(id).orElseThrow(() -> new UnknownSession(id));
  }

  /// All sessions, the most recently used first.
  List<SessionRecord> all() {
    return store.search(Search.in(SESSIONS).limit(Search.LIMIT_MAX)).stream()
        .map(hit -> hit.item().as(SessionRecord.class))
        .sorted(Comparator.comparing(SessionRecord::lastActive).reversed())
        .toList();
  }

  void delete(String id) {
    store.delete(SESSIONS, id);
  }

  /// Changes a record as it is now; again if another one changes it meanwhile.
  void update(String id, UnaryOperator<SessionRecord> change) {
    for (int i = 0; i < TRIES; i++) {
      var item = store.get(SESSIONS, id).orElseThrow(() -> new UnknownSession(id));
      var changed = change.apply(item.as(SessionRecord.class));
      var put = Put.of(SESSIONS, id, changed).notEmbedded();
      if (store.putIfVersion(put, item.version()).isPresent()) return;
    }
    throw new IllegalStateException("session `" + id + "` is changed by too many at once");
  }

  /// Notes that a command is about to start in a conversation. A rewind does not take it back.
  void starting(String conversation, String command) {
    var digest = ApprovalDigest.sha256(command);
    for (int i = 0; i < TRIES; i++) {
      var item = store.get(STARTED, conversation);
      var before = item.map(one -> one.as(Started.class).commands()).orElse(List.of());
      var all =
          new ArrayList<>(before.subList(Math.max(0, before.size() - STARTED_MAX), before.size()));
      all.add(digest);
      var put = Put.of(STARTED, conversation, new Started(all)).notEmbedded();
      var kept =
          item.isPresent() ? store.putIfVersion(put, item.get().version()) : store.putIfAbsent(put);
      if (kept.isPresent()) return;
    }
    throw new IllegalStateException(
        "conversation `" + conversation + "` is changed by too many at once");
  }

  /// Counts the starts of a command in a conversation, in its forks, and in the parts of them that
  /// rewinds have left.
  int starts(String conversation, String command) {
    return store
        .get(STARTED, conversation, Started.class)
        .map(started -> Collections.frequency(started.commands(), ApprovalDigest.sha256(command)))
        .orElse(0);
  }

  /// Forgets what was started in a conversation that is deleted.
  void forget(String conversation) {
    store.delete(STARTED, conversation);
  }

  /// The digests of the commands that were started, the oldest first. Stored.
  record Started(List<String> commands) {}

  /// There is no such session.
  static final class UnknownSession extends SuperstepException {
    UnknownSession(String id) {
      super(
          "terminal.unknown-session",
          "There is no session `%s` in this store. List the sessions, or open one.".formatted(id));
    }
  }
}
