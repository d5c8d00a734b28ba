package dev.superstep.testkit.retrieval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecord;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.Indexer;
import dev.superstep.retrieval.IndexingReport;
import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.RetrievalEvent;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.chunk.Document;
import dev.superstep.retrieval.chunk.Splitter;
import dev.superstep.retrieval.vector.InvalidEmbedding;
import dev.superstep.store.Embedder;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.testkit.Choices;
import dev.superstep.testkit.Property;
import dev.superstep.testkit.WordEmbedder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Over records in memory and in a store.
@Tag("T51")
@Tag("T131")
class IndexerTest {
  private static final Splitter SPLITTER = Splitter.text(12, 0);
  private static final Document TEA = Document.of("tea", "Green tea. Black tea. Tea.").from("menu");
  private static final Document COFFEE = Document.of("coffee", "Coffee.").from("menu");
  private static final Document ZOO = Document.of("zoo", "The zoo is open.").from("city");

  private final List<RetrievalEvent> events = new ArrayList<>();
  private final CountingEmbedder embedder = new CountingEmbedder();
  private final VectorIndex index = VectorIndex.inMemory(embedder, events::add);

  static Stream<IndexRecords> records() {
    return Stream.of(
        IndexRecords.inMemory(),
        IndexRecords.in(InMemoryStore.open(), Namespace.of("index", "menu")));
  }

  @ParameterizedTest
  @MethodSource("records")
  void documents_that_did_not_change_are_not_embedded_again(IndexRecords records) throws Exception {
    var indexer = Indexer.of(index, SPLITTER, records);
    var first = indexer.index(List.of(TEA, ZOO), Cleanup.NONE);
    assertThat(first.added()).containsExactly("tea", "zoo");
    assertThat(index.ids(ChunkFilter.all())).hasSize(5);
    int texts = embedder.texts;
    events.clear();
    var again = indexer.index(List.of(TEA, ZOO), Cleanup.FULL);
    assertThat(again.skipped()).containsExactly("tea", "zoo");
    assertThat(again.isUnchanged()).isTrue();
    assertThat(embedder.texts).isEqualTo(texts);
    assertThat(events)
        .extracting(RetrievalEvent::kind)
        .containsExactly(
            "indexing.started", "indexing.document", "indexing.document", "indexing.completed");
  }

  @ParameterizedTest
  @MethodSource("records")
  void a_changed_document_replaces_the_old_one(IndexRecords records) throws Exception {
    var indexer = Indexer.of(index, SPLITTER, records);
    indexer.index(List.of(TEA, COFFEE), Cleanup.NONE);
    var shorter = Document.of("tea", "Mint tea.").from("menu");
    var report = indexer.index(List.of(shorter, COFFEE), Cleanup.NONE);
    assertThat(report.updated()).containsExactly("tea");
    assertThat(report.skipped()).containsExactly("coffee");
    assertThat(index.ids(ChunkFilter.all())).containsExactly("coffee#0", "tea#0");
    assertThat(index.get(List.of("tea#0")).get("tea#0").text()).isEqualTo("Mint tea.");
    for (var changed : List.of(shorter.with("lang", "en"), shorter.from("card"))) {
      assertThat(indexer.index(List.of(changed), Cleanup.NONE).updated()).containsExactly("tea");
    }
    var otherwise = Indexer.of(index, Splitter.text(13, 0), records);
    assertThat(otherwise.index(List.of(COFFEE), Cleanup.NONE).updated()).containsExactly("coffee");
  }

  @ParameterizedTest
  @MethodSource("records")
  void documents_that_are_not_passed_are_removed_by_the_cleanup(IndexRecords records)
      throws Exception {
    var indexer = Indexer.of(index, SPLITTER, records);
    indexer.index(List.of(TEA, COFFEE, ZOO), Cleanup.NONE);
    assertThat(indexer.index(List.of(COFFEE), Cleanup.NONE).deleted()).isEmpty();
    assertThat(index.size()).isEqualTo(6);
    assertThat(indexer.index(List.of(COFFEE), Cleanup.BY_SOURCE).deleted()).containsExactly("tea");
    assertThat(documents()).containsOnly("coffee", "zoo");
    assertThat(indexer.index(List.of(COFFEE), Cleanup.FULL).deleted()).containsExactly("zoo");
    assertThat(documents()).containsOnly("coffee");
    assertThat(records.all()).extracting(IndexRecord::document).containsExactly("coffee");
  }

