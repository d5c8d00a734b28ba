package dev.superstep.workspace;

import dev.superstep.tool.ToolError;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Reads, writes and lists below the roots of a workspace, directory by directory, without
/// following a link. A [PathResolver] has settled what paths mean; if the tree has changed since,
/// so that a link is on the way, it is refused here. Immutable, safe for many threads.
///
/// @param opener opens a root
record Tree(Opener opener) {
  private static final int BUFFER = 16_384;

  /// Opens a root.
  interface Opener {
    Folder open(Root root) throws IOException;
  }

  private interface Work<T> {
    T in(Folder folder) throws IOException;
  }

  BoundedPrefix read(ResolvedPath place, long most) {
    return inside("read", place, place.folders(), false, folder -> read(folder, place, most));
  }

  private static BoundedPrefix read(Folder folder, ResolvedPath place, long most)
      throws IOException {
    if (place.isRoot()) throw new FileSystemException("", null, "it is a directory");
    var name = place.name();
    refuseOdd(folder, name);
    try (var channel = folder.open(name)) {
      return read(channel, most);
    }
  }

  private static BoundedPrefix read(SeekableByteChannel channel, long most) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var buffer = ByteBuffer.allocate(BUFFER);
    while (channel.read(buffer) >= 0) {
      var take = (int) Math.min(buffer.position(), most - bytes.size());
      bytes.write(buffer.array(), 0, take);
      if (take < buffer.position()) return BoundedPrefix.of(bytes.toByteArray(), true);
      buffer.clear();
    }
    return BoundedPrefix.of(bytes.toByteArray(), false);
  }

  /// Writes a file atomically: a concurrent reader sees the old or the new one.
  ///
  /// @return whether it is new
  boolean write(ResolvedPath place, byte[] content) {
    return inside("write", place, place.folders(), true, folder -> write(folder, place, content));
  }

  private static boolean write(Folder folder, ResolvedPath place, byte[] content)
      throws IOException {
    if (place.isRoot()) throw new FileSystemException("", null, "it is a directory");
    var name = place.name();
    var isNew = folder.look(name).isEmpty();
    if (!isNew) refuseOdd(folder, name);
    var beside = Path.of(".superstep-" + UUID.randomUUID() + ".tmp");
    try {
      try (var channel = folder.create(beside)) {
        var left = ByteBuffer.wrap(content);
        while (left.hasRemaining()) channel.write(left);
      }
      if (!isNew) folder.allowAs(name, beside);
      folder.replace(beside, name);
    } catch (IOException e) {
      if (folder.look(beside).isPresent()) folder.remove(beside, false);
      throw e;
    }
    return isNew;
  }

  /// Deletes a file.
  ///
  /// @return true
  boolean delete(ResolvedPath place) {
    return inside("delete", place, place.folders(), false, folder -> delete(folder, place));
  }

  private static boolean delete(Folder folder, ResolvedPath place) throws IOException {
    if (place.isRoot()) throw new FileSystemException("", null, "it is a directory");
    refuseOdd(folder, place.name());
    folder.remove(place.name(), false);
    return true;
  }

  /// Devices and pipes are no files: to read one may wait for ever.
  private static void refuseOdd(Folder folder, Path name) throws IOException {
    var found = folder.look(name);
    if (found.isEmpty() || found.get().isRegularFile()) return;
    if (found.get().isSymbolicLink()) throw new UnexpectedLink(name);
    var what = found.get().isDirectory() ? "it is a directory" : "it is no regular file";
    throw new FileSystemException(name.toString(), null, what);
  }

  /// Lists a directory and those below it, sorted, with directories before their contents.
  FolderListing list(ResolvedPath place, int depth, int most) {
    var listing = new Listing(most);
    return inside(
        "list",
        place,
        place.names(),
        false,
        folder -> {
          listing.add(folder, Path.of(""), depth);
          return new FolderListing(listing.entries, listing.isCut, listing.isDeeper);
        });
  }

  /// A listing that is being made. One thread.
  private static final class Listing {
    private final int most;
    private final List<FolderListing.Entry> entries = new ArrayList<>();
    private boolean isCut;
    private boolean isDeeper;

    Listing(int most) {
      this.most = most;
    }

    void add(Folder folder, Path at, int depth) throws IOException {
      var names = new ArrayList<>(folder.names(most - entries.size() + 1));
      names.sort(null);
      for (var name : names) {
        if (entries.size() == most) {
          isCut = true;
          return;
        }
        var found = folder.look(name);
        if (found.isEmpty()) continue; // removed since
        var way = at.resolve(name);
        entries.add(FolderListing.Entry.of(way, found.get()));
        if (found.get().isDirectory()) below(folder, name, way, depth - 1);
        if (isCut) return;
      }
    }

    private void below(Folder folder, Path name, Path way, int depth) throws IOException {
      if (depth == 0 && isDeeper) return;
      try (var inner = folder.enter(name)) {
        if (depth > 0) add(inner, way, depth);
        else isDeeper = !inner.names(1).isEmpty();
      } catch (UnexpectedLink _) {
        // It was a directory a moment ago; as a link it has nothing below.
      } catch (AccessDeniedException e) {
        // On the last level it was not asked for.
        if (depth > 0) throw e;
      }
    }
  }

  /// Removes all that is in a root.
  void clear(ResolvedPath root) {
    var _ =
        inside(
            "remove",
            root,
            List.of(),
            false,
            folder -> {
              clear(folder);
              return true;
            });
  }

  private static void clear(Folder folder) throws IOException {
    for (var name : folder.names(Integer.MAX_VALUE)) {
      var isDirectory = folder.look(name).map(BasicFileAttributes::isDirectory).orElse(false);
      if (isDirectory) {
        try (var inner = folder.enter(name)) {
          clear(inner);
        }
      }
      folder.remove(name, isDirectory);
    }
  }

  private <T> T inside(
      String action, ResolvedPath place, List<Path> way, boolean makes, Work<T> work) {
    try (var top = opener.open(place.root());
        var folder = descend(top, way, makes)) {
      return work.in(folder);
    } catch (UnexpectedLink _) {
      throw new ToolError.PathEscape(
          place.given(), "goes through a link that was not there when it was checked");
    } catch (IOException e) {
      throw new ToolError.Io(action, place.given(), e);
    }
  }

  private static Folder descend(Folder top, List<Path> way, boolean makes) throws IOException {
    var at = top;
    for (var name : way) {
      try {
        if (makes && at.look(name).isEmpty()) at.make(name);
        var next = at.enter(name);
        if (!at.equals(top)) at.close();
        at = next;
      } catch (IOException e) {
        if (!at.equals(top)) at.close();
        throw e;
      }
    }
    return at;
  }
}
