package dev.superstep.files;

import dev.superstep.json.Json;
import dev.superstep.tool.ToolContext;
import dev.superstep.tool.ToolError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Files that can be changed as any, while the files below stay as they are: the changes are
/// collected, shown as one diff, and applied or dropped together. [FileTools] has a tool by which
/// an agent submits them to a person.
///
/// ```java
/// var changes = CollectedChanges.of(FileTree.of(workspace));
/// changes.write("notes.md", "...", Expected.anything());
/// System.out.println(changes.diff());
/// changes.apply();
/// ```
///
/// Where changes are kept is up to the program: with [FileTree#in] they outlive the process, as the
/// run of an agent does. Safe for many threads, and for many processes if the trees are.
public final class CollectedChanges implements FileTree {
  private final FileTree below;
  private final FileTree notes;

  private CollectedChanges(FileTree below, FileTree notes) {
    this.below = below;
    this.notes = notes;
  }

  /// Changes that are gone with the process.
  public static CollectedChanges of(FileTree below) {
    return keptIn(FileTree.inMemory(), below);
  }

  /// Changes that are kept in another tree, which has nothing else, such as `FileTree.in(store,
  /// Namespace.of("changes", thread))`.
  public static CollectedChanges keptIn(FileTree notes, FileTree below) {
    return new CollectedChanges(below, notes);
  }

  /// A change of a file. Immutable.
  ///
  /// @param before the digest of the file that was changed; empty if there was none
  /// @param text as it is to be; empty if it is to be deleted
  public record Change(String path, Optional<String> before, Optional<String> text) {
    /// The digest of the file as it is to be; empty if it is to be deleted.
    Optional<String> after() {
      return text.map(FileText::digestOf);
    }
  }

  /// A change as it is kept.
  record Note(Optional<String> before, Optional<String> text) {
    static Note read(FileText kept) {
      return Json.parse(kept.text()).as(Note.class);
    }

    String written() {
      return Json.of(this).text();
    }
  }

  // --- Files ---

  @Override
  public Optional<FileText> find(String path) {
    var plain = FilePath.file(path);
    var kept = notes.find(plain);
    if (kept.isEmpty()) return below.find(path);
    return Note.read(kept.get()).text().map(text -> FileText.of(path, text));
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    change(path, Optional.of(text), expected);
    return FileText.of(path, text);
  }

  @Override
  public void delete(String path, Expected expected) {
    change(path, Optional.empty(), expected);
  }

  private void change(String path, Optional<String> text, Expected expected) {
    var plain = FilePath.file(path);
    while (true) {
      var kept = notes.find(plain);
      var note = kept.map(Note::read);
      var now = note.isPresent() ? note.get().text().map(FileText::digestOf) : digestBelow(path);
      if (text.isPresent()) FileConflict.check(path, expected, now);
      else FileConflict.checkDeletable(path, expected, now);
      var before = note.isPresent() ? note.get().before() : now;
      var seen = kept.map(FileText::digest).map(Expected::digest).orElse(Expected.absent());
      if (isNoted(plain, new Note(before, text), seen)) return;
    }
  }

  private Optional<String> digestBelow(String path) {
    return below.find(path).map(FileText::digest);
  }

  /// @return false if somebody else has noted another change meanwhile
  private boolean isNoted(String plain, Note note, Expected seen) {
    boolean isUndone = note.text().map(FileText::digestOf).equals(note.before());
    try {
      if (!isUndone) notes.write(plain, note.written(), seen);
      else if (!(seen instanceof Expected.Absent)) notes.delete(plain, seen);
      return true;
    } catch (FileConflict _) {
      return false;
    }
  }

  @Override
  public FileList list(String folder) {
    var plain = FilePath.folder(folder);
    var all = new TreeMap<String, FileList.Entry>();
    var found = below.list(plain);
    for (var file : found.files()) all.put(file.path(), file);
    for (var change : changes()) {
      if (!FilePath.isBelow(change.path(), plain)) continue;
      all.remove(change.path());
      change
          .text()
          .map(text -> new FileList.Entry(change.path(), MemoryFiles.bytes(text)))
          .ifPresent(file -> all.put(file.path(), file));
    }
    return new FileList(List.copyOf(all.values()), found.isCut());
  }

  @Override
  public FileTree usedBy(ToolContext context) {
    return new CollectedChanges(below.usedBy(context), notes);
  }