  @ParameterizedTest
  @MethodSource("records")
  @Tag("W33")
  void nothing_given_means_nothing_or_everything(IndexRecords records) throws Exception {
    var indexer = Indexer.of(index, SPLITTER, records);
    indexer.index(List.of(TEA), Cleanup.NONE);
    assertThat(indexer.index(List.of(), Cleanup.NONE).isUnchanged()).isTrue();
    assertThat(indexer.index(List.of(), Cleanup.BY_SOURCE).isUnchanged()).isTrue();
    assertThat(indexer.index(List.of(), Cleanup.FULL).deleted()).containsExactly("tea");
    assertThat(index.size()).isZero();
    var blank = Document.of("blank", " \n");
    assertThat(indexer.index(List.of(blank), Cleanup.NONE).added()).containsExactly("blank");
    assertThat(indexer.index(List.of(blank), Cleanup.NONE).skipped()).containsExactly("blank");
    assertThat(index.size()).isZero();
  }

  @ParameterizedTest
  @MethodSource("records")
  void an_index_that_lost_or_changed_chunks_is_repaired(IndexRecords records) throws Exception {
    var indexer = Indexer.of(index, SPLITTER, records);
    indexer.index(List.of(TEA, COFFEE, ZOO), Cleanup.NONE);
    index.delete(List.of("tea#1"));
    index.add(List.of(Chunk.of("zoo#0", "Something else."), Chunk.of("stray", "A stray.")));
    var report = indexer.index(List.of(TEA, COFFEE, ZOO), Cleanup.FULL);
    assertThat(report.repaired()).containsExactly("tea", "zoo");
    assertThat(report.skipped()).containsExactly("coffee");
    assertThat(report.strayChunks()).containsExactly("stray");
    assertHolds(List.of(TEA, COFFEE, ZOO));
    index.delete(index.ids(ChunkFilter.all()));
    assertThat(indexer.index(List.of(TEA, COFFEE, ZOO), Cleanup.NONE).repaired()).hasSize(3);
    assertHolds(List.of(TEA, COFFEE, ZOO));
  }

  @ParameterizedTest
  @MethodSource("records")
  void records_that_were_lost_are_made_again(IndexRecords records) throws Exception {
    var indexer = Indexer.of(index, SPLITTER, records);
    indexer.index(List.of(TEA, ZOO), Cleanup.NONE);
    records.delete(List.of("tea", "zoo"));
    var shorter = Document.of("tea", "Mint tea.").from("menu");
    var report = indexer.index(List.of(shorter), Cleanup.FULL);
    assertThat(report.added()).containsExactly("tea");
    assertThat(report.strayChunks()).containsExactly("tea#1", "tea#2", "zoo#0", "zoo#1");
    assertHolds(List.of(shorter));
  }

  @ParameterizedTest
  @MethodSource("records")
  void the_next_call_completes_a_failed_one(IndexRecords records) throws Exception {
    var documents = new ArrayList<Document>();
    for (int i = 0; i < 250; i++) {
      documents.add(Document.of("n%03d".formatted(i), "number " + i));
    }
    documents.set(170, Document.of("n170", "refuse me"));
    var indexer = Indexer.of(index, SPLITTER, records);
    indexer.index(List.of(ZOO), Cleanup.NONE);
    embedder.refuses = true;
    assertThatThrownBy(() -> indexer.index(documents, Cleanup.FULL))
        .isInstanceOf(InvalidEmbedding.class);
    assertThat(events.getLast())
        .isEqualTo(new RetrievalEvent.IndexingFailed("retrieval.invalid-embedding"));
    assertThat(documents()).hasSize(101).contains("zoo", "n099");
    embedder.refuses = false;
    var report = indexer.index(documents, Cleanup.FULL);
    assertThat(report.skipped()).hasSize(100);
    assertThat(report.repaired()).hasSize(100);
    assertThat(report.added()).hasSize(50);
    assertThat(report.deleted()).containsExactly("zoo");
    assertHolds(documents);
  }

