package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.superstep.retrieval.IndexClosed;
import dev.superstep.retrieval.Match;
import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.RetrievalEvent;
import dev.superstep.retrieval.RetrievalListener;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.InvalidEmbedding;
import dev.superstep.retrieval.vector.VectorSpaceMismatch;
import dev.superstep.store.Embedder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The tests that a [VectorIndex] must pass over every
/// [dev.superstep.retrieval.vector.VectorStorage]. A test class implements this interface, as with
/// [CheckpointerSuite].
@ExtendWith(VectorIndexSuite.Opened.class)
public interface VectorIndexSuite {
  /// Gives a test an empty index.
  final class Opened extends Fixture<VectorIndex> {
    /// For JUnit.
    public Opened() {
      super(VectorIndex.class, suite -> ((VectorIndexSuite) suite).fresh());
    }
  }

  /// An empty index. Called once for each test.
  VectorIndex fresh(Embedder embedder, RetrievalListener listener);

  /// The index that [#fresh] gave last, opened again after it was closed; empty if it keeps nothing
  /// when it is closed.
  default Optional<VectorIndex> reopened(Embedder embedder) {
    return Optional.empty();
  }

  private VectorIndex fresh() {
    return fresh(WordEmbedder.words(), RetrievalListener.NONE);
  }

  @Test
  @Tag("T131")
  default void chunks_read_back_unchanged(VectorIndex index) {
    var provenance = new Chunk.Provenance("faq.md", "https://example.org/faq", 12, 31);
    var one = new Chunk("faq.md#3", "Money comes back.", Map.of("lang", "en"), provenance);
    var other = Chunk.of("tea", "green tea").with("odd key \0 =", "odd\nvalue ≠ 😀").from("menu");
    assertThat(index.add(List.of(one, other))).containsExactly("faq.md#3", "tea");
    assertThat(index.size()).isEqualTo(2);
    assertThat(index.get(List.of("tea", "none", "faq.md#3", "tea")))
        .containsOnly(Map.entry("faq.md#3", one), Map.entry("tea", other));
    assertThat(index.ids(ChunkFilter.all())).containsExactly("faq.md#3", "tea");
    assertThat(index.search(Query.of("money")).getFirst().chunk()).isEqualTo(one);
  }

  @Test
  @Tag("T131")
  default void an_id_is_given_or_made_from_the_text(VectorIndex index) {
    var made = index.add(List.of(Chunk.of("green tea"), Chunk.of("black tea")));
    assertThat(made).doesNotHaveDuplicates().hasSize(2);
    assertThat(index.add(List.of(Chunk.of("green tea")))).containsExactly(made.getFirst());
    index.add(List.of(Chunk.of("given", "green tea")));
    assertThat(index.ids(ChunkFilter.all()))
        .containsExactlyInAnyOrder(made.get(0), made.get(1), "given");
  }

  @Test
  @Tag("T131")
  default void a_chunk_replaces_the_chunk_and_vector_with_the_same_id(VectorIndex index) {
    index.add(List.of(Chunk.of("a", "green tea").with("kind", "drink"), Chunk.of("b", "zoo")));
    index.add(List.of(Chunk.of("a", "red bicycle")));
    assertThat(index.size()).isEqualTo(2);
    assertThat(index.get(List.of("a")).get("a")).isEqualTo(Chunk.of("a", "red bicycle"));
    assertThat(index.search(Query.of("green tea").minScore(0.1))).isEmpty();
    assertThat(ids(index.search(Query.of("bicycle").minScore(0.1)))).containsExactly("a");
    assertThat(index.ids(ChunkFilter.has("kind"))).isEmpty();
    assertThat(index.add(List.of(Chunk.of("c", "one"), Chunk.of("c", "two")))).containsExactly("c");
    assertThat(index.get(List.of("c"))).containsOnly(Map.entry("c", Chunk.of("c", "two")));
  }

  @Test
  @Tag("T131")
  default void deleted_chunks_are_not_found(VectorIndex index) {
    index.add(List.of(Chunk.of("a", "green tea"), Chunk.of("b", "black tea")));
    assertThat(index.delete(List.of("a", "none", "a"))).isEqualTo(1);
    assertThat(index.delete(List.of("a"))).isZero();
    assertThat(index.get(List.of("a"))).isEmpty();
    assertThat(index.size()).isEqualTo(1);
    assertThat(ids(index.search(Query.of("green tea")))).containsExactly("b");
    assertThat(ids(index.search(Query.of("green tea").hybrid()))).containsExactly("b");
    index.add(List.of(Chunk.of("a", "green tea")));
    assertThat(ids(index.search(Query.of("green tea")))).containsExactly("a", "b");
  }

