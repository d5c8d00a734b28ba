package dev.superstep.retrieval;

import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Records of the documents in an index and of their versions, so that only changed documents are
/// embedded again. Belongs to one index. Safe for many threads.
public interface IndexRecords {
  /// The records of these documents, by their ids.
  Map<String, IndexRecord> get(Collection<String> documents);

  /// Stores records; each replaces the record of its document.
  void put(List<IndexRecord> records);

  /// Deletes the records of these documents.
  void delete(Collection<String> documents);

  /// The records of all documents.
  List<IndexRecord> all();

  /// The records of the documents of these sources.
  List<IndexRecord> from(Set<String> sources);

  /// Records in memory, for an index in memory.
  static IndexRecords inMemory() {
    return new InMemoryRecords();
  }

  /// Records in a store.
  ///
  /// @param namespace holds the records of one index, and nothing else
  static IndexRecords in(Store store, Namespace namespace) {
    return new StoredRecords(store, namespace);
  }
}
