package dev.superstep.documents.ingestion;

import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.lucene.LuceneVectors;
import dev.superstep.store.Embedder;
import dev.superstep.store.Namespace;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.testkit.WordEmbedder;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Ingests a folder into an index on disk, and says on its standard output what it embeds. Run by
/// [IngestionKillTest], which kills it.
final class IngestionProgram {
  private IngestionProgram() {}

  /// Counts the texts that it embeds.
  static final class CountingEmbedder implements Embedder {
    private final WordEmbedder words = WordEmbedder.words();
    final AtomicInteger texts = new AtomicInteger();

    @Override
    public List<float[]> embedAll(List<String> all) {
      texts.addAndGet(all.size());
      return words.embedAll(all);
    }

    @Override
    public int dimension() {
      return words.dimension();
    }

    @Override
    public String id() {
      return words.id();
    }
  }

  static IngestionReport ingest(
      Path documents, Path work, Embedder embedder, IngestionListener listener) throws Exception {
    try (var index = VectorIndex.over(LuceneVectors.open(work.resolve("index")), embedder);
        var store = SqliteStore.open(work.resolve("records.db"))) {
      var records = IndexRecords.in(store, Namespace.of("documents"));
      return Ingestion.into(index, DocumentLoader.standard(), StructureSplitter.of(200, 0), records)
          .withListener(listener)
          .ingestFolder(documents);
    }
  }

  public static void main(String[] args) throws Exception {
    ingest(
        Path.of(args[0]),
        Path.of(args[1]),
        new CountingEmbedder(),
        event -> {
          if (event instanceof IngestionEvent.DocumentIngested(var document, var change, _, _)) {
            System.out.println(change + " " + document);
          }
        });
  }
}
