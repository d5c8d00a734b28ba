package dev.superstep.terminal.undo;

import dev.superstep.file.PrivateFiles;
import dev.superstep.terminal.undo.Change.ChangedPath;
import dev.superstep.terminal.undo.TreeEntry.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Puts back what one change changed. Each step may be done again, so that it can go on after a
/// crash. For one change.
final class Undoing {
  private static final String ASIDE = ".superstep-undo-";
  private static final int OWNER = 0700;

  private final Path root;
  private final Path real;
  private final BlobStore blobs;
  private final Look look;
  private final Change change;

  /// Tells how a path is now.
  interface Look {
    @Nullable TreeEntry at(Path path, String name) throws IOException;
  }

  Undoing(Path root, BlobStore blobs, Look look, Change change) throws IOException {
    this.root = root;
    this.real = root.toRealPath();
    this.blobs = blobs;
    this.look = look;
    this.change = change;
  }

  /// The paths that are not as the change left them.
  List<String> conflicts() throws IOException {
    var conflicts = new ArrayList<String>();
    var created = new HashSet<String>();
    for (var path : change.paths()) if (path.after() != null) created.add(path.path());
    for (var path : change.paths()) {
      var now = look.at(root.resolve(path.path()), path.path());
      var after = path.after();
      boolean isSame = after == null ? now == null : after.isSameAs(now);
      if (!isSame) conflicts.add(path.path());
      else if (isFolderToGo(path)) addStrangers(path.path(), created, conflicts);
    }
    return conflicts;
  }

  private static boolean isFolderToGo(ChangedPath path) {
    var after = path.after();
    var before = path.before();
    return after != null
        && after.kind() == Kind.FOLDER
        && (before == null || before.kind() != Kind.FOLDER);
  }

  private void addStrangers(String folder, HashSet<String> known, List<String> to)
      throws IOException {
    try (var children = Files.newDirectoryStream(root.resolve(folder))) {
      for (var child : children) {
        var name = folder + "/" + child.getFileName();
        if (!known.contains(name)) to.add(name);
      }
    }
  }

  /// The paths whose earlier content is not there any more, or never was.
  List<String> notKept() throws IOException {
    var missing = new ArrayList<String>();
    for (var path : change.paths()) {
      var before = path.before();
      if (before == null) continue;
      boolean isFile = before.kind() == Kind.FILE;
      boolean isOnlyMode = path.after() != null && before.isSameContent(path.after());
      if (isOnlyMode) continue;
      if (!before.isKept() || (isFile && !blobs.isWhole(before.content()))) {
        missing.add(path.path());
      }
    }
    return missing;
  }

  /// Makes the workspace as it was.
  void apply() throws IOException {
    openFolders();
    for (var path : change.paths().reversed()) remove(path);
    for (var path : change.paths()) makeFolder(path);
    for (var path : change.paths()) restore(path);
    for (var path : change.paths().reversed()) mode(path);
  }

  /// Deletes what an apply that was cut short has left.
  void sweep() throws IOException {
    var folders = new HashSet<Path>();
    for (var path : change.paths()) folders.add(root.resolve(path.path()).getParent());
    for (var folder : folders) {
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) continue;
      try (var parts = Files.newDirectoryStream(folder, ASIDE + change.id() + "-*")) {
        for (var part : parts) Files.deleteIfExists(part);
      }
    }
  }

  /// Folders whose owner may not write in them get their modes at the end.
  private void openFolders() throws IOException {
    for (var path : change.paths()) {
      var at = root.resolve(path.path());
      if (Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS) && isSafe(at)) {
        int mode = (Integer) Files.getAttribute(at, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        if ((mode & OWNER) != OWNER) Files.setAttribute(at, "unix:mode", mode & 07777 | OWNER);
      }
    }
  }

  private void remove(ChangedPath path) throws IOException {
    var at = root.resolve(path.path());
    var now = now(path);
    if (now == null || !isSafe(at)) return;
    var before = path.before();
    boolean stays = before != null && before.kind() == now.kind();
    if (!stays) Files.delete(at);
  }

  private void makeFolder(ChangedPath path) throws IOException {
    var before = path.before();
    if (before == null || before.kind() != Kind.FOLDER || now(path) != null) return;
    var at = root.resolve(path.path());
    checkSafe(at);
    Files.createDirectory(at);
  }

  private void restore(ChangedPath path) throws IOException {
    var before = path.before();
    if (before == null || before.kind() == Kind.FOLDER || !before.isKept()) return;
    var now = now(path);
    if (now != null && now.isSameContent(before)) return;
    var at = root.resolve(path.path());
    checkSafe(at);
    var aside = at.resolveSibling(ASIDE + change.id() + "-" + Math.abs(path.path().hashCode()));
    Files.deleteIfExists(aside);
    if (before.kind() == Kind.LINK) {
      Files.createSymbolicLink(aside, Path.of(before.content()));
    } else {
      try (var out = PrivateFiles.create(aside)) {
        blobs.write(before.content(), out);
      }
      Files.setAttribute(aside, "unix:mode", before.mode());
      Files.setLastModifiedTime(
          aside, FileTime.from(before.stamp().modified(), TimeUnit.NANOSECONDS));
    }
    Files.move(aside, at, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private void mode(ChangedPath path) throws IOException {
    var before = path.before();
    if (before == null || before.kind() == Kind.LINK) return;
    var at = root.resolve(path.path());
    if (now(path) == null || !isSafe(at)) return;
    int mode = (Integer) Files.getAttribute(at, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if ((mode & 07777) != before.mode()) Files.setAttribute(at, "unix:mode", before.mode());
  }

  private @Nullable TreeEntry now(ChangedPath path) throws IOException {
    return look.at(root.resolve(path.path()), path.path());
  }

  private void checkSafe(Path at) throws IOException {
    if (!isSafe(at)) throw new NotDirectoryException("a folder became a link: " + at);
  }

  /// Returns whether no folder on the way is a link, which might lead out of the workspace.
  private boolean isSafe(Path at) throws IOException {
    var parent = at.getParent();
    if (!Files.isDirectory(parent)) return false;
    return parent.toRealPath().equals(real.resolve(root.relativize(parent)).normalize());
  }
}
