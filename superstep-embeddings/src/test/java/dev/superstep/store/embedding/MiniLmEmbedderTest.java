package dev.superstep.store.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.store.Search;
import dev.superstep.store.StoreOptions;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The real model.
class MiniLmEmbedderTest {
  private static final MiniLmEmbedder EMBEDDER = MiniLmEmbedder.open();
  private static final Namespace NOTES = Namespace.of("notes");

  @Test
  void a_paraphrase_is_nearer_than_a_text_of_another_meaning() {
    try (var store = InMemoryStore.open(StoreOptions.defaults().embedder(EMBEDDER))) {
      store.put(NOTES, "pet", "A kitten sleeps on the rug.");
      store.put(NOTES, "money", "Quarterly revenue grew by a tenth.");
      store.put(NOTES, "food", "She orders green tea with lemon.");
      assertThat(nearest(store, "the cat lies on the mat")).isEqualTo("pet");
      assertThat(nearest(store, "how did the company's sales do?")).isEqualTo("money");
      assertThat(nearest(store, "what does she like to drink?")).isEqualTo("food");
      var hits = store.search(Search.in(NOTES).query("the cat lies on the mat"));
      assertThat(hits.get(0).score().orElseThrow())
          .isGreaterThan(hits.get(1).score().orElseThrow() + 0.3);
    }
  }

  @Test
  void a_text_has_the_same_vector_alone_and_among_others() {
    var texts = List.of("one", "A longer text about cats and tea.", "three");
    var together = EMBEDDER.embedAll(texts);
    for (int i = 0; i < texts.size(); i++) {
      assertThat(together.get(i)).hasSize(EMBEDDER.dimension());
      assertThat(together.get(i)).isEqualTo(EMBEDDER.embed(texts.get(i)));
    }
    assertThat(EMBEDDER.embedAll(List.of())).isEmpty();
  }

  @Test
  void odd_and_long_texts_have_vectors_too() {
    var longText = String.join(" ", Collections.nCopies(2_000, "tea"));
    for (var vector : EMBEDDER.embedAll(List.of(longText, "漢字 😀", "a\u0000b", "?"))) {
      double square = 0;
      for (var number : vector) square += number * number;
      assertThat(square).isBetween(0.99, 1.01);
    }
  }

  private static String nearest(InMemoryStore store, String query) {
    return store.search(Search.in(NOTES).query(query).limit(1)).getFirst().item().key();
  }
}
