package dev.superstep.retrieval;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Records in a map. Safe for many threads.
final class InMemoryRecords implements IndexRecords {
  private final Map<String, IndexRecord> records = new ConcurrentHashMap<>();

  @Override
  public Map<String, IndexRecord> get(Collection<String> documents) {
    var found = new HashMap<String, IndexRecord>();
    for (var document : documents) {
      var record = records.get(document);
      if (record != null) found.put(document, record);
    }
    return found;
  }

  @Override
  public void put(List<IndexRecord> added) {
    for (var record : added) records.put(record.document(), record);
  }

  @Override
  public void delete(Collection<String> documents) {
    for (var document : documents) records.remove(document);
  }

  @Override
  public List<IndexRecord> all() {
    return List.copyOf(records.values());
  }

  @Override
  public List<IndexRecord> from(Set<String> sources) {
    return records.values().stream().filter(record -> sources.contains(record.source())).toList();
  }
}
