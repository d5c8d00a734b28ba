package dev.superstep.terminal.undo;

import dev.superstep.terminal.undo.TreeEntry.Kind;
import dev.superstep.terminal.undo.TreeEntry.Stamp;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Looks at a workspace: one call of the file system for each file, and a reading of those that may
/// have changed since the last scan. For one scan.
final class TreeScan {
  /// Clocks of file systems go in steps of up to 10 ms.
  private static final long CLOCK_STEP = TimeUnit.MILLISECONDS.toNanos(40);

  private static final String ATTRIBUTES = "unix:mode,size,lastModifiedTime,ctime,ino";
  private static final int MODE_BITS = 07777;
  private static final int TYPE_BITS = 0170000;
  private static final int READS_MAX = 3;

  private final Path root;
  private final TreeMap<String, TreeEntry> before;
  private final BlobStore blobs;
  private final Scope scope;
  private final long begun;
  private final TreeMap<String, TreeEntry> found = new TreeMap<>();
  private int read;

  /// What is looked at.
  ///
  /// @param without absolute path of the store, if it is in the workspace
  /// @param secret relative paths of files whose content is not kept
  record Scope(UndoLimits limits, Path without, Set<String> secret) {}

  TreeScan(Path root, TreeMap<String, TreeEntry> before, BlobStore blobs, Scope scope) {
    this.root = root;
    this.before = before;
    this.blobs = blobs;
    this.scope = scope;
    this.begun = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - CLOCK_STEP;
  }

  TreeMap<String, TreeEntry> scan() throws IOException {
    folder(root, "");
    return found;
  }

  /// The number of files that were read.
  int read() {
    return read;
  }

  private void folder(Path folder, String prefix) throws IOException {
    try (var children = Files.newDirectoryStream(folder)) {
      for (var child : children) {
        if (child.equals(scope.without())) continue;
        entry(child, prefix + child.getFileName());
      }
    } catch (AccessDeniedException | NoSuchFileException | NotDirectoryException _) {
      // It went away meanwhile, or shows nothing; its own entry says so.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  private void entry(Path path, String name) throws IOException {
    if (found.size() >= scope.limits().files()) {
      throw UndoFailed.tooManyFiles(root.toString(), scope.limits().files());
    }
    var entry = look(path, name, before.get(name));
    if (entry == null) return;
    found.put(name, entry);
    if (entry.kind() == Kind.FOLDER) folder(path, name + "/");
  }

  /// An entry as it is now; `null` if there is none.
  @Nullable TreeEntry look(Path path, String name, @Nullable TreeEntry known) throws IOException {
    for (int attempt = 1; ; attempt++) {
      var attributes = attributes(path);
      if (attributes == null) return null;
      int mode = (Integer) attributes.get("mode");
      var stamp = stamp(attributes);
      var kind = kind(mode);
      if (known != null && known.kind() == kind && known.stamp().isSame(stamp)) {
        boolean isKnown = known.stamp().isSettled() && (mode & MODE_BITS) == known.mode();
        if (isKnown && !isSecret(name, known)) return known;
      }
      var entry = read(path, name, new TreeEntry(kind, mode & MODE_BITS, "", "", stamp));
      if (entry == null) continue;
      var after = kind == Kind.FILE ? attributes(path) : attributes;
      if (after != null && stamp(after).isSame(stamp)) return entry;
      if (attempt == READS_MAX) return entry.withoutContent("it changes all the time");
    }
  }

  private boolean isSecret(String name, TreeEntry known) {
    return known.isKept() && scope.secret().contains(name);
  }

  private static @Nullable Map<String, Object> attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(path, ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    } catch (NoSuchFileException | NotDirectoryException _) {
      return null;
    }
  }

  private Stamp stamp(Map<String, Object> attributes) {
    long changed = nanos(attributes.get("ctime"));
    boolean isFolder = kind((Integer) attributes.get("mode")) == Kind.FOLDER;
    return new Stamp(
        // What is in a folder is looked at anyway.
        isFolder ? 0 : (Long) attributes.get("size"),
        isFolder ? 0 : nanos(attributes.get("lastModifiedTime")),
        isFolder ? 0 : changed,
        (Long) attributes.get("ino"),
        isFolder || changed < begun);
  }

  private static long nanos(@Nullable Object time) {
    return time instanceof FileTime t ? t.to(TimeUnit.NANOSECONDS) : 0;
  }

  private static Kind kind(int mode) {
    return switch (mode & TYPE_BITS) {
      case 0100000 -> Kind.FILE;
      case 0120000 -> Kind.LINK;
      case 0040000 -> Kind.FOLDER;
      default -> Kind.OTHER;
    };
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
    read++;
    return with(bare, blobs.keep(path));
  }

  private static TreeEntry with(TreeEntry bare, String content) {
    return new TreeEntry(bare.kind(), bare.mode(), content, "", bare.stamp());
  }
}
