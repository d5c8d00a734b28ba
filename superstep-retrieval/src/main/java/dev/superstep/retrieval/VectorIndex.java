package dev.superstep.retrieval;

import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.chunk.Tokenizer;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.retrieval.vector.VectorSpaceMismatch;
import dev.superstep.retrieval.vector.VectorStorage;
import dev.superstep.store.Embedder;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/// An index of chunks, which are searched by meaning and by words. Safe for many threads.
///
/// ```java
/// try (var index = VectorIndex.inMemory(MiniLmEmbedder.open())) {
///   index.add(Splitter.markdown(1_000, 100).split(Document.of("faq.md", text)));
///   for (var match : index.search(Query.of("how do I pay?").limit(3))) show(match);
/// }
/// ```
///
/// A [VectorStorage] stores the chunks; checks, embedding, ranking and events are the same for all
/// storages. Use an [Indexer] for documents that change.
public final class VectorIndex implements AutoCloseable {
  private final VectorStorage storage;
  private final Embeddings embeddings;
  private final RetrievalEvents events;
  private final AtomicBoolean closed = new AtomicBoolean();

  private VectorIndex(VectorStorage storage, Embedder embedder, RetrievalListener listener) {
    this.storage = storage;
    this.events = new RetrievalEvents(listener);
    this.embeddings = new Embeddings(embedder, events);
  }

  /// Makes an empty index in memory. A search compares every chunk.
  public static VectorIndex inMemory(Embedder embedder) {
    return over(new InMemoryVectors(), embedder, RetrievalListener.NONE);
  }

  /// Makes an empty index in memory that publishes its events.
  public static VectorIndex inMemory(Embedder embedder, RetrievalListener listener) {
    return over(new InMemoryVectors(), embedder, listener);
  }

  /// Opens an index over a storage, and closes the storage with it.
  ///
  /// @throws VectorSpaceMismatch if the storage holds vectors of another embedder; it is closed
  ///   then
  public static VectorIndex over(VectorStorage storage, Embedder embedder) {
    return over(storage, embedder, RetrievalListener.NONE);
  }

  /// Opens an index over a storage, and publishes its events.
  ///
  /// @throws VectorSpaceMismatch if the storage holds vectors of another embedder; it is closed
  ///   then
  public static VectorIndex over(
      VectorStorage storage, Embedder embedder, RetrievalListener listener) {
    var index = new VectorIndex(storage, embedder, listener);
    try {
      index.checkSpace(index.embeddings.space());
      return index;
    } catch (RuntimeException e) {
      index.close();
      throw e;
    }
  }

  /// Embeds chunks and stores all of them or none; each replaces the chunk with its id.
  ///
  /// @return their ids, each once
  /// @throws InvalidEmbedding if the embedder gives no proper vectors
  public List<String> add(List<Chunk> chunks) {
    checkOpen();
    var last = new LinkedHashMap<String, Chunk>();
    for (var chunk : chunks) last.put(chunk.id(), chunk);
    if (last.isEmpty()) return List.of();
    var distinct = List.copyOf(last.values());
    var vectors = embeddings.ofTexts(distinct.stream().map(Chunk::text).toList());
    var embedded = new LinkedHashMap<String, EmbeddedChunk>();
    for (int i = 0; i < distinct.size(); i++) {
      embedded.put(distinct.get(i).id(), new EmbeddedChunk(distinct.get(i), vectors.get(i)));
    }
    return putAll(embedded);
  }

  /// Stores chunks that the embedder of this index embedded before: all of them or none.
  ///
  /// @return their ids, each once
  /// @throws VectorSpaceMismatch if a vector has another dimension
  public List<String> addEmbedded(List<EmbeddedChunk> chunks) {
    checkOpen();
    var last = new LinkedHashMap<String, EmbeddedChunk>();
    for (var entry : chunks) {
      checkDimension(entry.embedding());
      last.put(entry.chunk().id(), entry);
    }
    return last.isEmpty() ? List.of() : putAll(last);
  }

  /// Deletes the chunks with these ids.
  ///
  /// @return the number of deleted chunks
  public int delete(Collection<String> ids) {
    checkOpen();
    if (ids.isEmpty()) return 0;
    long began = System.nanoTime();
    var gone = storage.delete(new LinkedHashSet<>(ids));
    events.publish(
        new RetrievalEvent.ChunksDeleted(
            gone.stream().sorted().toList(), RetrievalEvents.since(began)));
    return gone.size();
  }

