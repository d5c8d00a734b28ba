package dev.superstep.acp;

import dev.superstep.event.Detail;
import dev.superstep.graph.RunOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A session that is open on a connection. Safe for many threads.
final class Session {
  private final Served served;
  private final EditorSession editor;
  private final Updates updates;
  private final AtomicReference<@Nullable Turn> turn = new AtomicReference<>();
  private final AtomicReference<List<String>> unused;
  private volatile String title;

  /// @param title empty for one without a prompt
  /// @param servers the names of the servers that the editor would have had started
  Session(
      Served served, EditorSession editor, Updates updates, String title, List<String> servers) {
    this.served = served;
    this.editor = editor;
    this.updates = updates;
    this.title = title;
    this.unused = new AtomicReference<>(servers);
  }

  String id() {
    return editor.id();
  }

  Path folder() {
    return editor.folder();
  }

  boolean hasForms() {
    return editor.hasForms();
  }

  Updates updates() {
    return updates;
  }

  String title() {
    return title;
  }

  void title(String text) {
    title = text;
  }

  /// The options of its runs.
  RunOptions options() {
    var options =
        RunOptions.thread(id())
            .checkpoints(served.store())
            .metadata(StoredSessions.AGENT, served.name())
            .metadata(StoredSessions.FOLDER, editor.folder().toString())
            .metadata(StoredSessions.TITLE, title)
            .with(EditorSession.KEY, editor)
            .waitForLease(served.limits().lease())
            .details(Detail.UPDATES);
    return served.options().apply(options);
  }

  /// The turn at work.
  Optional<Turn> turn() {
    return Optional.ofNullable(turn.get());
  }

  /// Begins a turn: at once, or after the rest of an earlier one.
  ///
  /// @throws RpcFailure if a prompt is at work
  void begin(Turn next) throws RpcFailure {
    while (true) {
      var now = turn.get();
      if (now != null && !now.isRest()) {
        throw new RpcFailure(
            RpcFailure.INVALID_REQUEST, "A turn of this session is at work. Cancel it, or wait.");
      }
      if (now != null) next.waitFor(now);
      if (turn.compareAndSet(now, next)) return;
    }
  }

  /// Ends a turn, unless another one took its place.
  void end(Turn which) {
    var _ = turn.compareAndSet(which, null);
  }

  /// The servers that are not used, the first time that this is asked.
  List<String> unusedServers() {
    return unused.getAndSet(List.of());
  }
}
