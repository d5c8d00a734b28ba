package dev.superstep.files;

import dev.superstep.lock.Mutex;
import dev.superstep.node.SuperstepLog;
import dev.superstep.tool.ToolError;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;

/// The files of a thread as a call of a tool sees and changes them. Changes are in the log of the
/// superstep at once, so that other calls see them and none is forgotten if the process dies. Safe
/// for many threads.
final class CallFiles implements FileTree {
  private static final int FILE_CHARACTERS_MAX = 1_000_000;
  private static final int FILES_MAX = 2_000;
  private static final long CHARACTERS_MAX = 20_000_000;

  private final Place place;
  private final String call;
  private final List<FileHistory.Change> mine = new ArrayList<>();

  /// The superstep that has the files.
  ///
  /// @param before as they were when it began
  /// @param owner its task that the call is part of
  /// @param lock of all who change files in this run
  record Place(FileHistory before, SuperstepLog<FileHistory.Change> log, String owner, Mutex lock) {
    /// The changes of the task.
    FileHistory.Changes changes() {
      try (var _ = lock.hold()) {
        return new FileHistory.Changes(
            log.entries().values().stream().filter(one -> one.owner().equals(owner)).toList());
      }
    }
  }

  /// @param call its key, the same in each attempt
  CallFiles(Place place, String call) {
    this.place = place;
    this.call = call;
  }

  Place place() {
    return place;
  }

  /// The texts, without what an attempt of this call has changed that did not end.
  private NavigableMap<String, String> texts() {
    return place
        .before()
        .texts(
            place.log().entries().values().stream()
                .filter(change -> !change.by().equals(call) || mine.contains(change))
                .sorted((a, b) -> Long.compare(a.order(), b.order()))
                .toList());
  }

  private static Optional<String> digest(NavigableMap<String, String> texts, String plain) {
    return Optional.ofNullable(texts.get(plain)).map(FileText::digestOf);
  }

  @Override
  public Optional<FileText> find(String path) {
    var plain = FilePath.file(path);
    try (var _ = place.lock().hold()) {
      return Optional.ofNullable(texts().get(plain)).map(text -> FileText.of(path, text));
    }
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    var plain = FilePath.file(path);
    if (text.length() > FILE_CHARACTERS_MAX) {
      throw new ToolError.Other(
          path,
          "It would have %d characters, and the most are %d. Write less, or several files."
              .formatted(text.length(), FILE_CHARACTERS_MAX));
    }
    try (var _ = place.lock().hold()) {
      if (isDone(plain, Optional.of(text))) return FileText.of(path, text);
      var texts = texts();
      FileConflict.check(path, expected, digest(texts, plain));
      checkPlace(path, plain, texts);
      checkRoom(path, plain, text, texts);
      add(plain, Optional.of(text));
    }
    return FileText.of(path, text);
  }

  @Override
  public void delete(String path, Expected expected) {
    var plain = FilePath.file(path);
    try (var _ = place.lock().hold()) {
      if (isDone(plain, Optional.empty())) return;
      FileConflict.checkDeletable(path, expected, digest(texts(), plain));
      add(plain, Optional.empty());
    }
  }

  /// Returns whether an attempt at this call that did not end has made the change.
  private boolean isDone(String plain, Optional<String> text) {
    for (var change : place.log().entries().values()) {
      if (!change.isOf(call, plain, text) || mine.contains(change)) continue;
      mine.add(change);
      return true;
    }
    return false;
  }

  private void add(String plain, Optional<String> text) {
    long order = place.before().last(place.log().entries().values()) + 1;
    var change = new FileHistory.Change(plain, text, order, place.owner(), call);
    place.log().add(change);
    mine.add(change);
  }

  /// Refuses a path that is both a file and a folder.
  private static void checkPlace(String path, String plain, NavigableMap<String, String> texts) {
    var first = texts.ceilingKey(plain + "/");
    if (first != null && FilePath.isBelow(first, plain)) {
      throw new ToolError.Other(path, "It is a folder. Use another path.");
    }
    for (int slash = plain.indexOf('/'); slash > 0; slash = plain.indexOf('/', slash + 1)) {
      if (!texts.containsKey(plain.substring(0, slash))) continue;
      throw new ToolError.Other(path, "A part of it is a file. Use another path.");
    }
  }

  private static void checkRoom(
      String path, String plain, String text, NavigableMap<String, String> texts) {
    if (!texts.containsKey(plain) && texts.size() >= FILES_MAX) {
      throw new ToolError.Other(
          path, "There are %d files already. Delete some first.".formatted(FILES_MAX));
    }
    long sum = (long) text.length() - texts.getOrDefault(plain, "").length();
    for (var one : texts.values()) sum += one.length();
    if (sum > CHARACTERS_MAX) {
      throw new ToolError.Other(
          path,
          "All files together would have more than %d characters. Delete some first."
              .formatted(CHARACTERS_MAX));
    }
  }

  @Override
  public FileList list(String folder) {
    try (var _ = place.lock().hold()) {
      return listed(texts(), folder);
    }
  }

  static FileList listed(NavigableMap<String, String> texts, String folder) {
    var plain = FilePath.folder(folder);
    var found = new ArrayList<FileList.Entry>();
    for (var file : texts.entrySet()) {
      if (!FilePath.isBelow(file.getKey(), plain)) continue;
      found.add(new FileList.Entry(file.getKey(), MemoryFiles.bytes(file.getValue())));
    }
    return new FileList(found, false);
  }
}
