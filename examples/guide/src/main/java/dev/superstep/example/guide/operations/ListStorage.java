package dev.superstep.example.guide.operations;

import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.chunk.Tokenizer;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.retrieval.vector.VectorStorage;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/// Keeps chunks in a map and looks at each of them in a search. One lock makes it safe for many
/// threads.
public final class ListStorage implements VectorStorage {
  private final Map<String, EmbeddedChunk> chunks = new LinkedHashMap<>();
  private Optional<VectorSpace> space = Optional.empty();

  @Override
  public synchronized Optional<VectorSpace> space() {
    return space;
  }

  @Override
  public synchronized void put(VectorSpace where, List<EmbeddedChunk> entries) {
    space = Optional.of(where);
    for (var entry : entries) chunks.put(entry.chunk().id(), entry);
  }

  @Override
  public synchronized Set<String> delete(Set<String> ids) {
    var gone = new TreeSet<String>();
    for (var id : ids) if (chunks.remove(id) != null) gone.add(id);
    return gone;
  }

  @Override
  public synchronized List<EmbeddedChunk> get(Set<String> ids) {
    return chunks.values().stream().filter(e -> ids.contains(e.chunk().id())).toList();
  }

  @Override
  public synchronized Collection<String> ids(ChunkFilter filter) {
    return wanted(filter).map(entry -> entry.chunk().id()).toList();
  }

  private Stream<EmbeddedChunk> wanted(ChunkFilter filter) {
    return chunks.values().stream().filter(entry -> filter.matches(entry.chunk()));
  }

  @Override
  public synchronized List<EmbeddedChunk> nearest(Embedding sought, int limit, ChunkFilter filter) {
    return best(wanted(filter), limit, entry -> entry.embedding().nearness(sought));
  }

  @Override
  public synchronized List<EmbeddedChunk> matching(
      List<String> words, int limit, ChunkFilter filter) {
    var found = wanted(filter).filter(entry -> score(entry, words) > 0);
    return best(found, limit, entry -> score(entry, words));
  }

  private static List<EmbeddedChunk> best(
      Stream<EmbeddedChunk> all, int limit, ToDoubleFunction<EmbeddedChunk> score) {
    var order =
        Comparator.comparingDouble(score).reversed().thenComparing(entry -> entry.chunk().id());
    return all.sorted(order).limit(limit).toList();
  }

  /// BM25.
  private double score(EmbeddedChunk entry, List<String> sought) {
    var texts = chunks.values().stream().map(each -> Tokenizer.of(each.chunk().text())).toList();
    var own = Tokenizer.of(entry.chunk().text());
    double mean = texts.stream().mapToInt(List::size).average().orElse(1);
    double score = 0;
    for (var word : sought) {
      double often = own.stream().filter(word::equals).count();
      double texted = texts.stream().filter(text -> text.contains(word)).count();
      double rare = Math.log(1 + (texts.size() - texted + 0.5) / (texted + 0.5));
      score += rare * often * 2.2 / (often + 1.2 * (0.25 + 0.75 * own.size() / mean));
    }
    return score;
  }

  @Override
  public synchronized long size() {
    return chunks.size();
  }

  @Override
  public void close() {
    // The map goes with the process.
  }

  /// Searches by words.
  public static void main(String[] arguments) {
    try (var index = VectorIndex.over(new ListStorage(), new LetterEmbedder())) {
      index.add(List.of(Chunk.of("1", "green tea"), Chunk.of("2", "a long road")));
      System.out.println(index.search(Query.of("road")).getFirst().chunk().text());
    }
  }
}
