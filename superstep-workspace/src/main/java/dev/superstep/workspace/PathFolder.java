package dev.superstep.workspace;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A directory by its path, for systems that cannot hold one. That no name on the way has become a
/// link is checked before and after each operation. A swap that is undone between the two stays
/// unseen.
final class PathFolder implements Folder {
  private final Path path;

  /// @param path a canonical one
  PathFolder(Path path) {
    this.path = path;
  }

  @Override
  public Folder enter(Path name) throws IOException {
    if (!plain(name).isDirectory()) throw new NotDirectoryException(name.toString());
    return new PathFolder(path.resolve(name));
  }

  @Override
  public SeekableByteChannel open(Path name) throws IOException {
    plain(name);
    var file = path.resolve(name);
    var channel =
        SafeOpen.file(
            name, () -> Files.newByteChannel(file, READ), () -> Files.newByteChannel(file, BOTH));
    return checkedAfter(channel, name);
  }

  @Override
  public SeekableByteChannel create(Path name) throws IOException {
    check();
    var channel = Files.newByteChannel(path.resolve(name), CREATE);
    return checkedAfter(channel, name);
  }

  private SeekableByteChannel checkedAfter(SeekableByteChannel channel, Path name)
      throws IOException {
    try {
      plain(name);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  @Override
  public void replace(Path from, Path name) throws IOException {
    check();
    Files.move(
        path.resolve(from),
        path.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    check();
  }

  @Override
  public void allowAs(Path like, Path name) throws IOException {
    check();
    var from = posix(like);
    var to = posix(name);
    if (from != null && to != null) to.setPermissions(from.readAttributes().permissions());
  }

  private PosixFileAttributeView posix(Path name) {
    return Files.getFileAttributeView(
        path.resolve(name), PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void make(Path name) throws IOException {
    check();
    try {
      Files.createDirectory(path.resolve(name));
    } catch (FileAlreadyExistsException _) {
      // Somebody else made it; whether it is a directory is seen when it is entered.
    }
    check();
  }

  @Override
  public void remove(Path name, boolean isDirectory) throws IOException {
    check();
    Files.delete(path.resolve(name));
  }

  @Override
  public Optional<BasicFileAttributes> look(Path name) throws IOException {
    check();
    try {
      return Optional.of(attributes(path.resolve(name)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  @Override
  @SuppressWarnings("StreamResourceLeak") // it is closed by who gets it from the opening
  public List<Path> names(int most) throws IOException {
    check();
    var names = new ArrayList<Path>();
    try (var entries =
        SafeOpen.of(() -> Files.newDirectoryStream(path), () -> Files.newByteChannel(path, BOTH))) {
      for (var entry : entries) {
        if (names.size() == most) break;
        names.add(entry.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    check();
    return names;
  }

  /// The attributes of an entry that is not a link.
  private BasicFileAttributes plain(Path name) throws IOException {
    check();
    var found = attributes(path.resolve(name));
    if (found.isSymbolicLink()) throw new UnexpectedLink(name);
    return found;
  }

  private static BasicFileAttributes attributes(Path at) throws IOException {
    return Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  private void check() throws IOException {
    if (!path.toRealPath().equals(path)) throw new UnexpectedLink(path.getFileName());
  }

  @Override
  public void close() {}
}