  /// Returns the chunks with these ids that exist, by id, in no order.
  public Map<String, Chunk> get(Collection<String> ids) {
    checkOpen();
    if (ids.isEmpty()) return Map.of();
    return storage.get(Set.copyOf(ids)).stream()
        .map(EmbeddedChunk::chunk)
        .collect(Collectors.toUnmodifiableMap(Chunk::id, chunk -> chunk));
  }

  /// Returns the sorted ids of the chunks that a filter accepts.
  public List<String> ids(ChunkFilter filter) {
    checkOpen();
    return storage.ids(filter).stream().sorted().toList();
  }

  /// Returns the chunks that match a query, the best first; none if the index is empty or the query
  /// is blank.
  ///
  /// @throws VectorSpaceMismatch if the query is a vector of another dimension
  public List<Match> search(Query query) {
    checkOpen();
    long began = System.nanoTime();
    query.embedding().ifPresent(this::checkDimension);
    boolean isBlank = query.text().map(String::isBlank).orElse(false);
    List<Match> found = isBlank || storage.size() == 0 ? List.of() : find(query);
    var ids = found.stream().map(match -> match.chunk().id()).toList();
    events.publish(
        new RetrievalEvent.IndexSearched(query.limit(), ids, RetrievalEvents.since(began)));
    return found;
  }

  /// The number of chunks.
  public long size() {
    checkOpen();
    return storage.size();
  }

  /// The embedder and dimension of the vectors that it holds, or will hold.
  public VectorSpace space() {
    return embeddings.space();
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) storage.close();
  }

  RetrievalEvents events() {
    return events;
  }

  private List<String> putAll(Map<String, EmbeddedChunk> entries) {
    checkSpace(embeddings.space());
    long began = System.nanoTime();
    storage.put(embeddings.space(), List.copyOf(entries.values()));
    var ids = List.copyOf(entries.keySet());
    events.publish(new RetrievalEvent.ChunksAdded(ids, RetrievalEvents.since(began)));
    return ids;
  }

  private List<Match> find(Query query) {
    var sought =
        query.embedding().orElseGet(() -> embeddings.ofQuestion(query.text().orElseThrow()));
    var candidates =
        switch (query.ranking()) {
          case Ranking.Nearest _ -> nearest(query, sought, query.limit());
          case Ranking.Diverse(var lambda, var fetch) -> {
            var near = nearest(query, sought, Math.max(fetch, query.limit()));
            yield MatchSelection.diverse(near, lambda, query.limit());
          }
          case Ranking.Hybrid _ -> {
            int fetch = MatchSelection.fetch(query.limit());
            var words = Tokenizer.of(query.text().orElseThrow()).stream().distinct().toList();
            var byWords =
                words.isEmpty()
                    ? List.<EmbeddedChunk>of()
                    : storage.matching(words, fetch, query.filter());
            yield MatchSelection.fused(
                nearest(query, sought, fetch), scored(query, sought, byWords), query.limit());
          }
        };
    return candidates.stream().map(Candidate::match).toList();
  }

  private List<Candidate> nearest(Query query, Embedding sought, int limit) {
    // The storage may know scores less exactly, and order what is equally near by chance.
    return scored(query, sought, storage.nearest(sought, limit, query.filter())).stream()
        .sorted(
            Comparator.comparingDouble((Candidate one) -> one.match().score())
                .reversed()
                .thenComparing(Candidate::id))
        .toList();
  }

  private static List<Candidate> scored(
      Query query, Embedding sought, List<EmbeddedChunk> entries) {
    return entries.stream()
        .map(entry -> Candidate.of(entry, sought))
        .filter(candidate -> candidate.match().similarity() >= query.minScore())
        .toList();
  }

  private void checkDimension(Embedding embedding) {
    var given = new VectorSpace(embeddings.space().embedder(), embedding.dimension());
    if (!given.equals(embeddings.space())) throw new VectorSpaceMismatch(space(), given);
  }

  private void checkSpace(VectorSpace given) {
    var held = storage.space();
    if (held.isPresent() && !held.get().equals(given)) {
      throw new VectorSpaceMismatch(held.get(), given);
    }
  }

  private void checkOpen() {
    if (closed.get()) throw new IndexClosed();
  }

  @Override
  public String toString() {
    return "VectorIndex[" + storage + ", " + space() + "]";
  }
}
