package dev.superstep.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/// A document as bytes, before a loader reads it. Immutable; a file is read when it is loaded.
public final class SourceDocument {
  private static final int FILES_MAX = 100_000;
  private static final int DEPTH_MAX = 64;

  private final String id;
  private final String source;
  private final Content content;

  /// Reads at most one byte more than a limit.
  @FunctionalInterface
  private interface Content {
    byte[] read(int limit) throws IOException;
  }

  private SourceDocument(String id, String source, Content content) {
    if (id.isBlank()) throw new IllegalArgumentException("id must not be blank");
    if (source.isBlank()) throw new IllegalArgumentException("source must not be blank");
    this.id = id;
    this.source = source;
    this.content = content;
  }

  /// A document in memory, which is its own source.
  ///
  /// @param id its ending says its format, as in `faq.md`
  public static SourceDocument of(String id, byte[] bytes) {
    var copy = bytes.clone();
    return new SourceDocument(id, id, _ -> copy);
  }

  /// A file in a folder. Its id and source are its path relative to the folder.
  ///
  /// @throws IllegalArgumentException if the file is not in the folder
  public static SourceDocument file(Path folder, Path file) {
    var root = folder.toAbsolutePath().normalize();
    var path = file.toAbsolutePath().normalize();
    if (!path.startsWith(root) || path.equals(root)) {
      throw new IllegalArgumentException("file must be in " + root + ", was " + path);
    }
    var id = root.relativize(path).toString().replace('\\', '/');
    return new SourceDocument(
        id,
        id,
        limit -> {
          try (var in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            return in.readNBytes(limit < Integer.MAX_VALUE ? limit + 1 : limit);
          }
        });
  }

  /// The files of a folder and of the folders in it, sorted by path. Links, and names that begin
  /// with a dot, are left out.
  ///
  /// @throws IllegalArgumentException if there are more than 100,000 files
  public static List<SourceDocument> folder(Path folder) throws IOException {
    return folder(folder, _ -> true);
  }

  /// The files of a folder that a condition on their relative path accepts.
  ///
  /// @throws IllegalArgumentException if there are more than 100,000 files
  public static List<SourceDocument> folder(Path folder, Predicate<String> accepts)
      throws IOException {
    var found = new ArrayList<SourceDocument>();
    try (var paths = Files.walk(folder, DEPTH_MAX)) {
      for (var file : (Iterable<Path>) paths::iterator) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) continue;
        var document = file(folder, file);
        if (("/" + document.id()).contains("/.") || !accepts.test(document.id())) continue;
        if (found.size() == FILES_MAX) {
          throw new IllegalArgumentException(
              "folder must have at most %,d files; split %s".formatted(FILES_MAX, folder));
        }
        found.add(document);
      }
    }
    found.sort((a, b) -> a.id().compareTo(b.id()));
    return List.copyOf(found);
  }

  /// The id of the document.
  public String id() {
    return id;
  }

  /// Shown to readers: a path or an address.
  public String source() {
    return source;
  }

  /// Returns a copy with another source.
  public SourceDocument from(String origin) {
    return new SourceDocument(id, origin, content);
  }

  /// The ending of the id in lower case, such as `pdf`; empty if it has none.
  public String extension() {
    int dot = id.lastIndexOf('.');
    return dot < id.lastIndexOf('/') || dot < 0
        ? ""
        : id.substring(dot + 1).toLowerCase(Locale.ROOT);
  }

  /// Reads all bytes.
  ///
  /// @throws DocumentTooLarge if there are more than the limit
  /// @throws UnreadableDocument if the file cannot be read
  public byte[] read(int maxBytes) {
    byte[] bytes;
    try {
      bytes = content.read(maxBytes);
    } catch (IOException e) {
      throw new UnreadableDocument(id, "cannot be read: " + e.getClass().getSimpleName(), e);
    }
    if (bytes.length > maxBytes) throw new DocumentTooLarge(id, "bytes", maxBytes);
    return bytes;
  }

  @Override
  public String toString() {
    return "SourceDocument[" + id + "]";
  }
}
