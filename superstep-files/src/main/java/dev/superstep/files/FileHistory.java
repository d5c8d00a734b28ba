package dev.superstep.files;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// The files of a thread as its state has them. Immutable.
///
/// @param files by their plain paths, deleted ones included
record FileHistory(Map<String, Kept> files) {
  static final FileHistory EMPTY = new FileHistory(Map.of());

  FileHistory {
    // In order, so that equal files are stored as equal bytes.
    files = Collections.unmodifiableMap(new TreeMap<>(files));
  }

  /// A file.
  ///
  /// @param text empty if it was deleted
  /// @param order of the change that made it so, among all changes of the thread
  record Kept(Optional<String> text, long order) {}

  /// A change of a file by a call of a tool.
  ///
  /// @param owner the task, in the agent that has the files, that the call is part of
  /// @param by the call
  record Change(String path, Optional<String> text, long order, String owner, String by) {
    Kept kept() {
      return new Kept(text, order);
    }

    /// Returns whether the call has done this before, in an attempt that did not end.
    boolean isOf(String call, String file, Optional<String> content) {
      return by.equals(call) && path.equals(file) && text.equals(content);
    }
  }

  /// The changes of a task.
  record Changes(List<Change> changes) {
    Changes {
      changes = List.copyOf(changes);
    }
  }

  /// With these changes. Of two changes of a file the one that was made later counts, in whatever
  /// order their tasks are folded.
  FileHistory with(Changes made) {
    var all = new TreeMap<>(files);
    for (var change : made.changes()) {
      all.merge(change.path(), change.kept(), (old, now) -> old.order() < now.order() ? now : old);
    }
    return new FileHistory(all);
  }

  /// The files that are there, with changes that are not part of the state yet.
  NavigableMap<String, String> texts(Collection<Change> later) {
    var texts = new TreeMap<String, String>();
    for (var file : files.entrySet()) {
      file.getValue().text().ifPresent(text -> texts.put(file.getKey(), text));
    }
    for (var change : later) {
      if (change.text().isPresent()) texts.put(change.path(), change.text().get());
      else texts.remove(change.path());
    }
    return texts;
  }

  /// The number of the last change.
  long last(Collection<Change> later) {
    long last = 0;
    for (var kept : files.values()) last = Math.max(last, kept.order());
    for (var change : later) last = Math.max(last, change.order());
    return last;
  }
}
