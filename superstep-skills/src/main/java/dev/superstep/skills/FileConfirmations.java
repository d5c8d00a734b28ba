package dev.superstep.skills;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.lock.Mutex;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Confirmations in a file that only its owner may write: subjects with their digests, as JSON.
final class FileConfirmations implements Confirmations {
  private static final long BYTES_MAX = 4_000_000;

  /// Of all such files of this process, since the lock of a file is held by a process.
  private static final Mutex WRITING = new Mutex();

  private final Path file;

  FileConfirmations(Path file) {
    this.file = file.toAbsolutePath();
  }

  /// The text of the file.
  record Kept(Map<String, String> digests) {
    Kept {
      digests = Map.copyOf(digests);
    }
  }

  @Override
  public boolean isConfirmed(String subject, String digest) {
    return digest.equals(read().get(subject));
  }

  @Override
  public void confirm(String subject, String digest) {
    change(all -> all.put(subject, digest));
  }

  @Override
  public void revoke(String subject) {
    change(all -> all.remove(subject));
  }

  private void change(Consumer<Map<String, String>> how) {
    var beside = file.resolveSibling(file.getFileName() + ".lock");
    try (var _ = WRITING.hold()) {
      Files.createDirectories(beside.getParent());
      try (var channel =
              FileChannel.open(
                  beside,
                  Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                  onlyOwner());
          var _ = channel.lock()) {
        var all = new TreeMap<>(read());
        how.accept(all);
        write(all);
      }
    } catch (IOException e) {
      throw unusable("it cannot be written (" + e.getMessage() + ")", e);
    }
  }

  private void write(Map<String, String> all) throws IOException {
    var next = Files.createTempFile(file.getParent(), "confirmed", ".json", onlyOwner());
    try {
      Files.writeString(next, Json.of(new Kept(all)).text());
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private FileAttribute<?>[] onlyOwner() {
    if (!isPosix()) return new FileAttribute<?>[0];
    var permissions = PosixFilePermissions.fromString("rw-------");
    return new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)};
  }

  private boolean isPosix() {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private Map<String, String> read() {
    try {
      if (isPosix()) checkPrivate();
      if (Files.size(file) > BYTES_MAX) throw unusable("it is too long", null);
      return Json.parse(Files.readString(file)).as(Kept.class).digests();
    } catch (NoSuchFileException _) {
      return Map.of();
    } catch (UnusableConfirmations e) {
      throw e;
    } catch (IOException | SuperstepException e) {
      throw unusable("it cannot be read. Repair or remove it", e);
    }
  }

  private void checkPrivate() throws IOException {
    var permissions = Files.getPosixFilePermissions(file);
    if (permissions.contains(PosixFilePermission.GROUP_WRITE)
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw unusable("others may write it. Check it, then run `chmod 600`", null);
    }
  }

  private UnusableConfirmations unusable(String why, @Nullable Exception cause) {
    return new UnusableConfirmations(file, why, cause);
  }

  @Override
  public String toString() {
    return "FileConfirmations[" + file + "]";
  }
}
