package dev.superstep.documents.ingestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.documents.StructuredDocument;
import dev.superstep.documents.ingestion.IngestionProgram.CountingEmbedder;
import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.SourceLocation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Embeddings, removals and reports of an ingestion.
class IngestionTest {
  private final CountingEmbedder embedder = new CountingEmbedder();
  private final VectorIndex index = VectorIndex.inMemory(embedder);
  private final IndexRecords records = IndexRecords.inMemory();
  private final Ingestion ingestion =
      Ingestion.into(index, DocumentLoader.standard(), StructureSplitter.of(200, 0), records);

  private static SourceDocument document(String id, String text) {
    return SourceDocument.of(id, text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void only_changed_documents_are_embedded_again(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("a.md"), "# Refunds\nWithin a week.");
    Files.writeString(folder.resolve("b.html"), "<h1>Visits</h1><p>Dogs wait outside.</p>");
    Files.writeString(folder.resolve("ignored.bin"), "no loader");
    assertThat(ingestion.ingestFolder(folder).toString()).isEqualTo("2 added");
    int before = embedder.texts.get();
    assertThat(ingestion.ingestFolder(folder).toString()).isEqualTo("2 skipped");
    assertThat(embedder.texts.get()).isEqualTo(before);

    Files.writeString(folder.resolve("a.md"), "# Refunds\nWithin a month.");
    Files.delete(folder.resolve("b.html"));
    var report = ingestion.ingestFolder(folder);
    assertThat(report.updated()).containsExactly("a.md");
    assertThat(report.deleted()).containsExactly("b.html");
    assertThat(embedder.texts.get()).isEqualTo(before + 1);
    var found = index.search(Query.of("month").limit(5));
    assertThat(found).hasSize(1);
    assertThat(SourceLocation.of(found.getFirst().chunk()).text())
        .isEqualTo("a.md, line 2, Refunds");
  }

  @Test
  void a_document_that_cannot_be_loaded_is_reported_and_keeps_its_chunks() throws Exception {
    ingestion.ingest(List.of(document("a.md", "good"), document("b.md", "fine")), Cleanup.FULL);
    var events = new ArrayList<IngestionEvent>();
    var broken = SourceDocument.of("a.md", new byte[] {0, 1});
    var report =
        ingestion
            .withListener(events::add)
            .ingest(List.of(broken, document("c.md", "new")), Cleanup.FULL);
    assertThat(report.added()).containsExactly("c.md");
    assertThat(report.deleted()).containsExactly("b.md");
    assertThat(report.failed()).hasSize(1);
    assertThat(report.failed().getFirst().error()).isEqualTo("documents.unreadable");
    assertThat(report.failed().getFirst().message()).contains("`a.md`");
    assertThat(index.get(List.of("a.md#0"))).hasSize(1);
    assertThat(events)
        .contains(new IngestionEvent.DocumentNotLoaded("a.md", "documents.unreadable"));
  }

  @Test
  void a_loader_with_a_bug_fails_its_document_alone() throws Exception {
    var buggy =
        new DocumentLoader() {
          @Override
          public boolean accepts(SourceDocument document) {
            return document.extension().equals("bug");
          }

          @Override
          public StructuredDocument load(SourceDocument document) {
            throw new ArrayIndexOutOfBoundsException("secret text of the document");
          }

          @Override
          public String id() {
            return "buggy";
          }
        };
    var loader = DocumentLoader.firstOf(buggy, DocumentLoader.standard());
    var report =
        Ingestion.into(index, loader, StructureSplitter.of(200, 0), records)
            .ingest(List.of(document("a.bug", "x"), document("b.md", "y")), Cleanup.FULL);
    assertThat(report.added()).containsExactly("b.md");
    assertThat(report.failed().getFirst().message()).doesNotContain("secret");
  }

  @Test
  void a_lost_index_is_repaired() throws Exception {
    var documents = List.of(document("a.md", "good"), document("b.md", "fine"));
    ingestion.ingest(documents, Cleanup.FULL);
    index.delete(List.of("b.md#0"));
    var report = ingestion.ingest(documents, Cleanup.FULL);
    assertThat(report.repaired()).containsExactly("b.md");
    assertThat(report.skipped()).containsExactly("a.md");
    assertThat(index.size()).isEqualTo(2);
  }

  @Test
  void the_limit_of_tokens_postpones_documents_to_the_next_call() throws Exception {
    var documents =
        List.of(document("a.md", "word ".repeat(30)), document("b.md", "term ".repeat(30)));
    var limited = ingestion.withTokenLimit(60);
    var first = limited.ingest(documents, Cleanup.FULL);
    assertThat(first.added()).containsExactly("a.md");
    assertThat(first.postponed()).containsExactly("b.md");
    assertThat(first.embeddedTokens()).isBetween(30L, 60L);
    var second = limited.ingest(documents, Cleanup.FULL);
    assertThat(second.toString()).isEqualTo("1 added, 1 skipped");
  }

  @Test
  void another_way_to_cut_indexes_documents_again() throws Exception {
    var documents = List.of(document("a.md", "good"));
    ingestion.ingest(documents, Cleanup.FULL);
    var other =
        Ingestion.into(index, DocumentLoader.standard(), StructureSplitter.of(100, 0), records);
    assertThat(other.ingest(documents, Cleanup.NONE).updated()).containsExactly("a.md");
  }

  @Test
  void a_cancelled_ingestion_keeps_what_is_finished() throws Exception {
    var documents = new ArrayList<SourceDocument>();
    for (int i = 0; i < 40; i++) documents.add(document("d%02d.md".formatted(i), "text " + i));
    var cancelling =
        ingestion.withListener(event -> {
          if (event instanceof IngestionEvent.DocumentIngested) Thread.currentThread().interrupt();
        });
    assertThatThrownBy(() -> cancelling.ingest(documents, Cleanup.FULL))
        .isInstanceOf(InterruptedException.class);
    var rest = ingestion.ingest(documents, Cleanup.FULL);
    assertThat(rest.skipped().size()).isPositive();
    assertThat(rest.added().size()).isEqualTo(40 - rest.skipped().size());
    assertThat(index.size()).isEqualTo(40);
  }
}