  @ParameterizedTest
  @MethodSource("records")
  void a_crash_before_or_after_any_write_of_a_record_is_made_good(IndexRecords records)
      throws Exception {
    var indexer = Indexer.of(index, SPLITTER, records);
    var shorter = Document.of("tea", "Mint tea.").from("menu");
    for (int writes = 0; writes < 3; writes++) {
      for (boolean isAfter : new boolean[] {false, true}) {
        indexer.index(List.of(TEA, ZOO), Cleanup.FULL);
        var dying = Indexer.of(index, SPLITTER, new DyingRecords(records, writes, isAfter));
        assertThatThrownBy(() -> dying.index(List.of(shorter, COFFEE), Cleanup.FULL))
            .isInstanceOf(IllegalStateException.class);
        indexer.index(List.of(shorter, COFFEE), Cleanup.FULL);
        assertHolds(List.of(shorter, COFFEE));
        assertThat(indexer.index(List.of(shorter, COFFEE), Cleanup.FULL).isUnchanged()).isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("records")
  void an_interrupt_ends_it_and_the_next_call_does_the_rest(IndexRecords records) throws Exception {
    var documents =
        IntStream.range(0, 150).mapToObj(i -> Document.of("n" + i, "number " + i)).toList();
    var indexer = Indexer.of(index, SPLITTER, records);
    embedder.interrupts = true;
    assertThatThrownBy(() -> indexer.index(documents, Cleanup.NONE))
        .isInstanceOf(InterruptedException.class);
    embedder.interrupts = false;
    assertThat(index.size()).isEqualTo(100);
    assertThat(indexer.index(documents, Cleanup.NONE).added()).hasSize(50);
    assertHolds(documents);
  }

  @ParameterizedTest
  @MethodSource("records")
  void two_documents_of_one_id_are_refused(IndexRecords records) {
    var indexer = Indexer.of(index, SPLITTER, records);
    assertThatThrownBy(() -> indexer.index(List.of(TEA, COFFEE, TEA), Cleanup.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("`tea`");
    assertThat(index.size()).isZero();
  }

  @ParameterizedTest
  @MethodSource("records")
  void the_index_contains_the_documents_of_the_last_call(IndexRecords records) throws Exception {
    Property.check(
        5,
        150,
        choices -> choices.list(8, IndexerTest::batch),
        batches -> {
          index.delete(index.ids(ChunkFilter.all()));
          records.delete(records.all().stream().map(IndexRecord::document).toList());
          var indexer = Indexer.of(index, SPLITTER, records);
          for (var batch : batches) {
            var report = indexer.index(batch.documents(), Cleanup.FULL);
            index.delete(batch.damage());
            assertThat(told(report)).isEqualTo(batch.documents().size());
            if (batch.damage().isEmpty()) assertHolds(batch.documents());
          }
          if (batches.isEmpty()) return;
          indexer.index(batches.getLast().documents(), Cleanup.FULL);
          assertHolds(batches.getLast().documents());
        });
  }

  private record Batch(Collection<Document> documents, List<String> damage) {}

  private static Batch batch(Choices choices) {
    var documents = new LinkedHashMap<String, Document>();
    for (var document : choices.list(5, IndexerTest::document)) {
      documents.put(document.id(), document);
    }
    var damage = choices.list(2, c -> c.of("a", "b", "c") + "#" + c.below(3));
    return new Batch(List.copyOf(documents.values()), damage);
  }

  private static Document document(Choices choices) {
    var text = String.join(" ", choices.list(6, c -> c.of("tea", "coffee", "zoo", "bicycles")));
    return Document.of(choices.of("a", "b", "c", "d"), text).from(choices.of("menu", "card"));
  }

  private static int told(IndexingReport report) {
    return report.added().size()
        + report.updated().size()
        + report.skipped().size()
        + report.repaired().size();
  }

  /// The index holds the chunks of these documents and no others.
  private void assertHolds(Collection<Document> documents) {
    Map<String, Chunk> expected = new HashMap<>();
    for (var document : documents) {
      for (var chunk : SPLITTER.split(document)) expected.put(chunk.id(), chunk);
    }
    var ids = index.ids(ChunkFilter.all());
    assertThat(Set.copyOf(ids)).isEqualTo(expected.keySet());
    assertThat(index.get(ids)).isEqualTo(expected);
    for (var chunk : expected.values()) {
      assertThat(index.search(Query.of(chunk.text()).limit(1)).getFirst().score())
          .isGreaterThan(0.99);
    }
  }

  private Set<String> documents() {
    return Set.copyOf(
        index.get(index.ids(ChunkFilter.all())).values().stream()
            .map(chunk -> chunk.provenance().document())
            .distinct()
            .toList());
  }

  /// Dies before or after a write, when it has made so many.
  private static final class DyingRecords implements IndexRecords {
    private final IndexRecords real;
    private final boolean isAfter;
    private int left;

    DyingRecords(IndexRecords real, int writes, boolean isAfter) {
      this.real = real;
      this.left = writes;
      this.isAfter = isAfter;
    }

    @Override
    public Map<String, IndexRecord> get(Collection<String> documents) {
      return real.get(documents);
    }

    @Override
    public void put(List<IndexRecord> records) {
      write(() -> real.put(records));
    }

    @Override
    public void delete(Collection<String> documents) {
      write(() -> real.delete(documents));
    }

    @Override
    public List<IndexRecord> all() {
      return real.all();
    }

    @Override
    public List<IndexRecord> from(Set<String> sources) {
      return real.from(sources);
    }

    private void write(Runnable write) {
      if (left > 0) {
        left--;
        write.run();
        return;
      }
      if (isAfter) write.run();
      throw new IllegalStateException("the process died");
    }
  }

  /// Counts what it embeds, and fails when it is told to.
  private static final class CountingEmbedder implements Embedder {
    private final Embedder words = WordEmbedder.words();
    private int texts;
    private boolean refuses;
    private boolean interrupts;

    @Override
    public List<float[]> embedAll(List<String> batch) {
      texts += batch.size();
      if (interrupts) Thread.currentThread().interrupt();
      if (refuses && batch.contains("refuse me")) return List.of();
      return words.embedAll(batch);
    }

    @Override
    public float[] embedQuery(String question) {
      return words.embed(question);
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
}
