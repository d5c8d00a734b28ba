package dev.superstep.retrieval;

import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.chunk.Tokenizer;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.retrieval.vector.VectorStorage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Keeps chunks until the process ends, and looks at each of them in a search: exact, and quick
/// enough for tens of thousands. Safe for many threads.
final class InMemoryVectors implements VectorStorage {
  // How much a word that comes again counts, and how much the length of a text; as in Lucene.
  private static final double SATURATION = 1.2;
  private static final double LENGTH_WEIGHT = 0.75;

  private final Map<String, StoredChunk> entries = new HashMap<>();
  private final Map<String, Integer> textsWith = new HashMap<>();
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private long wordsInAll;
  private @Nullable VectorSpace space;

  private record StoredChunk(EmbeddedChunk entry, Map<String, Integer> counts, int words) {}

  private record Scored(EmbeddedChunk entry, double score) {
    // By id where the score is the same, so that the answer is always the same.
    static final Comparator<Scored> BEST_FIRST =
        Comparator.comparingDouble(Scored::score)
            .reversed()
            .thenComparing(scored -> scored.entry().chunk().id());
  }

  @Override
  public Optional<VectorSpace> space() {
    return locked(lock.readLock(), () -> Optional.ofNullable(space));
  }

  @Override
  public void put(VectorSpace where, List<EmbeddedChunk> added) {
    var kept = added.stream().map(InMemoryVectors::stored).toList();
    locked(
        lock.writeLock(),
        () -> {
          space = where;
          for (var one : kept) {
            remove(one.entry().chunk().id());
            entries.put(one.entry().chunk().id(), one);
            one.counts().keySet().forEach(word -> textsWith.merge(word, 1, Integer::sum));
            wordsInAll += one.words();
          }
          return kept;
        });
  }

  @Override
  public Set<String> delete(Set<String> ids) {
    return locked(
        lock.writeLock(),
        () -> {
          var gone = new LinkedHashSet<String>();
          for (var id : ids) if (remove(id)) gone.add(id);
          return gone;
        });
  }

  @Override
  public List<EmbeddedChunk> get(Set<String> ids) {
    return locked(
        lock.readLock(),
        () -> {
          var found = new ArrayList<EmbeddedChunk>();
          for (var id : ids) {
            var kept = entries.get(id);
            if (kept != null) found.add(kept.entry());
          }
          return found;
        });
  }

  @Override
  public Collection<String> ids(ChunkFilter filter) {
    return locked(
        lock.readLock(),
        () ->
            entries.values().stream()
                .map(kept -> kept.entry().chunk())
                .filter(filter::matches)
                .map(Chunk::id)
                .toList());
  }

  @Override
  public List<EmbeddedChunk> nearest(Embedding sought, int limit, ChunkFilter filter) {
    return best(limit, filter, kept -> kept.entry().embedding().nearness(sought));
  }

  @Override
  public List<EmbeddedChunk> matching(List<String> words, int limit, ChunkFilter filter) {
    return best(limit, filter, kept -> score(kept, words));
  }

  @Override
  public long size() {
    return locked(lock.readLock(), () -> (long) entries.size());
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  /// @param score how good an entry is; `NaN` if it is not found
  private List<EmbeddedChunk> best(
      int limit, ChunkFilter filter, ToDoubleFunction<StoredChunk> score) {
    var best = new PriorityQueue<>(Scored.BEST_FIRST.reversed());
    locked(
        lock.readLock(),
        () -> {
          for (var kept : entries.values()) {
            if (!filter.matches(kept.entry().chunk())) continue;
            double points = score.applyAsDouble(kept);
            if (Double.isNaN(points)) continue;
            best.add(new Scored(kept.entry(), points));
            if (best.size() > limit) best.remove();
          }
          return best;
        });
    return best.stream().sorted(Scored.BEST_FIRST).map(Scored::entry).toList();
  }

  private double score(StoredChunk kept, List<String> words) {
    double meanLength = (double) wordsInAll / entries.size();
    double norm = 1 - LENGTH_WEIGHT + LENGTH_WEIGHT * kept.words() / meanLength;
    double score = 0;
    for (var word : words) {
      int times = kept.counts().getOrDefault(word, 0);
      if (times == 0) continue;
      int texts = textsWith.getOrDefault(word, 0);
      double rarity = Math.log(1 + (entries.size() - texts + 0.5) / (texts + 0.5));
      score += rarity * times / (times + SATURATION * norm);
    }
    return score == 0 ? Double.NaN : score;
  }

  private boolean remove(String id) {
    var old = entries.remove(id);
    if (old == null) return false;
    wordsInAll -= old.words();
    for (var word : old.counts().keySet()) {
      textsWith.computeIfPresent(word, (_, texts) -> texts == 1 ? null : texts - 1);
    }
    return true;
  }

  private static StoredChunk stored(EmbeddedChunk entry) {
    var counts = new HashMap<String, Integer>();
    var words = Tokenizer.of(entry.chunk().text());
    for (var word : words) counts.merge(word, 1, Integer::sum);
    return new StoredChunk(entry, counts, words.size());
  }

  private static <T> T locked(Lock held, Supplier<T> body) {
    held.lock();
    try {
      return body.get();
    } finally {
      held.unlock();
    }
  }

  @Override
  public String toString() {
    return "InMemoryVectors[" + size() + " chunks]";
  }
}
