package dev.superstep.files;

import dev.superstep.lock.Mutex;
import dev.superstep.tool.ToolError;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Optional;
import java.util.TreeMap;

/// Files that are gone with the process.
final class MemoryFiles implements FileTree {
  private final Mutex lock = new Mutex();
  private final TreeMap<String, FileText> files = new TreeMap<>();

  @Override
  public Optional<FileText> find(String path) {
    var plain = FilePath.file(path);
    try (var _ = lock.hold()) {
      return Optional.ofNullable(files.get(plain)).map(file -> named(path, file));
    }
  }

  private static FileText named(String path, FileText file) {
    return new FileText(path, file.text(), file.digest());
  }

  private Optional<String> digest(String plain) {
    return Optional.ofNullable(files.get(plain)).map(FileText::digest);
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    var plain = FilePath.file(path);
    var file = FileText.of(path, text);
    try (var _ = lock.hold()) {
      FileConflict.check(path, expected, digest(plain));
      checkPlace(path, plain);
      files.put(plain, file);
    }
    return file;
  }

  /// Refuses a path that is both a file and a folder.
  private void checkPlace(String path, String plain) {
    var first = files.ceilingKey(plain + "/");
    if (first != null && FilePath.isBelow(first, plain)) {
      throw new ToolError.Other(path, "It is a folder. Use another path.");
    }
    for (int slash = plain.indexOf('/'); slash > 0; slash = plain.indexOf('/', slash + 1)) {
      if (!files.containsKey(plain.substring(0, slash))) continue;
      throw new ToolError.Other(path, "A part of it is a file. Use another path.");
    }
  }

  @Override
  public void delete(String path, Expected expected) {
    var plain = FilePath.file(path);
    try (var _ = lock.hold()) {
      FileConflict.checkDeletable(path, expected, digest(plain));
      files.remove(plain);
    }
  }

  @Override
  public FileList list(String folder) {
    var plain = FilePath.folder(folder);
    var found = new ArrayList<FileList.Entry>();
    try (var _ = lock.hold()) {
      for (var file : files.tailMap(plain).entrySet()) {
        if (!file.getKey().startsWith(plain)) break;
        if (!FilePath.isBelow(file.getKey(), plain)) continue;
        if (found.size() == FileList.FILES_MAX) return new FileList(found, true);
        found.add(new FileList.Entry(file.getKey(), bytes(file.getValue().text())));
      }
    }
    return new FileList(found, false);
  }

  static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
