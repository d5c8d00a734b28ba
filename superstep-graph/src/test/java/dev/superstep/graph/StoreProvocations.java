package dev.superstep.graph;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.error.NodeFailed;
import dev.superstep.graph.ErrorMessagesTest.Case;
import dev.superstep.node.NodeResult;
import dev.superstep.run.Input;
import dev.superstep.store.Embedder;
import dev.superstep.store.Filter;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Meaning;
import dev.superstep.store.Namespace;
import dev.superstep.store.Put;
import dev.superstep.store.Ranking;
import dev.superstep.store.Search;
import dev.superstep.store.StoreOptions;
import java.util.List;
import java.util.Optional;

/// The errors of stores.
final class StoreProvocations {
  private static final Namespace NOTES = Namespace.of("users", "ann");

  private StoreProvocations() {}

  static List<Case> all() {
    return List.of(
        new Case("a node asks for a store that was not given", () -> askForStore()),
        new Case("a key is empty", () -> Put.of(NOTES, "", 1)),
        new Case("a key has a character that databases refuse", () -> Put.of(NOTES, "a\0b", 1)),
        new Case("a key is cut inside a character", () -> Put.of(NOTES, "a\ud83d", 1)),
        new Case("a key is too long", () -> Put.of(NOTES, "x".repeat(1_001), 1)),
        new Case("a value is too large", () -> Put.of(NOTES, "k", "x".repeat(1 << 20))),
        new Case("a label is empty", () -> Namespace.of("users", "")),
        new Case("a namespace is too long", () -> Namespace.of("x".repeat(1_000))),
        new Case("a namespace is too deep", () -> deep()),
        new Case("a filter looks at no place", () -> Filter.eq("city", "Bern")),
        new Case(
            "a search by meaning has no embedder",
            () -> InMemoryStore.open().search(Search.in(NOTES).query("tea"))),
        new Case("an item was embedded by another embedder", () -> mix()),
        new Case("an embedder gives the wrong length", () -> embedBy(new float[] {1})),
        new Case("an embedder gives no direction", () -> embedBy(new float[] {0, 0})),
        new Case("an embedder gives no number", () -> embedBy(new float[] {Float.NaN, 0})));
  }

  private static void askForStore() throws Throwable {
    var graph =
        Graph.named("memory")
            .node(
                "remember",
                (_, context) -> {
                  context.store().put(NOTES, "k", 1);
                  return NodeResult.nothing();
                })
            .edge(START, "remember")
            .edge("remember", END)
            .compile();
    try {
      graph.invoke(Input.none());
    } catch (NodeFailed e) {
      throw e.getCause();
    }
  }

  private static void deep() {
    var namespace = Namespace.root();
    for (int i = 0; i <= Namespace.LABELS_MAX; i++) namespace = namespace.child("x");
  }

  private static void mix() {
    var item = InMemoryStore.open().put(NOTES, "tea", 1);
    var options = StoreOptions.defaults().embedder(new Fixed("new", new float[] {1, 0}));
    var search = Search.in(NOTES).query("tea");
    new Ranking(search, Meaning.of(search, options))
        .offer(item, Optional.of(Meaning.of("old", new byte[] {0, 0, 0, 0, 0, 0, 0, 0})));
  }

  private static void embedBy(float[] vector) {
    var options = StoreOptions.defaults().embedder(new Fixed("fixed", vector));
    InMemoryStore.open(options).put(NOTES, "tea", "green tea");
  }

  private record Fixed(String id, float[] vector) implements Embedder {
    @Override
    public List<float[]> embedAll(List<String> texts) {
      return texts.stream().map(_ -> vector).toList();
    }

    @Override
    public int dimension() {
      return 2;
    }
  }
}
