package dev.superstep.retrieval;

import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.Splitter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/// Updates an index with added, changed and removed documents. Unchanged documents are not embedded
/// again. Safe for many threads; concurrent calls run one after another.
///
/// ```java
/// var indexer = Indexer.of(index, Splitter.markdown(1_000, 100), IndexRecords.in(store, records));
/// var report = indexer.index(documents, Cleanup.FULL);
/// ```
///
/// If a call fails, is interrupted or dies with its process, some documents are indexed and others
/// are not; the same call again does the rest. The cleanup comes last, so no document is missing
/// because another could not be embedded.
public final class Indexer {
  private static final int GROUP_MAX = 100;

  private final VectorIndex index;
  private final Splitter splitter;
  private final IndexRecords records;
  private final ReentrantLock indexing = new ReentrantLock();

  private Indexer(VectorIndex index, Splitter splitter, IndexRecords records) {
    this.index = index;
    this.splitter = splitter;
    this.records = records;
  }

  /// An indexer of an index.
  ///
  /// @param records those of this index, which no other indexer uses meanwhile
  public static Indexer of(VectorIndex index, Splitter splitter, IndexRecords records) {
    return new Indexer(index, splitter, records);
  }

  /// Updates the index with these documents.
  ///
  /// @param documents no two with the same id
  /// @throws InterruptedException if the thread is interrupted; finished documents stay indexed
  public IndexingReport index(Collection<Document> documents, Cleanup cleanup)
      throws InterruptedException {
    checkDistinct(documents);
    var events = index.events();
    long began = System.nanoTime();
    indexing.lockInterruptibly();
    try {
      events.publish(new RetrievalEvent.IndexingStarted(cleanup));
      var run = new IndexingRun(index, splitter, records);
      for (var group : groups(documents)) {
        if (Thread.interrupted()) throw new InterruptedException("indexing was cancelled");
        run.bringUpToDate(group);
      }
      run.cleanUp(documents, cleanup);
      var report = run.report();
      events.publish(new RetrievalEvent.IndexingCompleted(report, RetrievalEvents.since(began)));
      return report;
    } catch (RuntimeException | InterruptedException e) {
      events.publish(new RetrievalEvent.IndexingFailed(RetrievalEvents.name(e)));
      throw e;
    } finally {
      indexing.unlock();
    }
  }

  private static void checkDistinct(Collection<Document> documents) {
    var ids = new HashSet<String>();
    for (var document : documents) {
      if (!ids.add(document.id())) {
        throw new IllegalArgumentException("two documents have the id `" + document.id() + "`");
      }
    }
  }

  private static List<List<Document>> groups(Collection<Document> documents) {
    var all = List.copyOf(documents);
    var groups = new ArrayList<List<Document>>();
    for (int from = 0; from < all.size(); from += GROUP_MAX) {
      groups.add(all.subList(from, Math.min(from + GROUP_MAX, all.size())));
    }
    return groups;
  }

  @Override
  public String toString() {
    return "Indexer[" + index + "]";
  }
}