  // --- Changes ---

  /// The changes by their paths.
  public List<Change> changes() {
    var all = new ArrayList<Change>();
    for (var file : notes.list("").files()) {
      notes
          .find(file.path())
          .map(Note::read)
          .ifPresent(note -> all.add(new Change(file.path(), note.before(), note.text())));
    }
    all.sort(Comparator.comparing(Change::path));
    return all;
  }

  /// The files that somebody else has changed below, so that the changes cannot be applied.
  public List<String> conflicts() {
    return conflicts(changes());
  }

  private List<String> conflicts(List<Change> changes) {
    var all = new ArrayList<String>();
    for (var change : changes) {
      var now = digestBelow(change.path());
      // A change that was applied when its process died is no conflict.
      if (!now.equals(change.before()) && !now.equals(change.after())) all.add(change.path());
    }
    return all;
  }

  /// The changes as one unified diff; empty if there are none.
  ///
  /// @throws FileConflict if files were changed below meanwhile
  public String diff() {
    return diff(changes());
  }

  private String diff(List<Change> changes) {
    var conflicts = conflicts(changes);
    if (!conflicts.isEmpty()) throw FileConflict.of(conflicts);
    var all = new StringBuilder();
    for (var change : changes) {
      var before = below.find(change.path()).map(FileText::text);
      all.append(UnifiedDiff.of(change.path(), before, change.text()));
    }
    return all.toString();
  }

  /// Applies the changes to the files below, and forgets them.
  ///
  /// @return the changes that were applied
  /// @throws FileConflict if files were changed below meanwhile; nothing is applied then, unless
  ///   they are changed just now: [#changes] tells what is left
  public List<Change> apply() {
    return apply(changes());
  }

  private List<Change> apply(List<Change> changes) {
    var conflicts = conflicts(changes);
    if (!conflicts.isEmpty()) throw FileConflict.of(conflicts);
    for (var change : changes) {
      var path = change.path();
      if (!digestBelow(path).equals(change.after())) apply(change);
      forget(change);
    }
    return changes;
  }

  private void apply(Change change) {
    var expected = change.before().map(Expected::digest).orElse(Expected.absent());
    if (change.text().isPresent()) below.write(change.path(), change.text().get(), expected);
    else below.delete(change.path(), expected);
  }

  /// Unless it was changed once more meanwhile, which is then a change of what was applied.
  private void forget(Change change) {
    var note = new Note(change.before(), change.text()).written();
    try {
      notes.delete(change.path(), Expected.digest(FileText.digestOf(note)));
    } catch (FileConflict _) {
      rebase(change);
    }
  }

  private void rebase(Change applied) {
    var kept = notes.find(applied.path());
    if (kept.isEmpty()) return;
    var later = new Note(applied.after(), Note.read(kept.get()).text());
    var _ = isNoted(applied.path(), later, Expected.digest(kept.get().digest()));
  }

  /// Forgets all changes.
  public void drop() {
    for (var file : notes.list("").files()) {
      try {
        notes.delete(file.path(), Expected.anything());
      } catch (FileConflict _) {
        // Somebody else has dropped it.
      }
    }
  }

  /// The changes as a person is asked about them.
  ///
  /// @throws FileConflict if files were changed below meanwhile
  /// @throws ToolError.Other if there are none, or more than a person could read
  ProposedChanges proposed() {
    var all = changes();
    if (all.isEmpty()) throw new ToolError.Other("changes", "There are none to submit.");
    var diff = diff(all);
    if (diff.length() > ProposedChanges.DIFF_MAX) {
      throw new ToolError.Other(
          "changes",
          "Their diff has %,d characters, and the most are %,d. Submit fewer at once."
              .formatted(diff.length(), ProposedChanges.DIFF_MAX));
    }
    return new ProposedChanges(diff, all.stream().map(Change::path).toList(), digest(all));
  }

  private static String digest(List<Change> changes) {
    return FileText.digestOf(Json.of(changes).text());
  }

  /// Applies the changes that a person has seen, and no others.
  ///
  /// @return whether they were applied; false if there are others by now
  boolean apply(ProposedChanges seen) {
    var all = changes();
    if (!digest(all).equals(seen.digest())) return false;
    var _ = apply(all);
    return true;
  }

  @Override
  public String toString() {
    return "CollectedChanges[" + changes().size() + " of " + below + "]";
  }
}
