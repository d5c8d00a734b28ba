package dev.superstep.terminal.undo;

import dev.superstep.file.PrivateFiles;
import dev.superstep.terminal.undo.Change.ChangedPath;
import dev.superstep.terminal.undo.TreeEntry.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// Finds out what commands change in a workspace, and takes it back: files, links, folders and
/// modes, also those of `.git`. It keeps a copy of each content before it can be changed, and looks
/// at the whole workspace before and after, so it makes no difference which program changed what.
///
/// ```java
/// try (var changes = ChangeTracker.open(place, UndoLimits.standard(), clock)) {
///   var change = changes.during("make", List.of(), () -> run(command));
///   changes.undo(change.id());
/// }
/// ```
///
/// The record survives the death of the process at any moment: what was being watched is recorded
/// as an interrupted change by the next one who opens the store, and an undo goes on. Safe for many
/// threads, one at a time; one process at a time.
public final class ChangeTracker implements AutoCloseable {
  private static final String CONTENTS = "contents";
  private static final String TURN = "turn";

  private final UndoPlace place;
  private final Path store;
  private final UndoLimits limits;
  private final InstantSource clock;
  private final TreeFile treeFile;
  private final FolderWatch watch;
  private final TreeScan.Reading reading;
  private FileChannel lock;
  private BlobStore blobs;
  private ChangeLog log;
  private Map<String, TreeEntry> tree = Map.of();
  private String turn = "";
  private Optional<Change> recovered = Optional.empty();
  private Optional<Change> started = Optional.empty();

  /// Something that changes a workspace.
  @FunctionalInterface
  public interface Action<E extends Exception> {
    void run() throws E;
  }

  /// The part of a workspace that can be undone.
  ///
  /// @param gaps paths whose content is not kept, each with the reason
  public record Coverage(int files, long keptBytes, List<String> gaps) {
    public Coverage {
      gaps = List.copyOf(gaps);
    }
  }

  private ChangeTracker(
      UndoPlace place, UndoLimits limits, InstantSource clock, FileChannel lock, FolderWatch watch)
      throws IOException {
    this.place = place;
    this.store = place.store();
    this.limits = limits;
    this.clock = clock;
    this.lock = lock;
    this.watch = watch;
    this.reading = new TreeScan.Reading(FolderReader.open(), watch);
    this.treeFile = new TreeFile(store);
    this.blobs = BlobStore.open(store.resolve(CONTENTS));
    this.log = ChangeLog.open(store);
  }

