package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class InMemoryStoreTest implements StoreSuite {
  @Override
  public Store fresh(StoreOptions options) {
    return InMemoryStore.open(options);
  }

  @Test
  @Tag("T51")
  void a_search_text_is_embedded_as_a_question() {
    var embedder = new FaultyEmbedders.Asking();
    try (var store = fresh(StoreOptions.defaults().embedder(embedder))) {
      store.put(NOTES, "tea", "green tea");
      assertThat(store.search(Search.in(NOTES).query("which tea?"))).hasSize(1);
      assertThat(embedder.questions).containsExactly("which tea?");
      assertThat(embedder.batches).containsExactly(1);
    }
  }
}
