package dev.superstep.retrieval.lucene;

import dev.superstep.file.PrivateFiles;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.IndexFailed;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.retrieval.vector.VectorStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/// Keeps chunks in a folder, or in memory, by Lucene: finds vectors by an HNSW graph and words by
/// BM25, without looking at every chunk. One process at a time may have a folder open. Safe for
/// many threads.
///
/// ```java
/// try (var index = VectorIndex.over(LuceneVectors.open(folder), MiniLmEmbedder.open())) { ... }
/// ```
///
/// Each change is on disk when its method returns, so add many chunks at once.
public final class LuceneVectors implements VectorStorage {
  // A graph is searched for at least so many, because with few it finds worse ones.
  private static final int EXPLORED_LEAST = 64;
  private static final int WORDS_MAX = 512;

  // A process that died before its first commit leaves some of these without an index.
  private static final Pattern INDEX_FILE =
      Pattern.compile("_.*|(pending_)?segments.*|write\\.lock|\\.nfs.*");

  private final String name;
  private final IndexWriterThread writing;

  private LuceneVectors(String name, IndexWriterThread writing) {
    this.name = name;
    this.writing = writing;
  }

  /// Opens the index in a folder, which is created if there is none, for its owner only. Files in
  /// it have the permissions that the system gives new files, so an existing folder should be
  /// private, too.
  ///
  /// @throws IndexFailed if it is open already, or holds something else
  public static LuceneVectors open(Path folder) {
    var name = "in `" + folder + "`";
    return new LuceneVectors(name, IndexWriterThread.open(name, () -> opened(folder)));
  }

  private static Directory opened(Path folder) throws IOException {
    PrivateFiles.createDirectories(folder);
    refuseOthers(folder);
    return FSDirectory.open(folder);
  }

  /// Refuses a folder with files that are not an index's, before anything is written into it.
  private static void refuseOthers(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      var other =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !INDEX_FILE.matcher(name).matches())
              .findFirst();
      if (other.isEmpty()) return;
      throw new IndexFailed(
          "in `" + folder + "`",
          "the folder holds `" + other.get() + "`, which is no file of an index",
          "Choose an empty folder.",
          null);
    }
  }

  /// An empty one that is gone with the process.
  public static LuceneVectors inMemory() {
    var name = "in memory";
    return new LuceneVectors(name, IndexWriterThread.open(name, ByteBuffersDirectory::new));
  }

  @Override
  public Optional<VectorSpace> space() {
    return writing.space();
  }

  @Override
  public void put(VectorSpace space, List<EmbeddedChunk> entries) {
    if (space.dimension() > WideVectors.DIMENSION_MAX) {
      throw new IndexFailed(
          name,
          "vectors of %,d numbers do not fit; %,d are allowed"
              .formatted(space.dimension(), WideVectors.DIMENSION_MAX),
          "Use an embedder with fewer.",
          null);
    }
    var rows = entries.stream().map(ChunkDocuments::of).toList();
    var ids = entries.stream().map(entry -> entry.chunk().id()).toList();
    writing.change((writer, _) -> {
      // One call, so that nobody sees an id twice or not at all.
      writer.updateDocuments(ChunkDocuments.withIds(ids), rows);
      writing.fix(space);
      return rows;
    });
  }

  @Override
  public Set<String> delete(Set<String> ids) {
    return writing.change((writer, searcher) -> {
      var there = new HashSet<>(ChunkDocuments.ids(searcher, ChunkDocuments.withIds(ids)));
      if (!there.isEmpty()) writer.deleteDocuments(ChunkDocuments.withIds(there));
      return there;
    });
  }

  @Override
  public List<EmbeddedChunk> get(Set<String> ids) {
    return read(searcher -> found(searcher, ChunkDocuments.withIds(ids), ids.size()));
  }

  @Override
  public Collection<String> ids(ChunkFilter filter) {
    return read(searcher -> ChunkDocuments.ids(searcher, Filters.query(filter)));
  }

  @Override
  public List<EmbeddedChunk> nearest(Embedding sought, int limit, ChunkFilter filter) {
    int explored = Math.max(limit, EXPLORED_LEAST);
    var query =
        filter.equals(ChunkFilter.all())
            ? new KnnFloatVectorQuery(ChunkDocuments.VECTOR, sought.numbers(), explored)
            : new KnnFloatVectorQuery(
                ChunkDocuments.VECTOR, sought.numbers(), explored, Filters.query(filter));
    return read(searcher -> found(searcher, query, limit));
  }

  @Override
  public List<EmbeddedChunk> matching(List<String> words, int limit, ChunkFilter filter) {
    var query = new BooleanQuery.Builder().setMinimumNumberShouldMatch(1);
    for (var word : words.subList(0, Math.min(words.size(), WORDS_MAX))) {
      query.add(new TermQuery(new Term(ChunkDocuments.WORDS, word)), Occur.SHOULD);
    }
    if (!filter.equals(ChunkFilter.all())) query.add(Filters.query(filter), Occur.FILTER);
    return read(searcher -> found(searcher, query.build(), limit));
  }

  @Override
  public long size() {
    return read(searcher -> (long) searcher.getIndexReader().numDocs());
  }

  @Override
  public void close() {
    writing.close();
  }

  private static List<EmbeddedChunk> found(IndexSearcher searcher, Query query, int limit)
      throws IOException {
    var hits = searcher.search(query, limit).scoreDocs;
    var rows = new int[hits.length];
    for (int i = 0; i < hits.length; i++) rows[i] = hits[i].doc;
    return ChunkDocuments.read(searcher, rows);
  }

  private interface Reading<T> {
    T of(IndexSearcher searcher) throws IOException;
  }

  private <T> T read(Reading<T> reading) {
    try {
      var searchers = writing.searchers();
      var searcher = searchers.acquire();
      try {
        return reading.of(searcher);
      } finally {
        searchers.release(searcher);
      }
    } catch (IOException | AlreadyClosedException e) {
      throw IndexWriterThread.failed(name, e);
    }
  }

  @Override
  public String toString() {
    return "LuceneVectors[" + name + "]";
  }
}
