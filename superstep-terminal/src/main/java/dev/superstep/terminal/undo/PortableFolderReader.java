package dev.superstep.terminal.undo;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reads folders by the means of Java, on every Unix. Safe for many threads.
final class PortableFolderReader implements FolderReader {
  private static final String FACTS = "unix:mode,size,lastModifiedTime,ctime,ino";

  @Override
  public List<Entry> read(Path folder) throws IOException {
    var entries = new ArrayList<Entry>();
    try (var children = Files.newDirectoryStream(folder)) {
      for (var child : children) {
        var facts = facts(child);
        if (facts != null) entries.add(new Entry(child.getFileName().toString(), facts, child));
      }
    } catch (AccessDeniedException | NoSuchFileException | NotDirectoryException _) {
      // Its own entry says so.
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  /// The facts of one file; `null` if there is none.
  static @Nullable FileFacts facts(Path path) throws IOException {
    try {
      var facts = Files.readAttributes(path, FACTS, LinkOption.NOFOLLOW_LINKS);
      return new FileFacts(
          (int) number(facts, "mode"),
          number(facts, "size"),
          nanos(facts.get("lastModifiedTime")),
          nanos(facts.get("ctime")),
          number(facts, "ino"));
    } catch (NoSuchFileException | NotDirectoryException _) {
      return null;
    }
  }

  private static long number(Map<String, Object> facts, String name) {
    return ((Number) requireNonNull(facts.get(name))).longValue();
  }

  private static long nanos(@Nullable Object time) {
    return time instanceof FileTime t ? t.to(TimeUnit.NANOSECONDS) : 0;
  }
}
