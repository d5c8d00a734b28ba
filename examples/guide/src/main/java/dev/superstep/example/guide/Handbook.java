package dev.superstep.example.guide;

import dev.superstep.agent.Agent;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ScriptedModel;
import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.Indexer;
import dev.superstep.retrieval.Passages;
import dev.superstep.retrieval.Retriever;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.Splitter;
import dev.superstep.retrieval.lucene.LuceneVectors;
import dev.superstep.store.Embedder;
import dev.superstep.store.Namespace;
import dev.superstep.store.embedding.MiniLmEmbedder;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Answers from a handbook that changes.
public final class Handbook {
  private static final Document PAYMENT =
      Document.of(
          "payment.md",
          """
          # Payment
          ## Refunds
          Money comes back within a week, to the card that was used.
          ## Vouchers
          A voucher of the series Z17 is worth ten euros.
          """);
  private static final Document VISIT =
      Document.of("visit.md", "# Visits\nWe are closed on Mondays. Dogs must wait outside.\n");
  private static final Document NEW_VISIT =
      Document.of("visit.md", "# Visits\nWe are open every day. Dogs are welcome.\n");

  private Handbook() {}

  static Tool tool(VectorIndex index) {
    return Retriever.over(index, query -> query.limit(3).hybrid())
        .tool("search_handbook", "Finds what the handbook says about payment and visits.");
  }

  static Agent<String> agent(ChatModel model, VectorIndex index) {
    return Agent.named("porter")
        .model(model)
        .instructions("Answer from the handbook, and name the page.")
        .tools(tool(index))
        .build();
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("handbook");
    Embedder embedder = MiniLmEmbedder.open();
    work(folder, embedder, List.of(PAYMENT, VISIT), "Can I bring my puppy?");
    // Days later, in another process:
    work(folder, embedder, List.of(PAYMENT, NEW_VISIT), "Can I bring my puppy?");
    work(folder, embedder, List.of(PAYMENT, NEW_VISIT), "How do I get my cash back?");
    work(folder, embedder, List.of(PAYMENT), "z17");
    ask(embedder, "Can I bring my puppy?");
  }

  private static void ask(Embedder embedder, String question) throws InterruptedException {
    var index = VectorIndex.inMemory(embedder);
    Indexer.of(index, Splitter.markdown(800, 80), IndexRecords.inMemory())
        .index(List.of(PAYMENT, NEW_VISIT), Cleanup.FULL);
    var search = new ToolCall("c1", "search_handbook", Json.of(new Question(question)).text());
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(search), ScriptedModel.text("You can, says visit.md."));
    System.out.println(agent(model, index).run(question).answer());
  }

  private record Question(String question) {}

  private static void work(Path folder, Embedder embedder, List<Document> all, String question)
      throws InterruptedException {
    try (var index = VectorIndex.over(LuceneVectors.open(folder.resolve("index")), embedder);
        var store = SqliteStore.open(folder.resolve("records.db"))) {
      var records = IndexRecords.in(store, Namespace.of("handbook"));
      var indexer = Indexer.of(index, Splitter.markdown(800, 80), records);
      System.out.println(indexer.index(all, Cleanup.FULL));
      var retriever = Retriever.over(index, query -> query.limit(1).hybrid());
      System.out.println(new Passages(retriever.retrieve(question)).text());
    }
  }
}
