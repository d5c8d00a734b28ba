package dev.superstep.terminal.undo;

import dev.superstep.file.PrivateFiles;
import dev.superstep.terminal.undo.TreeEntry.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The files of a store beside its contents: recorded changes, and what is going on. One thread at
/// a time.
final class ChangeLog {
  private final Path folder;
  private final TreeMap<Long, Change> changes = new TreeMap<>();

  private ChangeLog(Path folder) {
    this.folder = folder;
  }

  static ChangeLog open(Path folder) throws IOException {
    var log = new ChangeLog(folder);
    PrivateFiles.createDirectories(folder.resolve("changes"));
    try (var files = Files.newDirectoryStream(folder.resolve("changes"), "*.json")) {
      for (var file : files) {
        var change = ChangeFile.read(Files.readString(file));
        log.changes.put(change.id(), change);
      }
    }
    return log;
  }

  List<Change> all() {
    return List.copyOf(changes.values());
  }

  Optional<Change> find(long id) {
    return Optional.ofNullable(changes.get(id));
  }

  /// The id of the next change; never one that was used.
  long nextId() throws IOException {
    long last = changes.isEmpty() ? 0 : changes.lastKey();
    var counter = folder.resolve("last-id");
    if (Files.exists(counter)) last = Math.max(last, Long.parseLong(Files.readString(counter)));
    PrivateFiles.replace(counter, Long.toString(last + 1));
    return last + 1;
  }

  void put(Change change) throws IOException {
    PrivateFiles.replace(file(change.id()), ChangeFile.text(change));
    changes.put(change.id(), change);
  }

  void remove(long id) throws IOException {
    Files.deleteIfExists(file(id));
    changes.remove(id);
  }

  private Path file(long id) {
    return folder.resolve("changes").resolve("%08d.json".formatted(id));
  }

  /// What is being watched: written before the command starts.
  void begin(Change started) throws IOException {
    PrivateFiles.replace(folder.resolve("pending.json"), ChangeFile.text(started));
  }

  Optional<Change> pending() throws IOException {
    var file = folder.resolve("pending.json");
    return Files.exists(file)
        ? Optional.of(ChangeFile.read(Files.readString(file)))
        : Optional.empty();
  }

  void end() throws IOException {
    Files.deleteIfExists(folder.resolve("pending.json"));
  }

  /// What is being undone: written before the first path is touched.
  void beginUndo(long id) throws IOException {
    PrivateFiles.replace(folder.resolve("undo"), Long.toString(id));
  }

  Optional<Long> undoing() throws IOException {
    var file = folder.resolve("undo");
    return Files.exists(file)
        ? Optional.of(Long.parseLong(Files.readString(file)))
        : Optional.empty();
  }

  void endUndo() throws IOException {
    Files.deleteIfExists(folder.resolve("undo"));
  }

  Set<String> secret() throws IOException {
    var file = folder.resolve("secret");
    return Files.exists(file) ? new HashSet<>(Files.readAllLines(file)) : new HashSet<>();
  }

  void secret(Set<String> paths) throws IOException {
    PrivateFiles.replace(folder.resolve("secret"), String.join("\n", paths) + "\n");
  }

  /// The contents that recorded changes need.
  Set<String> contents() {
    var names = new HashSet<String>();
    for (var change : changes.values()) {
      for (var path : change.paths()) {
        var before = path.before();
        if (before != null && before.kind() == Kind.FILE) names.add(before.content());
      }
    }
    return names;
  }

  /// Forgets the older half of the changes.
  void forgetOld() throws IOException {
    var ids = new ArrayList<>(changes.keySet());
    for (var id : ids.subList(0, (ids.size() + 1) / 2)) remove(id);
  }

  static Change started(long id, String label, Instant now, List<String> outside) {
    return new Change(id, label, now, List.of(), outside, true, false);
  }
}
