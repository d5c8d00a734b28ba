package dev.superstep.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;

/// Finds the hits of a search among all items of its namespace, the same ones in every store. For
/// those who write a store: offer each item that has not expired, then take the hits. Holds no more
/// than the search asks for. One thread at a time.
public final class Ranking {
  private static final Comparator<Hit> LATEST_FIRST =
      Comparator.<Hit>comparingLong(hit -> hit.item().version()).reversed();
  private static final Comparator<Hit> NEAREST_FIRST =
      Comparator.<Hit>comparingDouble(hit -> hit.score().orElse(0))
          .reversed()
          .thenComparing(LATEST_FIRST);

  private final Search search;
  private final Optional<Meaning> query;
  private final Comparator<Hit> order;
  // The worst of the best so far is at its head.
  private final PriorityQueue<Hit> best;

  /// @param sought what the search looks for, from [Meaning#of(Search, StoreOptions)]
  public Ranking(Search search, Optional<Meaning> sought) {
    this.search = search;
    this.query = sought;
    this.order = sought.isPresent() ? NEAREST_FIRST : LATEST_FIRST;
    this.best = new PriorityQueue<>(order.reversed());
  }

  /// Counts the item if it is one of those sought.
  ///
  /// @param meaning its stored meaning
  /// @throws EmbedderMismatch if the item was embedded by another embedder
  public void offer(Item item, Optional<Meaning> meaning) {
    if (!search.matches(item.value())) return;
    var score = OptionalDouble.empty();
    if (query.isPresent()) {
      if (meaning.isEmpty()) return;
      score = OptionalDouble.of(nearness(item, meaning.get(), query.get()));
      if (score.getAsDouble() < search.minScore()) return;
    }
    best.add(new Hit(item, score));
    if (best.size() > search.offset() + search.limit()) best.remove();
  }

  /// The hits that were asked for, the best first.
  public List<Hit> hits() {
    var hits = new ArrayList<>(best);
    hits.sort(order);
    return List.copyOf(hits.subList(Math.min(search.offset(), hits.size()), hits.size()));
  }

  private static double nearness(Item item, Meaning meaning, Meaning sought) {
    if (meaning.isComparable(sought)) return meaning.nearness(sought);
    throw new EmbedderMismatch(item, meaning.embedder(), sought.embedder());
  }
}
