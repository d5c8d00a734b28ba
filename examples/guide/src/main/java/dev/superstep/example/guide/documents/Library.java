package dev.superstep.example.guide.documents;

import dev.superstep.agent.Agent;
import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.documents.ingestion.Ingestion;
import dev.superstep.documents.ingestion.IngestionLease;
import dev.superstep.documents.tika.TikaLoader;
import dev.superstep.json.Json;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.Retriever;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.citation.CitableSources;
import dev.superstep.retrieval.citation.CitationGuard;
import dev.superstep.retrieval.citation.CitationTool;
import dev.superstep.retrieval.lucene.LuceneVectors;
import dev.superstep.retrieval.refine.ModelReranker;
import dev.superstep.store.Embedder;
import dev.superstep.store.Namespace;
import dev.superstep.store.embedding.MiniLmEmbedder;
import dev.superstep.store.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/// Answers from a folder of Markdown, HTML, PDF and Word files, and cites page and line.
public final class Library {
  private static final DocumentLoader LOADER =
      DocumentLoader.firstOf(DocumentLoader.standard(), TikaLoader.isolated());
  private static final StructureSplitter SPLITTER = StructureSplitter.of(200, 20);

  private Library() {}

  static Agent<String> agent(ChatModel model, VectorIndex index) {
    var search = Retriever.over(index, query -> query.limit(20).hybrid());
    var best = ModelReranker.by(model).over(search, 3);
    return Agent.named("librarian")
        .model(model)
        .instructions("Answer from the library. Cite the passages that you use.")
        .tools(CitationTool.of(best, "search_library", "Finds passages of our documents."))
        .middleware(CitationGuard.marking().repairing(1))
        .build();
  }

  static void ingest(Path folder, Path work, Embedder embedder)
      throws IOException, InterruptedException {
    try (var index = VectorIndex.over(LuceneVectors.open(work.resolve("index")), embedder);
        var store = SqliteStore.open(work.resolve("records.db"))) {
      var library = Namespace.of("library");
      var report =
          Ingestion.into(index, LOADER, SPLITTER, IndexRecords.in(store, library))
              .withLease(IngestionLease.in(store, library))
              .ingestFolder(folder);
      System.out.println(report);
      for (var failure : report.failed()) {
        System.out.println(failure.document() + ": " + failure.error());
      }
    }
  }

  static void ask(Path work, Embedder embedder, ChatModel model, String question)
      throws InterruptedException {
    try (var index = VectorIndex.over(LuceneVectors.open(work.resolve("index")), embedder)) {
      var result = agent(model, index).run(question);
      var sources = CitableSources.in(result.report().conversation());
      System.out.println(sources.check(result.answer()).text());
    }
  }

  public static void main(String[] args) throws IOException, InterruptedException {
    // The parser of office files logs by Log4j's API, which complains if there is no backend.
    System.setProperty("log4j2.StatusLogger.level", "OFF");
    Path folder = SampleFiles.write(Files.createTempDirectory("library"));
    Path work = Files.createTempDirectory("library-index");
    Embedder embedder = MiniLmEmbedder.open();
    ingest(folder, work, embedder);
    Files.writeString(folder.resolve("visit.md"), "# Visits\n\nDogs are welcome.\n");
    ingest(folder, work, embedder);
    ask(work, embedder, librarian("How long is the guarantee?"), "How long is the guarantee?");
    ask(work, embedder, librarian("Can I bring my puppy?"), "Can I bring my puppy?");
    ask(work, embedder, librarian("Who pays for shipping?"), "Who pays for shipping?");
  }

  private static final Pattern LABEL = Pattern.compile("\\[(c-\\w{8})] [^\n]*\n([^\n]*)");

  /// Stands for a model: it grades the passages in their order, searches, and answers with the
  /// first passage that it finds.
  private static ChatModel librarian(String question) {
    return ScriptedModel.by(request -> {
      var last = request.messages().getLast().text();
      if (last.startsWith("Question: ")) return grades();
      var passage = LABEL.matcher(last);
      if (passage.find()) {
        return ScriptedModel.text("%s [%s]".formatted(passage.group(2), passage.group(1)));
      }
      return search(question, request);
    });
  }

  private static ChatReply grades() {
    return ScriptedModel.text("{\"grades\":[{\"passage\":1,\"relevance\":9}]}");
  }

  private static ChatReply search(String question, ChatRequest request) {
    var arguments = Json.of(new Retriever.Question(question)).text();
    return ScriptedModel.calls(
        new ToolCall("c" + request.messages().size(), "search_library", arguments));
  }
}
