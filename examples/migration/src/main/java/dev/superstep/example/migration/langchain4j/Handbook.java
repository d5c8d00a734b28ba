package dev.superstep.example.migration.langchain4j;

import dev.superstep.agent.Agent;
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
import java.util.List;

/// Answers from documents that are looked up for every question.
public final class Handbook {
  private static final List<Document> PAGES =
      List.of(
          Document.of("refunds.md", "Money comes back within a week."),
          Document.of("visits.md", "Dogs are welcome every day."));

  private Handbook() {}

  public static void main(String[] args) throws InterruptedException {
    try (var index = VectorIndex.inMemory(new LetterEmbedder())) {
      var _ =
          Indexer.of(index, Splitter.text(300, 30), IndexRecords.inMemory())
              .index(PAGES, Cleanup.FULL);
      var retriever = Retriever.over(index, query -> query.limit(1));
      var porter = Agent.named("porter").model(model()).build();
      System.out.println(answer(porter, retriever, "When is my money back?"));
      System.out.println(answer(porter, retriever, "Are dogs welcome?"));
    }
  }

  private static String answer(Agent<String> porter, Retriever retriever, String question)
      throws InterruptedException {
    var passages = new Passages(retriever.retrieve(question)).text();
    return porter.run(question + "\n\nAnswer from these pages:\n" + passages).answer();
  }

  /// Says what a model would say that was given the right page.
  private static ChatModel model() {
    return ScriptedModel.by(request -> {
      var prompt = request.messages().getLast().text();
      return ScriptedModel.text(
          prompt.contains("within a week") ? "Within a week." : "They are, every day.");
    });
  }
}
