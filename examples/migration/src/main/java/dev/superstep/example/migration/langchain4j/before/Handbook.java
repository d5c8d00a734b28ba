package dev.superstep.example.migration.langchain4j.before;

import dev.langchain4j.data.document.Document;
import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.document.splitter.DocumentSplitters;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.rag.content.retriever.EmbeddingStoreContentRetriever;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.store.embedding.EmbeddingStoreIngestor;
import dev.langchain4j.store.embedding.inmemory.InMemoryEmbeddingStore;
import java.util.List;

/// Answers from documents that are looked up for every question.
public final class Handbook {
  interface Porter {
    String answer(String question);
  }

  private static final List<Document> PAGES =
      List.of(
          Document.from("Money comes back within a week.", Metadata.from("page", "refunds.md")),
          Document.from("Dogs are welcome every day.", Metadata.from("page", "visits.md")));

  private Handbook() {}

  public static void main(String[] args) {
    var embedder = new LetterEmbedder();
    var store = new InMemoryEmbeddingStore<TextSegment>();
    var _ =
        EmbeddingStoreIngestor.builder()
            .documentSplitter(DocumentSplitters.recursive(300, 30))
            .embeddingModel(embedder)
            .embeddingStore(store)
            .build()
            .ingest(PAGES);
    var retriever =
        EmbeddingStoreContentRetriever.builder()
            .embeddingStore(store)
            .embeddingModel(embedder)
            .maxResults(1)
            .build();
    var porter =
        AiServices.builder(Porter.class).chatModel(model()).contentRetriever(retriever).build();
    System.out.println(porter.answer("When is my money back?"));
    System.out.println(porter.answer("Are dogs welcome?"));
  }

  /// Says what a model would say that was given the right page.
  private static ChatModel model() {
    return new ChatModel() {
      @Override
      public ChatResponse doChat(ChatRequest request) {
        var prompt = ((UserMessage) request.messages().getLast()).singleText();
        var answer = prompt.contains("within a week") ? "Within a week." : "They are, every day.";
        return ChatResponse.builder().aiMessage(AiMessage.from(answer)).build();
      }
    };
  }
}
