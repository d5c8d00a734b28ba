package dev.superstep.files;

import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.tool.ToolError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Optional;

/// Files in the long-term store: an item for each, under its path.
final class StoreFiles implements FileTree {
  private static final int BYTES_MAX = 1_000_000;

  private final Store store;
  private final Namespace namespace;

  StoreFiles(Store store, Namespace namespace) {
    this.store = store;
    this.namespace = namespace;
  }

  /// The value of an item.
  ///
  /// @param text empty for a file that was deleted
  record Stored(Optional<String> text) {}

  private static Optional<String> text(Item item) {
    return item.as(Stored.class).text();
  }

  @Override
  public Optional<FileText> find(String path) {
    return store
        .get(namespace, FilePath.file(path))
        .flatMap(StoreFiles::text)
        .map(text -> FileText.of(path, text));
  }

  @Override
  public FileText write(String path, String text, Expected expected) {
    long bytes = MemoryFiles.bytes(text);
    if (bytes > BYTES_MAX) {
      throw new ToolError.Other(
          path,
          "It would have %d bytes, and the most are %d. Write less, or several files."
              .formatted(bytes, BYTES_MAX));
    }
    put(path, Optional.of(text), expected);
    return FileText.of(path, text);
  }

  @Override
  public void delete(String path, Expected expected) {
    put(path, Optional.empty(), expected);
  }

  /// @param text empty to delete the file
  private void put(String path, Optional<String> text, Expected expected) {
    var key = FilePath.file(path);
    var put = Put.of(namespace, key, new Stored(text)).notEmbedded();
    while (true) {
      var item = store.get(namespace, key);
      var digest = item.flatMap(StoreFiles::text).map(FileText::digestOf);
      if (text.isPresent()) FileConflict.check(path, expected, digest);
      else FileConflict.checkDeletable(path, expected, digest);
      var done =
          item.isEmpty() ? store.putIfAbsent(put) : store.putIfVersion(put, item.get().version());
      // Else somebody was faster: what is there now is compared again.
      if (done.isPresent()) return;
    }
  }

  @Override
  public FileList list(String folder) {
    var plain = FilePath.folder(folder);
    var found = new ArrayList<FileList.Entry>();
    boolean isCut = false;
    for (int from = 0; ; from += Search.LIMIT_MAX) {
      if (from > Search.OFFSET_MAX) {
        isCut = true;
        break;
      }
      var hits = store.search(Search.in(namespace).limit(Search.LIMIT_MAX).offset(from));
      for (var hit : hits) {
        var item = hit.item();
        if (!item.namespace().equals(namespace) || !FilePath.isBelow(item.key(), plain)) continue;
        text(item)
            .ifPresent(text -> found.add(new FileList.Entry(item.key(), MemoryFiles.bytes(text))));
      }
      if (hits.size() < Search.LIMIT_MAX) break;
    }
    found.sort(Comparator.comparing(FileList.Entry::path));
    boolean isTooMuch = found.size() > FileList.FILES_MAX;
    return new FileList(
        isTooMuch ? found.subList(0, FileList.FILES_MAX) : found, isCut || isTooMuch);
  }
}
