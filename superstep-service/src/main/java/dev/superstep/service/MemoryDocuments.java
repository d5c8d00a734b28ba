package dev.superstep.service;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The documents of one kind in memory, by their ids, parents and statuses, so that what is asked
/// for all the time is found without a look at all of them. One thread at a time.
final class MemoryDocuments {
  private final Map<String, Document> all = new HashMap<>();
  private final Map<String, Map<String, Document>> byParent = new HashMap<>();
  private final Map<String, Map<String, Document>> byStatus = new HashMap<>();

  Optional<Document> find(String id) {
    return Optional.ofNullable(all.get(id));
  }

  boolean has(String id) {
    return all.containsKey(id);
  }

  /// Sets or removes a document.
  ///
  /// @return what was there before
  Optional<Document> put(String id, @Nullable Document document) {
    var before = document == null ? all.remove(id) : all.put(id, document);
    if (before != null) {
      remove(byParent, before.parent(), id);
      remove(byStatus, before.status(), id);
    }
    if (document != null) {
      byParent.computeIfAbsent(document.parent(), _ -> new LinkedHashMap<>()).put(id, document);
      byStatus.computeIfAbsent(document.status(), _ -> new LinkedHashMap<>()).put(id, document);
    }
    return Optional.ofNullable(before);
  }

  private static void remove(Map<String, Map<String, Document>> index, String key, String id) {
    index.computeIfPresent(
        key,
        (_, some) -> {
          some.remove(id);
          return some.isEmpty() ? null : some;
        });
  }

  /// The documents that may meet the conditions of a query: all that do, and others.
  Collection<Document> candidates(DocumentQuery query) {
    if (!query.ids().isEmpty()) return found(query.ids());
    if (query.parent().isPresent()) {
      return byParent.getOrDefault(query.parent().get(), Map.of()).values();
    }
    if (query.statuses().isEmpty()) return all.values();
    var some = new ArrayList<Document>();
    for (var status : query.statuses()) {
      some.addAll(byStatus.getOrDefault(status, Map.of()).values());
    }
    return some;
  }

  private List<Document> found(Set<String> ids) {
    return ids.stream().map(all::get).filter(document -> document != null).toList();
  }
}
