package dev.superstep.example.guide;

import static dev.superstep.graph.Graph.END;
import static dev.superstep.graph.Graph.START;

import dev.superstep.graph.Graph;
import dev.superstep.graph.RunOptions;
import dev.superstep.node.NodeContext;
import dev.superstep.node.NodeResult;
import dev.superstep.node.Update;
import dev.superstep.run.Input;
import dev.superstep.state.Channel;
import dev.superstep.state.State;
import dev.superstep.store.Filter;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import dev.superstep.store.embedding.MiniLmEmbedder;
import dev.superstep.store.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A waiter who remembers guests from one visit, and one process, to the next.
public final class Memory {
  record Note(String text, int stars) {}

  static final Channel<String, String> GUEST = Channel.latest("guest", String.class);
  static final Channel<String, String> WISH = Channel.latest("wish", String.class);
  static final Channel<String, String> OFFER = Channel.latest("offer", String.class);

  private Memory() {}

  static Graph graph() {
    return Graph.named("waiter")
        .channels(GUEST, WISH, OFFER)
        .node("offer", Memory::offer)
        .edge(START, "offer")
        .edge("offer", END)
        .compile();
  }

  private static NodeResult offer(State state, NodeContext context) {
    var notes = Namespace.of("guests", state.get(GUEST));
    var search = Search.in(notes).query(state.get(WISH)).limit(1);
    for (var hit : context.store().search(search)) {
      System.out.println("I remember: " + hit.item().as(Note.class).text());
    }
    return Update.of(OFFER, "the usual");
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    var options = StoreOptions.defaults().embedder(MiniLmEmbedder.open());
    Path file = Files.createTempDirectory("waiter").resolve("memory.db");
    try (Store store = SqliteStore.open(file, options)) {
      remember(store);
    }
    // Days later, in another process and on another thread:
    try (Store store = SqliteStore.open(file, options)) {
      var run = RunOptions.thread("visit-2").store(store);
      graph().invoke(Input.of(GUEST, "ann").and(WISH, "something to drink"), run);
    }
    try (Store store = InMemoryStore.open()) {
      remember(store);
      var good = Search.in(Namespace.of("guests")).where(Filter.gte("/stars", 4));
      for (var hit : store.search(good)) System.out.println("good: " + hit.item().key());
    }
  }

  private static void remember(Store store) {
    var ann = Namespace.of("guests", "ann");
    store.put(ann, "tea", new Note("She loves green tea with lemon.", 5));
    store.put(ann, "seat", new Note("She sits by the window.", 3));
    store.put(ann, "pay", new Note("She pays by card.", 4));
  }
}
