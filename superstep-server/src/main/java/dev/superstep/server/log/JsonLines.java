package dev.superstep.server.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Appends lines of JSON to a file. Opens it for each, so that it can be rotated by moving it. Safe
/// for many threads.
final class JsonLines {
  private static final Set<StandardOpenOption> APPENDING =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);

  private final Path file;

  JsonLines(Path file) {
    this.file = file;
  }

  void write(AuditLog.Entry entry) {
    append(
        JsonNodeFactory.instance
            .objectNode()
            .put("at", entry.at().toString())
            .put("request", entry.request())
            .put("who", entry.who())
            .put("address", entry.address())
            .put("what", entry.what())
            .put("path", entry.path())
            .put("allowed", entry.isAllowed()));
  }

  void write(RequestLog.Served request) {
    append(
        JsonNodeFactory.instance
            .objectNode()
            .put("at", request.at().toString())
            .put("request", request.id())
            .put("who", request.principal())
            .put("address", request.address())
            .put("method", request.method())
            .put("path", request.path())
            .put("route", request.route())
            .put("status", request.status())
            .put("ending", request.ending().name().toLowerCase(Locale.ROOT))
            .put("millis", request.took().toMillis()));
  }

  private synchronized void append(ObjectNode line) {
    var bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    try (var channel = FileChannel.open(file, APPENDING, ownerOnly())) {
      while (bytes.hasRemaining()) channel.write(bytes);
    } catch (IOException failed) {
      throw new UncheckedIOException("cannot write to the log " + file, failed);
    }
  }

  private FileAttribute<?>[] ownerOnly() throws IOException {
    var isPosix = Files.getFileStore(parent()).supportsFileAttributeView("posix");
    return isPosix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private Path parent() {
    var parent = file.toAbsolutePath().getParent();
    return parent == null ? file : parent;
  }
}
