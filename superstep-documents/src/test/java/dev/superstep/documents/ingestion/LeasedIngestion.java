package dev.superstep.documents.ingestion;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.documents.ingestion.IngestionProgram.CountingEmbedder;
import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.pgvector.PostgresVectors;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.PostgresStore;
import dev.superstep.store.jdbc.SqliteStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An ingestion of some documents with a lease, in PostgreSQL or with records in a file. As a
/// process, it says each document that it finished, and after the first group of them waits for a
/// line.
final class LeasedIngestion implements AutoCloseable {
  static final int DOCUMENTS = 40;
  static final Namespace LIBRARY = Namespace.of("library");
  static final Duration LEASE = Duration.ofSeconds(8);
  static final List<SourceDocument> ALL =
      IntStream.range(0, DOCUMENTS).mapToObj(LeasedIngestion::document).toList();

  final CountingEmbedder embedder = new CountingEmbedder();
  final Store store;
  final VectorIndex index;
  private final @Nullable HikariDataSource pool;

  /// @param place a URL of PostgreSQL, or a file
  LeasedIngestion(String place) {
    if (place.startsWith("jdbc:")) {
      pool = new HikariDataSource();
      pool.setJdbcUrl(place);
      pool.setMaximumPoolSize(4);
      store = PostgresStore.on(pool);
      index = VectorIndex.over(PostgresVectors.on(pool, "library"), embedder);
    } else {
      pool = null;
      store = SqliteStore.open(Path.of(place));
      index = VectorIndex.inMemory(embedder);
    }
  }

  private static SourceDocument document(int number) {
    var text = "# Page %02d\n\nWord%02d is here.\n".formatted(number, number);
    var id = "page%02d.md".formatted(number);
    return SourceDocument.of(id, text.getBytes(StandardCharsets.UTF_8));
  }

  static IngestionLease lease(Store store) {
    return IngestionLease.in(store, LIBRARY).lasting(LEASE);
  }

  IngestionReport ingest(IngestionListener listener, UnaryOperator<IngestionLease> change)
      throws InterruptedException {
    var records = IndexRecords.in(store, LIBRARY);
    return Ingestion.into(index, DocumentLoader.standard(), StructureSplitter.of(200, 0), records)
        .withLease(change.apply(lease(store)))
        .withListener(listener)
        .ingest(ALL, Cleanup.FULL);
  }

  public static void main(String[] args) throws Exception {
    try (var own = new LeasedIngestion(args[0])) {
      var report = own.ingest(LeasedIngestion::say, lease -> lease);
      System.out.println("ended " + report);
    }
  }

  private static void say(IngestionEvent event) {
    if (!(event instanceof IngestionEvent.DocumentIngested(var document, var change, _, _))) return;
    System.out.println(change + " " + document);
    if (!document.equals("page00.md")) return;
    try {
      int _ = System.in.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    index.close();
    store.close();
    if (pool != null) pool.close();
  }
}
