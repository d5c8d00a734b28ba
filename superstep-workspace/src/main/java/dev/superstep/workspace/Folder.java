package dev.superstep.workspace;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// An open directory. Names are single path elements, and no link is followed: an operation on a
/// link fails. One thread at a time.
interface Folder extends Closeable {
  Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /// Opens a named pipe without waiting for its other end.
  Set<OpenOption> BOTH =
      Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);

  Set<OpenOption> CREATE =
      Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW, LinkOption.NOFOLLOW_LINKS);

  /// Opens a root. Where the system can hold a directory by a descriptor (Linux and others),
  /// everything below is reached through it, so that swapped names have no effect.
  @SuppressWarnings("StreamResourceLeak") // the folder holds it, and closes it
  static Folder of(Root root) throws IOException {
    var stream =
        SafeOpen.of(
            () -> Files.newDirectoryStream(root.real()),
            () -> Files.newByteChannel(root.real(), BOTH));
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return DescriptorFolder.of(root, secure);
    }
    stream.close();
    return new PathFolder(root.real());
  }

  /// A directory in it.
  ///
  /// @throws UnexpectedLink if it is a link
  Folder enter(Path name) throws IOException;

  /// A file in it, to be read.
  ///
  /// @throws UnexpectedLink if it is a link
  SeekableByteChannel open(Path name) throws IOException;

  /// A new file in it, to be written.
  SeekableByteChannel create(Path name) throws IOException;

  /// Puts a file in the place of another, at once.
  void replace(Path from, Path name) throws IOException;

  /// Gives a file the permissions of another, where the system has such.
  void allowAs(Path like, Path name) throws IOException;

  /// Makes a directory in it, unless it is there.
  void make(Path name) throws IOException;

  /// Removes a file, a link or an empty directory.
  void remove(Path name, boolean isDirectory) throws IOException;

  /// The attributes of an entry; links are not followed.
  Optional<BasicFileAttributes> look(Path name) throws IOException;

  /// At most so many of the names in it. Called once.
  List<Path> names(int most) throws IOException;
}