  /// Opens the store of a workspace, which may be new, and looks at the workspace.
  ///
  /// @throws UndoFailed if another process has it, the workspace has too many files, or its file
  ///   system is not that of a Unix
  public static ChangeTracker open(UndoPlace place, UndoLimits limits, InstantSource clock) {
    var views = place.workspace().getFileSystem().supportedFileAttributeViews();
    if (!views.contains("unix")) throw UndoFailed.unsupported(place.workspace().toString());
    try {
      PrivateFiles.createDirectories(place.store());
      var real = place.real();
      var lock = lock(real.store());
      var watch = FolderWatch.open(real.workspace());
      try {
        var tracker = new ChangeTracker(real, limits, clock, lock, watch);
        tracker.recover();
        return tracker;
      } catch (IOException | RuntimeException e) {
        watch.close();
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw UndoFailed.io("the workspace cannot be watched", e);
    }
  }

  private static FileChannel lock(Path store) throws IOException {
    var file = store.resolve("lock");
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) PrivateFiles.append(file).close();
    var channel = FileChannel.open(file, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) return channel;
    } catch (OverlappingFileLockException _) {
      // This process has it, by another tracker.
    }
    channel.close();
    throw UndoFailed.busy(store.toString());
  }

  /// Lets other processes have the store until [#resume], and keeps what is known. Does nothing
  /// while a change is being watched.
  public synchronized void pause() {
    if (started.isPresent()) return;
    unlock();
  }

  /// Goes on after [#pause]; what another process did meanwhile is looked up.
  ///
  /// @throws UndoFailed if another process has the store
  public synchronized void resume() {
    if (lock.isOpen()) return;
    try {
      lock = lock(store);
      try {
        if (readTurn().equals(turn)) return;
        blobs = BlobStore.open(store.resolve(CONTENTS));
        log = ChangeLog.open(store);
        recover();
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw UndoFailed.io("the workspace cannot be watched", e);
    }
  }

  private String readTurn() throws IOException {
    var file = store.resolve(TURN);
    return Files.exists(file) ? Files.readString(file) : "";
  }

  private void recover() throws IOException {
    recovered = Optional.empty();
    // Whoever had the store before knows by this that it has changed hands.
    turn = UUID.randomUUID().toString();
    PrivateFiles.replace(store.resolve(TURN), turn);
    var known = treeFile.read();
    tree = known.orElseGet(Map::of);
    var undoing = log.undoing();
    if (undoing.isPresent()) finishUndo(undoing.get());
    var pending = log.pending();
    if (pending.isPresent() && log.find(pending.get().id()).isEmpty()) {
      if (known.isPresent()) {
        recovered = Optional.of(record(pending.get(), true));
      } else {
        var outside = new ArrayList<>(pending.get().outside());
        outside.add("what it changed in the workspace is not known");
        var at = pending.get();
        var lost = new Change(at.id(), at.label(), at.begun(), List.of(), outside, true, false);
        log.put(lost);
        recovered = Optional.of(lost);
      }
    }
    log.end();
    look();
  }

  /// The change that was being watched when the process before this one died.
  public Optional<Change> recovered() {
    return recovered;
  }

  /// Tells what could not be undone if something changed it.
  public synchronized Coverage coverage() {
    var gaps = new ArrayList<String>();
    new TreeMap<>(tree)
        .forEach((path, entry) -> {
          if (!entry.isKept()) gaps.add(path + ": " + entry.gap());
        });
    return new Coverage(tree.size(), blobs.bytes(), gaps);
  }

  /// Begins to watch: all that is there is kept, and then whatever changes is a part of the change.
  ///
  /// @param label such as the command, without secrets
  /// @param outside what it may change elsewhere, from [OutsideEffects]
  /// @return the id of the change
  public synchronized long begin(String label, List<String> outside) {
    if (started.isPresent()) throw new IllegalStateException("a change is being watched already");
    try {
      look();
      var change = ChangeLog.started(log.nextId(), label, clock.instant(), outside);
      log.begin(change);
      started = Optional.of(change);
      return change.id();
    } catch (IOException e) {
      throw UndoFailed.io("the workspace cannot be watched", e);
    }
  }

  /// Ends to watch, and records what has changed since [#begin].
  public synchronized Change finish() {
    var change = started.orElseThrow(() -> new IllegalStateException("nothing is being watched"));
    try {
      var recorded = record(change, false);
      started = Optional.empty();
      log.end();
      makeRoom();
      return recorded;
    } catch (IOException e) {
      throw UndoFailed.io("what `" + change.label() + "` changed cannot be recorded", e);
    }
  }

  /// Watches while something runs, also if it fails.
  public <E extends Exception> Change during(String label, List<String> outside, Action<E> action)
      throws E {
    begin(label, outside);
    try {
      action.run();
    } catch (Throwable e) {
      finish();
      throw e;
    }
    return finish();
  }

  /// The recorded changes, the oldest first.
  public synchronized List<Change> changes() {
    return log.all();
  }

  /// Takes a change back, as a whole or not at all.
  ///
  /// @return the paths that are as before again
  /// @throws UndoFailed if there is no such change, it was changed since, or a content is not kept
  public synchronized List<String> undo(long id) {
    if (started.isPresent()) throw new IllegalStateException("a change is being watched");
    var change = log.find(id).filter(c -> !c.isUndone()).orElseThrow(() -> UndoFailed.unknown(id));
    try {
      var undoing = undoing(change);
      var conflicts = undoing.conflicts();
      if (!conflicts.isEmpty()) throw UndoFailed.conflict(conflicts);
      var missing = undoing.notKept();
      if (!missing.isEmpty()) throw UndoFailed.notKept(missing);
      log.beginUndo(id);
      finishUndo(id);
      look();
      return change.paths().stream().map(ChangedPath::path).toList();
    } catch (IOException e) {
      throw UndoFailed.io(
          "the undo of change " + id + " stopped, and goes on when it is opened", e);
    }
  }

  /// Forgets a change, and every content that only it needs.
  public synchronized void forget(long id) {
    try {
      log.remove(id);
      retain();
    } catch (IOException e) {
      throw UndoFailed.io("change " + id + " cannot be forgotten", e);
    }
  }

  /// Forgets every kept content of a file, and keeps none from now on.
  ///
  /// @param path relative to the workspace
  public synchronized void forgetContent(String path) {
    try {
      var secret = log.secret();
      secret.add(path);
      log.secret(new TreeSet<>(secret));
      for (var change : log.all()) {
        var paths = change.paths().stream().map(p -> p.path().equals(path) ? without(p) : p);
        log.put(
            new Change(
                change.id(),
                change.label(),
                change.begun(),
                paths.toList(),
                change.outside(),
                change.isInterrupted(),
                change.isUndone()));
      }
      watch.doubt();
      look();
      retain();
    } catch (IOException e) {
      throw UndoFailed.io("the content of " + path + " cannot be forgotten", e);
    }
  }

  private static ChangedPath without(ChangedPath path) {
    var before = path.before();
    var after = path.after();
    return new ChangedPath(
        path.path(),
        before == null ? null : before.withoutContent("its content is secret"),
        after == null ? null : after.withoutContent("its content is secret"));
  }

  private void finishUndo(long id) throws IOException {
    var change = log.find(id).orElseThrow(() -> UndoFailed.unknown(id));
    var undoing = undoing(change);
    undoing.sweep();
    undoing.apply();
    log.put(change.undone());
    log.endUndo();
  }

  private Undoing undoing(Change change) throws IOException {
    var scan = scan();
    return new Undoing(
        place.workspace(), blobs, (path, name) -> scan.look(path, name, tree.get(name)), change);
  }

  private TreeScan scan() throws IOException {
    var scope = new TreeScan.Scope(limits, place.without(), log.secret());
    return new TreeScan(place.workspace(), tree, blobs, scope, reading);
  }

  /// Brings the known state up to date; it is written if it has changed.
  private void look() throws IOException {
    if (watch.isChanged()) keep(scanned());
  }

  private Map<String, TreeEntry> scanned() throws IOException {
    try {
      return scan().scan();
    } catch (IOException | RuntimeException e) {
      watch.doubt();
      throw e;
    }
  }

  private void keep(Map<String, TreeEntry> now) throws IOException {
    try {
      treeFile.write(tree, now);
    } catch (IOException e) {
      watch.doubt();
      throw e;
    }
    tree = now;
  }

  private Change record(Change begun, boolean isInterrupted) throws IOException {
    var now = watch.isChanged() ? scanned() : tree;
    var paths = changed(tree, now);
    var change =
        new Change(
            begun.id(), begun.label(), begun.begun(), paths, begun.outside(), isInterrupted, false);
    // First the record, then the state: a crash in between finds the record.
    log.put(change);
    keep(now);
    return change;
  }

  @SuppressWarnings("ReferenceEquality") // a scan returns the entries that it knows
  private static List<ChangedPath> changed(
      Map<String, TreeEntry> before, Map<String, TreeEntry> now) {
    var names = new TreeSet<String>();
    for (var entry : now.entrySet()) {
      var old = before.get(entry.getKey());
      if (old == entry.getValue()) continue;
      if (old == null || !old.isSameAs(entry.getValue())) names.add(entry.getKey());
    }
    for (var name : before.keySet()) if (!now.containsKey(name)) names.add(name);
    return names.stream()
        .map(name -> new ChangedPath(name, before.get(name), now.get(name)))
        .toList();
  }

  private void makeRoom() throws IOException {
    while (blobs.bytes() > limits.totalBytes() / 10 * 8) {
      retain();
      if (blobs.bytes() <= limits.totalBytes() / 10 * 8 || log.all().size() <= 1) return;
      log.forgetOld();
    }
  }

  private void retain() throws IOException {
    var names = new HashSet<>(log.contents());
    for (var entry : tree.values()) if (entry.kind() == Kind.FILE) names.add(entry.content());
    blobs.retain(names);
  }

  private void unlock() {
    try {
      lock.close();
    } catch (IOException e) {
      throw UndoFailed.io("the store of changes cannot be closed", e);
    }
  }

  @Override
  public void close() {
    watch.close();
    unlock();
  }
}
