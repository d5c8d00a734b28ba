package dev.superstep.workspace;

import dev.superstep.lock.Mutex;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A directory held by its descriptor: it stays the same directory if its name changes.
final class DescriptorFolder implements Folder {
  /// Two threads that make one directory must not put theirs over each other's.
  private static final Mutex MAKING = new Mutex();

  private final @Nullable DescriptorFolder top;
  private final Path root;
  private final SecureDirectoryStream<Path> held;

  /// A root, if it still is the directory that it was.
  static DescriptorFolder of(Root root, SecureDirectoryStream<Path> held) throws IOException {
    var found = held.getFileAttributeView(BasicFileAttributeView.class).readAttributes();
    if (root.key().isPresent() && !root.key().get().equals(found.fileKey())) {
      held.close();
      throw new FileSystemException(
          root.real().toString(), null, "another directory is in the place of the workspace");
    }
    return new DescriptorFolder(null, root.real(), held);
  }

  private DescriptorFolder(
      @Nullable DescriptorFolder top, Path root, SecureDirectoryStream<Path> held) {
    this.top = top;
    this.root = root;
    this.held = held;
  }

  @Override
  public Folder enter(Path name) throws IOException {
    return enter(name, () -> {});
  }

  /// @param looked called between the look at it and its opening
  Folder enter(Path name, Runnable looked) throws IOException {
    if (!attributes(name).isDirectory()) throw refused(name, new NotDirectoryException(name + ""));
    looked.run();
    try {
      var inner =
          SafeOpen.of(
              () -> held.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS), () -> both(name));
      return new DescriptorFolder(top == null ? this : top, root, inner);
    } catch (FileSystemException e) {
      throw refused(name, e);
    }
  }

  @Override
  public SeekableByteChannel open(Path name) throws IOException {
    try {
      return SafeOpen.file(name, () -> held.newByteChannel(name, READ), () -> both(name));
    } catch (FileSystemException e) {
      throw refused(name, e);
    }
  }

  private SeekableByteChannel both(Path name) throws IOException {
    return held.newByteChannel(name, BOTH);
  }

  @Override
  public SeekableByteChannel create(Path name) throws IOException {
    return held.newByteChannel(name, CREATE);
  }

  @Override
  public void replace(Path from, Path name) throws IOException {
    held.move(from, held, name);
  }

  @Override
  public void allowAs(Path like, Path name) throws IOException {
    var from = posix(like);
    var to = posix(name);
    if (from == null || to == null) return;
    var permissions = from.readAttributes().permissions();
    // Java opens a file to change it.
    Closeable done =
        SafeOpen.of(
            () -> {
              to.setPermissions(permissions);
              return () -> {};
            },
            () -> both(name));
    done.close();
  }

  private @Nullable PosixFileAttributeView posix(Path name) {
    return held.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
  }

  /// Java creates directories by path only, so it is created in the root, which cannot be swapped,
  /// and moved to its place by descriptors.
  @Override
  public void make(Path name) throws IOException {
    try (var _ = MAKING.hold()) {
      if (look(name).isPresent()) return;
      var made = Files.createDirectory(root.resolve(".superstep-" + UUID.randomUUID()));
      try {
        (top == null ? this : top).held.move(made.getFileName(), held, name);
      } catch (IOException e) {
        Files.deleteIfExists(made);
        // Unless another process has made it meanwhile, and put something in.
        if (look(name).isEmpty()) throw e;
      }
    }
  }

  @Override
  public void remove(Path name, boolean isDirectory) throws IOException {
    if (isDirectory) held.deleteDirectory(name);
    else held.deleteFile(name);
  }

  @Override
  public Optional<BasicFileAttributes> look(Path name) throws IOException {
    try {
      return Optional.of(attributes(name));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  private BasicFileAttributes attributes(Path name) throws IOException {
    return held.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes();
  }

  @Override
  public List<Path> names(int most) throws IOException {
    var names = new ArrayList<Path>();
    try {
      for (var path : held) {
        if (names.size() == most) break;
        names.add(path.getFileName());
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  private FileSystemException refused(Path name, FileSystemException why) throws IOException {
    var isLink = look(name).map(BasicFileAttributes::isSymbolicLink).orElse(false);
    return isLink ? new UnexpectedLink(name) : why;
  }

  @Override
  public void close() throws IOException {
    held.close();
  }
}
