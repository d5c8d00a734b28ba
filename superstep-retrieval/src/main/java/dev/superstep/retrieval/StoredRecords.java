package dev.superstep.retrieval;

import dev.superstep.retrieval.internal.Digests;
import dev.superstep.retrieval.vector.IndexFailed;
import dev.superstep.store.Filter;
import dev.superstep.store.Namespace;
import dev.superstep.store.NamespaceSearch;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/// Records as items of a store, under the digests of the documents' ids, as those may be long. They
/// are spread over namespaces, because a search in one gives only so many pages. Safe for many
/// threads.
record StoredRecords(Store store, Namespace namespace) implements IndexRecords {
  private static final int SPREAD_DIGITS = 2;

  @Override
  public Map<String, IndexRecord> get(Collection<String> documents) {
    var found = new HashMap<String, IndexRecord>();
    for (var document : documents) {
      var digest = Digests.sha256(document);
      store
          .get(place(digest), digest, IndexRecord.class)
          .ifPresent(record -> found.put(document, record));
    }
    return found;
  }

  @Override
  public void put(List<IndexRecord> records) {
    for (int from = 0; from < records.size(); from += Store.BATCH_MAX) {
      var batch = records.subList(from, Math.min(from + Store.BATCH_MAX, records.size()));
      store.putAll(batch.stream().map(this::put).toList());
    }
  }

  @Override
  public void delete(Collection<String> documents) {
    for (var document : documents) {
      var digest = Digests.sha256(document);
      store.delete(place(digest), digest);
    }
  }

  @Override
  public List<IndexRecord> all() {
    return search(search -> search);
  }

  @Override
  public List<IndexRecord> from(Set<String> sources) {
    if (sources.isEmpty()) return List.of();
    return search(search -> search.where(Filter.in("/source", sources)));
  }

  private Put put(IndexRecord record) {
    var digest = Digests.sha256(record.document());
    return Put.of(place(digest), digest, record).notEmbedded();
  }

  private Namespace place(String digest) {
    return namespace.child(digest.substring(0, SPREAD_DIGITS));
  }

  private List<IndexRecord> search(UnaryOperator<Search> narrow) {
    // By document: one that is written meanwhile may come on two pages.
    var found = new LinkedHashMap<String, IndexRecord>();
    var places = NamespaceSearch.in(namespace).limit(NamespaceSearch.LIMIT_MAX);
    for (var place : store.namespaces(places)) {
      for (var record : pages(narrow.apply(Search.in(place).limit(Search.LIMIT_MAX)))) {
        found.put(record.document(), record);
      }
    }
    return List.copyOf(found.values());
  }

  private List<IndexRecord> pages(Search search) {
    var all = new ArrayList<IndexRecord>();
    for (int offset = 0; offset <= Search.OFFSET_MAX; offset += Search.LIMIT_MAX) {
      var hits = store.search(search.offset(offset));
      for (var hit : hits) all.add(hit.item().as(IndexRecord.class));
      if (hits.size() < Search.LIMIT_MAX) return all;
    }
    throw new IndexFailed(
        "whose records are in `" + namespace + "`",
        "it has more documents than a store can list",
        "Spread the documents over several indexes.",
        null);
  }
}