  @Test
  @Tag("T51")
  default void the_nearest_come_first_as_many_as_asked_for(VectorIndex index) {
    index.add(
        List.of(
            Chunk.of("tea", "ann likes green tea"),
            Chunk.of("bike", "ann rides a red bicycle to work"),
            Chunk.of("both", "green bicycle")));
    var query = Query.of("green tea");
    var found = index.search(query);
    assertThat(ids(found)).containsExactly("tea", "both", "bike");
    assertThat(found.getFirst().score()).isEqualTo(0.707, within(0.01));
    assertThat(ids(index.search(query.limit(1)))).containsExactly("tea");
    assertThat(ids(index.search(query.minScore(0.4)))).containsExactly("tea", "both");
    assertThat(ids(index.search(query.minScore(0.4).hybrid()))).containsExactly("tea", "both");
  }

  @Test
  @Tag("T51")
  default void a_hybrid_search_finds_the_only_chunk_with_a_rare_word(VectorIndex index) {
    var chunks = new ArrayList<Chunk>();
    for (int i = 0; i < 60; i++) chunks.add(Chunk.of("c" + i, "the lighthouse on the coast " + i));
    chunks.add(Chunk.of("rare", "an old tower with the number zx1693"));
    index.add(chunks);
    var query = Query.of("which lighthouse on the coast has the number zx1693").limit(4).hybrid();
    assertThat(ids(index.search(query))).contains("rare");
  }

  @Test
  @Tag("T51")
  default void a_hybrid_search_tells_its_fused_score_and_both_ranks(VectorIndex index) {
    index.add(
        List.of(
            Chunk.of("tea", "green tea"),
            Chunk.of("both", "ann rides a green bicycle"),
            Chunk.of("bike", "a red bicycle to work")));
    var found = index.search(Query.of("green tea").hybrid());
    assertThat(ids(found)).containsExactly("tea", "both", "bike");
    var first = found.getFirst();
    assertThat(first.score()).isEqualTo(1, within(1e-9));
    assertThat(first.similarity()).isEqualTo(1, within(0.01));
    assertThat(first.ranks()).contains(new Match.Ranks(Optional.of(1), Optional.of(1)));
    var last = found.getLast();
    assertThat(last.ranks()).contains(new Match.Ranks(Optional.of(3), Optional.empty()));
    assertThat(last.score()).isEqualTo(5.0 / 7 / 2, within(1e-9));
    assertThat(found).isSortedAccordingTo(Comparator.comparingDouble(Match::score).reversed());
    var nearest = index.search(Query.of("green tea")).getFirst();
    assertThat(nearest.score()).isEqualTo(nearest.similarity());
    assertThat(nearest.ranks()).isEmpty();
  }

