package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.retrieval.Match;
import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.store.Embedder;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/// Does random things to an index and to one in memory, which must answer the same.
final class IndexJourney {
  private static final int CASES = 12;
  private static final int STEPS_MAX = 30;
  private static final int ALL = 100;
  private static final List<String> WORDS = List.of("tea", "zoo", "red", "bike", "😀", "ann");
  private static final List<String> IDS = List.of("a", "b", "c", "d", "é", "😀", "a#1", "a#2");

  private IndexJourney() {}

  /// Something done to an index, and what it answers.
  record Step(String name, Function<VectorIndex, Object> act) {
    @Override
    public String toString() {
      return name;
    }
  }

  static void check(Function<Embedder, VectorIndex> fresh) throws InterruptedException {
    try (var index = fresh.apply(WordEmbedder.words())) {
      Property.check(
          11,
          CASES,
          choices -> choices.list(STEPS_MAX, IndexJourney::step),
          steps -> {
            index.delete(index.ids(ChunkFilter.all()));
            try (var model = VectorIndex.inMemory(WordEmbedder.words())) {
              for (var step : steps) {
                var expected = step.act().apply(model);
                assertThat(step.act().apply(index)).as("%s of %s", step, steps).isEqualTo(expected);
              }
            }
          });
    }
  }

  private static Step step(Choices choices) {
    return switch (choices.below(7)) {
      case 0, 1, 2 -> {
        var chunks = choices.list(5, IndexJourney::chunk);
        yield new Step("add " + chunks, index -> index.add(chunks));
      }
      case 3 -> {
        var ids = choices.list(3, c -> c.of(IDS));
        yield new Step("delete " + ids, index -> index.delete(ids));
      }
      case 4 -> {
        var ids = choices.list(5, c -> c.of(IDS));
        yield new Step("get " + ids, index -> new TreeMap<>(index.get(ids)));
      }
      case 5 -> {
        var filter = filter(choices, 2);
        yield new Step("ids " + filter, index -> List.of(index.ids(filter), index.size()));
      }
      default -> search(choices);
    };
  }

  private static Step search(Choices choices) {
    var query = Query.of(text(choices)).where(filter(choices, 1)).limit(ALL);
    if (choices.chance(30)) query = query.minScore(0.3);
    int limit = choices.between(1, 3);
    return switch (choices.below(3)) {
      case 0 -> {
        var all = query;
        yield new Step(
            "" + all, index -> index.search(all).stream().map(IndexJourney::format).toList());
      }
      case 1 -> {
        // Of those that are equally near, each may choose others.
        var few = query.limit(limit);
        yield new Step(
            "" + few, index -> index.search(few).stream().map(IndexJourney::score).toList());
      }
      default -> {
        // Lucene knows the lengths of texts less exactly, so the order may be another.
        var hybrid = query.hybrid();
        yield new Step(
            "" + hybrid,
            index -> index.search(hybrid).stream().map(IndexJourney::format).sorted().toList());
      }
    };
  }

  private static Chunk chunk(Choices choices) {
    var chunk = Chunk.of(choices.of(IDS), text(choices));
    if (choices.chance(40)) chunk = chunk.with("lang", choices.of("en", "de", ""));
    return choices.chance(30) ? chunk.from(choices.of("menu", "card")) : chunk;
  }

  private static String text(Choices choices) {
    return choices.of(WORDS) + " " + String.join(" ", choices.list(5, c -> c.of(WORDS)));
  }

  private static ChunkFilter filter(Choices choices, int depth) {
    return switch (choices.below(depth == 0 ? 4 : 7)) {
      case 0 -> ChunkFilter.all();
      case 1 -> ChunkFilter.is("lang", choices.of("en", "de", ""));
      case 2 -> ChunkFilter.has("lang");
      case 3 -> ChunkFilter.from(choices.of("menu", "card", "a"));
      case 4 -> filter(choices, depth - 1).and(filter(choices, depth - 1));
      case 5 -> filter(choices, depth - 1).or(filter(choices, depth - 1));
      default -> filter(choices, depth - 1).not();
    };
  }

  private static String format(Match match) {
    return score(match) + " " + match.chunk();
  }

  private static String score(Match match) {
    return "%.6f".formatted(match.similarity());
  }
}
