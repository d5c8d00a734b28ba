package dev.superstep.terminal.undo;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The undo of a program that runs commands in workspaces. Opens the stores of their changes when
/// they are needed, and keeps between two commands what it knows, while other processes may use the
/// stores. Commands of one workspace wait for each other, so that each change belongs to one. Safe
/// for many threads.
public final class WorkspaceUndo implements AutoCloseable {
  private final @Nullable Function<Path, UndoPlace> places;
  private final UndoLimits limits;
  private final InstantSource clock;
  private final Map<Path, Watched> workspaces = new HashMap<>();
  private volatile Consumer<Change> listener = _ -> {};

  /// A workspace, and the right to work with it.
  private static final class Watched {
    final ReentrantLock turn = new ReentrantLock(true);
    volatile @Nullable ChangeTracker tracker;
    volatile @Nullable Thread looking;
  }

  private WorkspaceUndo(
      @Nullable Function<Path, UndoPlace> places, UndoLimits limits, InstantSource clock) {
    this.places = places;
    this.limits = limits;
    this.clock = clock;
  }

  /// No undo: nothing is watched, and each question about a command says so.
  public static WorkspaceUndo none() {
    return new WorkspaceUndo(null, UndoLimits.standard(), InstantSource.system());
  }

  /// An undo.
  ///
  /// @param places gives the store of each workspace
  public static WorkspaceUndo of(
      Function<Path, UndoPlace> places, UndoLimits limits, InstantSource clock) {
    return new WorkspaceUndo(places, limits, clock);
  }

  /// Sets who hears of each change after its command.
  public WorkspaceUndo listening(Consumer<Change> who) {
    listener = who;
    return this;
  }

  /// Begins to look at a workspace on another thread: the first look reads all of it, and can be
  /// done while a model plans.
  public void prepare(Path workspace) {
    if (places == null) return;
    var watched = watched(workspace);
    if (watched.tracker != null || watched.looking != null) return;
    Thread.ofVirtual()
        .name("superstep-undo-first-look")
        .start(() -> {
          var _ = gap(workspace);
        });
  }

  /// Why nothing that a command changes in a workspace can be taken back; empty if it can.
  public Optional<String> gap(Path workspace) {
    if (places == null) return Optional.of("changes are not recorded");
    var watched = watched(workspace);
    // Whoever holds it has opened it, and works with it.
    if (watched.turn.isHeldByCurrentThread()) return Optional.empty();
    watched.turn.lock();
    try {
      opened(workspace, watched).pause();
      return Optional.empty();
    } catch (UndoFailed e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } finally {
      watched.turn.unlock();
    }
  }

  /// The paths of a workspace whose contents are not kept, each with the reason, as far as it was
  /// looked at.
  public List<String> unkept(Path workspace) {
    return with(workspace, List.of(), tracker -> tracker.coverage().gaps());
  }

  /// Runs something that changes a workspace, and records what it changes, also if it fails.
  ///
  /// @param label such as the command, without secrets
  /// @param outside what it may change elsewhere, from [OutsideEffects]
  /// @return the change; empty if there is none
  /// @throws UndoFailed if the workspace cannot be watched; nothing was run then
  public <E extends Exception> Optional<Change> during(
      Path workspace, String label, List<String> outside, ChangeTracker.Action<E> action)
      throws E, InterruptedException {
    var watched = watched(workspace);
    watched.turn.lockInterruptibly();
    try {
      var tracker = opened(workspace, watched);
      var _ = tracker.begin(label, outside);
      try {
        action.run();
      } catch (Throwable e) {
        var _ = finished(watched, tracker);
        throw e;
      }
      return finished(watched, tracker);
    } finally {
      watched.turn.unlock();
    }
  }

  private Optional<Change> finished(Watched watched, ChangeTracker tracker) {
    // Channels of files do not work on a thread that is interrupted.
    boolean isInterrupted = Thread.interrupted();
    try {
      var change = tracker.finish();
      boolean isNothing = change.paths().isEmpty() && change.outside().isEmpty();
      if (isNothing) tracker.forget(change.id());
      tracker.pause();
      if (isNothing) return Optional.empty();
      listener.accept(change);
      return Optional.of(change);
    } catch (UndoFailed e) {
      // Whoever opens the store next records it as interrupted.
      watched.tracker = null;
      tracker.close();
      throw e;
    } finally {
      if (isInterrupted) Thread.currentThread().interrupt();
    }
  }

  /// The recorded changes of a workspace, the oldest first.
  public List<Change> changes(Path workspace) {
    return with(workspace, List.of(), ChangeTracker::changes);
  }

  /// Takes a change back, as a whole or not at all.
  ///
  /// @return the paths that are as before again
  /// @throws UndoFailed if there is no such change, it was changed since, or a content is not kept
  public List<String> undo(Path workspace, long id) {
    if (places == null) throw UndoFailed.unknown(id);
    return with(workspace, List.of(), tracker -> tracker.undo(id));
  }

  private <R> R with(Path workspace, R none, Function<ChangeTracker, R> use) {
    if (places == null) return none;
    var watched = watched(workspace);
    watched.turn.lock();
    try {
      var tracker = opened(workspace, watched);
      try {
        return use.apply(tracker);
      } finally {
        tracker.pause();
      }
    } finally {
      watched.turn.unlock();
    }
  }

  private synchronized Watched watched(Path workspace) {
    return workspaces.computeIfAbsent(workspace, _ -> new Watched());
  }

  private ChangeTracker opened(Path workspace, Watched watched) {
    if (places == null) throw new IllegalStateException("there is no undo");
    var known = watched.tracker;
    if (known != null) {
      known.resume();
      return known;
    }
    var tracker = ChangeTracker.open(places.apply(workspace), limits, clock);
    watched.tracker = tracker;
    return tracker;
  }

  @Override
  public void close() {
    List<Watched> all;
    synchronized (this) {
      all = new ArrayList<>(workspaces.values());
      workspaces.clear();
    }
    for (var each : all) {
      // A first look may take long, and nobody needs it any more; the next process goes on with it.
      var looking = each.looking;
      if (looking != null) looking.interrupt();
      each.turn.lock();
      try {
        var tracker = each.tracker;
        each.tracker = null;
        if (tracker != null) tracker.close();
      } finally {
        each.turn.unlock();
      }
    }
  }
}
