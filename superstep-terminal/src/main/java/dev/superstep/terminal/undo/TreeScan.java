package dev.superstep.terminal.undo;

import dev.superstep.terminal.undo.TreeEntry.Kind;
import dev.superstep.terminal.undo.TreeEntry.Stamp;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Looks at a workspace: one call of the file system for each file, and a reading of those that may
/// have changed since the last scan. For one scan.
final class TreeScan {
  /// Clocks of file systems go in steps of up to 10 ms.
  private static final long CLOCK_STEP = TimeUnit.MILLISECONDS.toNanos(40);

  private static final int READS_MAX = 3;

  private final Path root;
  private final Map<String, TreeEntry> before;
  private final BlobStore blobs;
  private final Scope scope;
  private final Reading reading;
  private final long begun;
  private final Map<String, TreeEntry> found;

  /// The files that are looked at.
  ///
  /// @param without absolute path of the store, if it is in the workspace
  /// @param secret relative paths of files whose content is not kept
  record Scope(UndoLimits limits, Path without, Set<String> secret) {}

  /// The means to look.
  record Reading(FolderReader folders, FolderWatch watch) {}

  TreeScan(
      Path root, Map<String, TreeEntry> before, BlobStore blobs, Scope scope, Reading reading) {
    this.root = root;
    this.before = before;
    this.blobs = blobs;
    this.scope = scope;
    this.reading = reading;
    this.begun = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - CLOCK_STEP;
    this.found = HashMap.newHashMap(before.size() + before.size() / 8);
  }

  /// The entries by their paths.
  Map<String, TreeEntry> scan() throws IOException {
    // What happens from here on is for the next scan, even if this one sees it.
    reading.watch().clear();
    folder(root, "", 0);
    return found;
  }

  private void folder(Path folder, String prefix, long inode) throws IOException {
    reading.watch().add(folder, prefix, inode);
    for (var child : reading.folders().read(folder)) {
      if (isOurs(folder, child.name())) continue;
      entry(folder, child, prefix + child.name());
    }
  }

  private boolean isOurs(Path folder, String name) {
    var ours = scope.without();
    return ours.endsWith(name) && folder.equals(ours.getParent());
  }

  private void entry(Path folder, FolderReader.Entry child, String name) throws IOException {
    if (found.size() >= scope.limits().files()) {
      throw UndoFailed.tooManyFiles(root.toString(), scope.limits().files());
    }
    var known = before.get(name);
    boolean isKnown = known != null && isAsKnown(name, known, child.facts());
    var entry = isKnown ? known : look(child.in(folder), name, known, child.facts());
    if (entry == null) return;
    found.put(name, entry);
    if (entry.kind() == Kind.FOLDER) {
      folder(child.in(folder), name + "/", entry.stamp().inode());
    }
  }

  private boolean isAsKnown(String name, TreeEntry known, FileFacts facts) {
    if (known.kind() != facts.kind() || known.mode() != facts.permissions()) return false;
    return known.stamp().isSettled()
        && known.stamp().isSame(stamp(facts))
        && !(known.isKept() && scope.secret().contains(name));
  }

  /// An entry as it is now; `null` if there is none.
  @Nullable TreeEntry look(Path path, String name, @Nullable TreeEntry known) throws IOException {
    var facts = PortableFolderReader.facts(path);
    return facts == null ? null : look(path, name, known, facts);
  }

  private @Nullable TreeEntry look(
      Path path, String name, @Nullable TreeEntry known, FileFacts seen) throws IOException {
    var facts = seen;
    for (int attempt = 1; ; attempt++) {
      if (known != null && isAsKnown(name, known, facts)) return known;
      var stamp = stamp(facts);
      var bare = new TreeEntry(facts.kind(), facts.permissions(), "", "", stamp);
      var entry = read(path, name, bare);
      var after = bare.kind() == Kind.FOLDER ? facts : PortableFolderReader.facts(path);
      if (after == null) return null;
      boolean isSame = after.mode() == facts.mode() && stamp(after).isSame(stamp);
      if (entry != null && isSame) return entry;
      if (attempt == READS_MAX) {
        return bare.withoutContent("it changes all the time");
      }
      facts = after;
    }
  }

  private Stamp stamp(FileFacts facts) {
    // What is in a folder is looked at anyway.
    if (facts.kind() == Kind.FOLDER) return new Stamp(0, 0, 0, facts.inode(), true);
    boolean isSettled = facts.changed() < begun;
    return new Stamp(facts.size(), facts.modified(), facts.changed(), facts.inode(), isSettled);
  }

  /// The entry with its content; `null` if it went away meanwhile.
  private @Nullable TreeEntry read(Path path, String name, TreeEntry bare) throws IOException {
    if (name.indexOf('\uFFFD') >= 0) return bare.withoutContent("its name is not UTF-8");
    try {
      return switch (bare.kind()) {
        case FOLDER -> bare;
        case OTHER -> bare.withoutContent("it is no file");
        case LINK -> with(bare, Files.readSymbolicLink(path).toString());
        case FILE -> file(path, name, bare);
      };
    } catch (AccessDeniedException _) {
      return bare.withoutContent("it cannot be read");
    } catch (NoSuchFileException _) {
      return null;
    }
  }

  private TreeEntry file(Path path, String name, TreeEntry bare) throws IOException {
    if (scope.secret().contains(name)) return bare.withoutContent("its content is secret");
    long size = bare.stamp().size();
    if (size > scope.limits().fileBytes()) {
      return bare.withoutContent(
          "it is larger than %,d bytes".formatted(scope.limits().fileBytes()));
    }
    if (blobs.bytes() + size > scope.limits().totalBytes()) {
      return bare.withoutContent(
          "what is kept would pass %,d bytes".formatted(scope.limits().totalBytes()));
    }
    return with(bare, blobs.keep(path));
  }

  private static TreeEntry with(TreeEntry bare, String content) {
    return new TreeEntry(bare.kind(), bare.mode(), content, "", bare.stamp());
  }
}