  @Test
  @Tag("T51")
  default void a_search_by_vector_finds_the_nearest_chunks(VectorIndex index) {
    index.add(List.of(Chunk.of("a", "green tea"), Chunk.of("b", "red bicycle")));
    var sought = Embedding.of(WordEmbedder.words().embed("bicycle"));
    assertThat(ids(index.search(Query.near(sought).minScore(0.1)))).containsExactly("b");
    var added = Chunk.of("c", "written by hand");
    index.addEmbedded(List.of(new EmbeddedChunk(added, sought)));
    assertThat(index.search(Query.near(sought).limit(1)).getFirst()).isEqualTo(new Match(added, 1));
    assertThatThrownBy(() -> Query.near(sought).hybrid())
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Tag("T131")
  default void filters_ask_for_metadata_and_sources(VectorIndex index) {
    index.add(
        List.of(
            Chunk.of("1", "tea").with("lang", "en").with("year", "2025").from("menu"),
            Chunk.of("2", "tea").with("lang", "de").from("menu"),
            Chunk.of("3", "tea").with("lang", "").from("card"),
            Chunk.of("4", "tea")));
    assertFinds(index, ChunkFilter.all(), "1", "2", "3", "4");
    assertFinds(index, ChunkFilter.is("lang", "en"), "1");
    assertFinds(index, ChunkFilter.is("lang", ""), "3");
    assertFinds(index, ChunkFilter.is("lan", "gen"));
    assertFinds(index, ChunkFilter.isOneOf("lang", List.of("en", "de", "fr")), "1", "2");
    assertFinds(index, ChunkFilter.isOneOf("lang", List.of()));
    assertFinds(index, ChunkFilter.has("lang"), "1", "2", "3");
    assertFinds(index, ChunkFilter.has("lang").not(), "4");
    assertFinds(index, ChunkFilter.from("menu", "none"), "1", "2");
    assertFinds(index, ChunkFilter.from());
    assertFinds(index, ChunkFilter.is("lang", "de").or(ChunkFilter.from("4")), "2", "4");
    assertFinds(index, ChunkFilter.from("menu").and(ChunkFilter.has("year").not()), "2");
    assertFinds(index, ChunkFilter.all().not());
  }

  private static void assertFinds(VectorIndex index, ChunkFilter filter, String... ids) {
    assertThat(index.ids(filter)).as("" + filter).containsExactly(ids);
    for (var query : List.of(Query.of("tea"), Query.of("tea").hybrid())) {
      assertThat(ids(index.search(query.where(filter))))
          .as("" + filter)
          .containsExactlyInAnyOrder(ids);
    }
  }

  @Test
  @Tag("T131")
  default void a_filter_narrows_before_the_nearest_are_counted(VectorIndex index) {
    var chunks = new ArrayList<Chunk>();
    for (int i = 0; i < 300; i++) chunks.add(Chunk.of("near" + i, "green tea"));
    chunks.add(Chunk.of("far", "a zoo with green birds").with("kind", "place"));
    index.add(chunks);
    var query = Query.of("green tea").limit(2).where(ChunkFilter.is("kind", "place"));
    assertThat(ids(index.search(query))).containsExactly("far");
    assertThat(ids(index.search(query.hybrid()))).containsExactly("far");
    assertThat(ids(index.search(query.diverse(0.5, 5)))).containsExactly("far");
    assertThat(index.search(Query.of("green tea").limit(200))).hasSize(200);
  }

  @Test
  @Tag("T51")
  default void a_diverse_search_avoids_similar_chunks(VectorIndex index) {
    index.add(
        List.of(
            Chunk.of("tea1", "green tea please"),
            Chunk.of("tea2", "green tea please"),
            Chunk.of("leaf", "green leaf"),
            Chunk.of("zoo", "lions sleep")));
    var query = Query.of("green tea please").limit(2);
    assertThat(ids(index.search(query))).containsExactly("tea1", "tea2");
    assertThat(ids(index.search(query.diverse(0.4, 3)))).containsExactly("tea1", "leaf");
    assertThat(ids(index.search(query.diverse(1, 4)))).containsExactly("tea1", "tea2");
    // Only what is near enough may be chosen for being different.
    assertThat(ids(index.search(query.diverse(0, 2)))).containsExactly("tea1", "tea2");
    assertThat(ids(index.search(query.diverse(0, 4).limit(4))))
        .containsExactlyInAnyOrder("tea1", "tea2", "leaf", "zoo");
  }

  @Test
  @Tag("T51")
  default void a_hybrid_search_finds_words_that_the_embedder_does_not_know() {
    try (var index = fresh(new FaultyEmbedders.Topics(), RetrievalListener.NONE)) {
      var chunks = new ArrayList<Chunk>();
      for (int i = 0; i < 60; i++) chunks.add(Chunk.of("m%02d".formatted(i), "money number " + i));
      chunks.add(Chunk.of("zz", "money for invoice Z17"));
      chunks.add(Chunk.of("pet", "the cat of invoice z17"));
      index.add(chunks);
      var query = Query.of("where is Z17?").limit(5);
      assertThat(ids(index.search(query))).doesNotContain("zz");
      assertThat(ids(index.search(query.hybrid()))).contains("zz", "pet").hasSize(5);
      assertThat(ids(index.search(Query.of("money 漢 !").hybrid().limit(5)))).hasSize(5);
    }
  }

  @Test
  @Tag("W33")
  default void empty_input_has_the_same_result_in_every_index() {
    try (var index = fresh(new FaultyEmbedders.Unasked(), RetrievalListener.NONE)) {
      assertThat(index.size()).isZero();
      assertThat(index.add(List.of())).isEmpty();
      assertThat(index.addEmbedded(List.of())).isEmpty();
      assertThat(index.delete(List.of())).isZero();
      assertThat(index.delete(List.of("", "none"))).isZero();
      assertThat(index.get(List.of())).isEmpty();
      assertThat(index.get(List.of("", "none"))).isEmpty();
      assertThat(index.ids(ChunkFilter.all())).isEmpty();
      for (var text : List.of("", " \n\t", "green tea")) {
        assertThat(index.search(Query.of(text))).isEmpty();
        assertThat(index.search(Query.of(text).hybrid())).isEmpty();
        assertThat(index.search(Query.of(text).diverse(0.5, 9))).isEmpty();
      }
      assertThat(index.search(Query.near(Embedding.of(1, 2, 3)))).isEmpty();
      // Also when there is something to find, and without asking the embedder.
      index.addEmbedded(List.of(new EmbeddedChunk(Chunk.of("tea"), Embedding.of(1, 0, 0))));
      for (var text : List.of("", " \n\t")) {
        assertThat(index.search(Query.of(text))).isEmpty();
        assertThat(index.search(Query.of(text).hybrid())).isEmpty();
        assertThat(index.search(Query.of(text).diverse(0.5, 9))).isEmpty();
      }
    }
  }

  @Test
  @Tag("T51")
  default void an_invalid_vector_is_refused_and_nothing_is_written() {
    assertThatThrownBy(Embedding::of).isInstanceOf(InvalidEmbedding.class);
    assertThatThrownBy(() -> Embedding.of(0, 0, -0f)).isInstanceOf(InvalidEmbedding.class);
    assertThatThrownBy(() -> Embedding.of(1, Float.NaN)).isInstanceOf(InvalidEmbedding.class);
    assertThatThrownBy(() -> Embedding.of(1, Float.NEGATIVE_INFINITY))
        .isInstanceOf(InvalidEmbedding.class);
    try (var index = fresh(new FaultyEmbedders.Broken(), RetrievalListener.NONE)) {
      var good = Chunk.of("good", "good");
      for (var text : List.of("short", "zero", "nan", "none")) {
        assertThatThrownBy(() -> index.add(List.of(good, Chunk.of(text))))
            .as(text)
            .isInstanceOf(InvalidEmbedding.class)
            .hasMessageContaining("broken");
      }
      assertThat(index.size()).isZero();
      index.add(List.of(good));
      assertThatThrownBy(() -> index.search(Query.of("zero"))).isInstanceOf(InvalidEmbedding.class);
    }
  }

  @Test
  @Tag("T51")
  default void a_vector_of_another_dimension_is_refused_and_nothing_is_written() {
    try (var index = fresh(new FaultyEmbedders.Topics(), RetrievalListener.NONE)) {
      var wrong = Embedding.of(1, 2);
      assertThatThrownBy(() -> index.search(Query.near(wrong)))
          .isInstanceOf(VectorSpaceMismatch.class);
      index.add(List.of(Chunk.of("a", "cat")));
      assertThatThrownBy(() -> index.search(Query.near(wrong)))
          .isInstanceOf(VectorSpaceMismatch.class)
          .hasMessageContaining("`topics` with 3 numbers")
          .hasMessageContaining("2 numbers");
      var right = new EmbeddedChunk(Chunk.of("b", "dog"), Embedding.of(1, 0, 0));
      assertThatThrownBy(() ->
              index.addEmbedded(List.of(right, new EmbeddedChunk(Chunk.of("c", "dog"), wrong))))
          .isInstanceOf(VectorSpaceMismatch.class);
      assertThat(index.ids(ChunkFilter.all())).containsExactly("a");
    }
  }

  @Test
  @Tag("W33")
  default void unusual_and_long_texts_are_stored_and_found(VectorIndex index) {
    var blob = "x".repeat(100_000);
    var chunks =
        List.of(
            Chunk.of("nul", "a\0b"),
            Chunk.of("signs", "?! --- ..."),
            Chunk.of("emoji", "😀 👩‍👩‍👧"),
            Chunk.of("han", "東京は大きい"),
            Chunk.of("blob", blob),
            Chunk.of("facts", "facts").with("long", blob).from("https://example.org/" + blob));
    index.add(chunks);
    for (var chunk : chunks) {
      assertThat(index.get(List.of(chunk.id()))).containsOnly(Map.entry(chunk.id(), chunk));
      assertThat(ids(index.search(Query.of(chunk.text()).hybrid()))).contains(chunk.id());
    }
    assertThat(ids(index.search(Query.of("京").hybrid().limit(1)))).containsExactly("han");
    assertThat(index.ids(ChunkFilter.is("long", blob))).containsExactly("facts");
  }

  @Test
  @Tag("T51")
  default void texts_are_embedded_in_batches_and_questions_as_questions() {
    var embedder = new FaultyEmbedders.Asking();
    try (var index = fresh(embedder, RetrievalListener.NONE)) {
      index.add(IntStream.range(0, 7).mapToObj(i -> Chunk.of("n" + i, "number " + i)).toList());
      assertThat(embedder.batches).containsExactly(3, 3, 1);
      index.search(Query.of("which number?"));
      assertThat(embedder.questions).containsExactly("which number?");
      assertThat(embedder.batches).hasSize(3);
    }
  }

  @Test
  @Tag("T123")
  default void events_describe_operations_without_texts() {
    var events = new ArrayList<RetrievalEvent>();
    try (var index = fresh(WordEmbedder.words(), events::add)) {
      index.add(List.of(Chunk.of("a", "secret tea"), Chunk.of("b", "secret zoo")));
      index.search(Query.of("secret tea").limit(1));
      index.delete(List.of("b", "none"));
      index.add(List.of());
    }
    assertThat(events)
        .extracting(RetrievalEvent::kind)
        .containsExactly(
            "embedding.started",
            "embedding.completed",
            "vector_store.added",
            "embedding.started",
            "embedding.completed",
            "vector_store.searched",
            "vector_store.deleted");
    assertThat(events.get(2))
        .isInstanceOfSatisfying(
            RetrievalEvent.ChunksAdded.class,
            added -> assertThat(added.ids()).containsExactly("a", "b"));
    assertThat(events.get(5))
        .isInstanceOfSatisfying(
            RetrievalEvent.IndexSearched.class,
            searched -> assertThat(searched.ids()).containsExactly("a"));
    assertThat(events.getLast())
        .isInstanceOfSatisfying(
            RetrievalEvent.ChunksDeleted.class,
            deleted -> assertThat(deleted.ids()).containsExactly("b"));
    assertThat(events.toString()).doesNotContain("secret");
  }

  @Test
  @Tag("T123")
  default void a_listener_that_fails_changes_nothing() {
    RetrievalListener failing =
        _ -> {
          throw new IllegalStateException("the listener is broken");
        };
    try (var index = fresh(WordEmbedder.words(), failing)) {
      index.add(List.of(Chunk.of("a", "tea")));
      assertThat(ids(index.search(Query.of("tea")))).containsExactly("a");
    }
  }

  @Test
  @Tag("T131")
  default void concurrent_adds_and_searches_lose_nothing(VectorIndex index) throws Exception {
    ConcurrentCalls.run(
        24,
        i -> {
          index.add(List.of(Chunk.of("own" + i, "tea " + i), Chunk.of("shared", "tea " + i)));
          assertThat(index.get(Set.of("own" + i))).hasSize(1);
          assertThat(index.search(Query.of("tea"))).isNotEmpty();
          return i;
        });
    assertThat(index.size()).isEqualTo(25);
    assertThat(index.search(Query.of("tea").limit(100))).hasSize(25);
  }

  @Test
  @Tag("T131")
  default void a_closed_index_says_so() {
    var index = fresh();
    index.close();
    index.close();
    assertThatThrownBy(() -> index.search(Query.of("tea"))).isInstanceOf(IndexClosed.class);
    assertThatThrownBy(() -> index.add(List.of(Chunk.of("tea")))).isInstanceOf(IndexClosed.class);
  }

  @Test
  @Tag("T131")
  default void a_reopened_index_has_its_chunks_and_takes_its_own_embedder_only() {
    var chunk = Chunk.of("a", "green tea").with("lang", "en");
    try (var index = fresh()) {
      index.add(List.of(chunk, Chunk.of("b", "red bicycle"), Chunk.of("c", "green bicycle")));
      index.delete(List.of("c"));
    }
    if (reopened(WordEmbedder.words()).map(VectorIndexSuite::closed).isEmpty()) return;
    var narrower = new FaultyEmbedders.Named("words", new FaultyEmbedders.Topics());
    for (var other : List.of(WordEmbedder.named("other"), narrower)) {
      assertThatThrownBy(() -> reopened(other))
          .isInstanceOf(VectorSpaceMismatch.class)
          .hasMessageContaining("`words` with 64 numbers");
    }
    try (var index = reopened(WordEmbedder.words()).orElseThrow()) {
      assertThat(index.ids(ChunkFilter.all())).containsExactly("a", "b");
      assertThat(index.search(Query.of("green tea").limit(1)).getFirst().chunk()).isEqualTo(chunk);
      index.add(List.of(Chunk.of("c", "coffee")));
      assertThat(index.size()).isEqualTo(3);
    }
  }

  @Test
  @Tag("T131")
  default void whatever_is_done_it_answers_as_an_index_in_memory() throws Exception {
    IndexJourney.check(embedder -> fresh(embedder, RetrievalListener.NONE));
  }

  private static boolean closed(VectorIndex index) {
    index.close();
    return true;
  }

  private static List<String> ids(List<Match> found) {
    return found.stream().map(match -> match.chunk().id()).toList();
  }
}
