package dev.superstep.documents.ingestion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.documents.DocumentLoader;
import dev.superstep.documents.SourceDocument;
import dev.superstep.documents.StructureSplitter;
import dev.superstep.retrieval.Cleanup;
import dev.superstep.retrieval.IndexRecord;
import dev.superstep.retrieval.IndexRecords;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.store.Embedder;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Namespace;
import dev.superstep.store.Store;
import dev.superstep.store.jdbc.SqliteStore;
import dev.superstep.test.kills.ChildJvm;
import dev.superstep.test.postgres.Pgvector;
import dev.superstep.test.postgres.PostgresServer;
import dev.superstep.testkit.WordEmbedder;
import java.io.BufferedReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;

/// Two ingestions into one index: in two processes, on PostgreSQL and with a store in a file.
@Timeout(180)
class IngestionLeaseTest {
  private static final UnaryOperator<IngestionLease> PATIENT =
      lease -> lease.waitingUpTo(Duration.ofMinutes(1));

  @TempDir Path folder;

  @Test
  void the_second_process_fails_or_waits_and_then_embeds_nothing_again() throws Exception {
    var url = postgres();
    try (var own = new LeasedIngestion(url)) {
      var other = ChildJvm.plain().start(LeasedIngestion.class, url);
      try (var said = other.inputReader();
          var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        assertThat(said.readLine()).isEqualTo("ADDED page00.md");
        int before = own.index.ids(ChunkFilter.all()).size();
        assertIsBusy(own, other);
        assertThat(own.index.ids(ChunkFilter.all())).hasSize(before);

        var second = threads.submit(() -> own.ingest(IngestionListener.NONE, PATIENT));
        letGoOn(other);
        assertThat(last(said)).isEqualTo("ended 40 added");
        assertThat(second.get(1, TimeUnit.MINUTES).skipped()).hasSize(LeasedIngestion.DOCUMENTS);
        assertThat(own.embedder.texts).hasValue(0);
      } finally {
        other.destroyForcibly();
      }
    }
  }

  @Test
  void the_lease_of_a_killed_process_ends_and_the_next_one_goes_on() throws Exception {
    var url = postgres();
    try (var own = new LeasedIngestion(url)) {
      killAfterFirstDocument(url, own);
      var report = own.ingest(IngestionListener.NONE, PATIENT);
      assertThat(report.skipped()).isNotEmpty().contains("page00.md");
      assertThat(own.embedder.texts).hasValue(LeasedIngestion.DOCUMENTS - report.skipped().size());
      assertThat(own.index.ids(ChunkFilter.all())).hasSize(LeasedIngestion.DOCUMENTS);
    }
  }

  @Test
  void a_store_in_a_file_keeps_processes_of_one_machine_apart() throws Exception {
    var file = folder.resolve("records.db").toString();
    try (var own = new LeasedIngestion(file)) {
      killAfterFirstDocument(file, own);
      assertThat(own.ingest(IngestionListener.NONE, PATIENT).toString()).contains("repaired");
      // It was given back.
      assertThat(own.ingest(IngestionListener.NONE, lease -> lease).toString())
          .isEqualTo("40 skipped");
    }
  }

  private static void killAfterFirstDocument(String place, LeasedIngestion own) throws Exception {
    var other = ChildJvm.plain().start(LeasedIngestion.class, place);
    try (var said = other.inputReader()) {
      assertThat(said.readLine()).isEqualTo("ADDED page00.md");
      assertIsBusy(own, other);
    } finally {
      other.destroyForcibly();
    }
    assertThat(other.waitFor(1, TimeUnit.MINUTES)).isTrue();
  }

  private static void assertIsBusy(LeasedIngestion own, Process other) {
    assertThatThrownBy(() -> own.ingest(IngestionListener.NONE, lease -> lease))
        .isInstanceOfSatisfying(
            IngestionBusy.class,
            busy -> {
              assertThat(busy.owner()).isEqualTo("process " + other.pid());
              assertThat(busy.records()).isEqualTo("library");
              assertThat(busy.until()).isNotNull();
            })
        .hasMessageContaining("`library` is at work in process " + other.pid());
  }

  private static void letGoOn(Process other) throws Exception {
    try (var input = other.getOutputStream()) {
      input.write('\n');
    }
  }

  private static String last(BufferedReader said) throws Exception {
    var last = "";
    for (var line = said.readLine(); line != null; line = said.readLine()) last = line;
    return last;
  }

  @Test
  void an_ingestion_that_lost_its_lease_writes_nothing_more() throws Exception {
    var missed = new CountDownLatch(1);
    try (var store = SqliteStore.open(folder.resolve("lease.db"));
        var watched = watched(store, missed);
        var index = VectorIndex.inMemory(WordEmbedder.words())) {
      var records = IndexRecords.in(store, LeasedIngestion.LIBRARY);
      var lease = IngestionLease.in(watched, LeasedIngestion.LIBRARY);
      Iterable<SourceDocument> documents =
          () ->
              List.of("a.md", "b.md").stream()
                  .map(id -> {
                    if (id.equals("b.md")) takeOver(store, missed);
                    return SourceDocument.of(id, id.getBytes(StandardCharsets.UTF_8));
                  })
                  .iterator();
      var ingestion =
          Ingestion.into(index, DocumentLoader.standard(), StructureSplitter.of(200, 0), records)
              .withLease(lease.lasting(Duration.ofMillis(100)));
      assertThatThrownBy(() -> ingestion.ingest(documents, Cleanup.FULL))
          .isInstanceOfSatisfying(
              IngestionLeaseLost.class, lost -> assertThat(lost.records()).isEqualTo("library"));
      assertThat(index.ids(ChunkFilter.all())).isEmpty();
      // The lease of the other one was not given back.
      assertThat(store.get(IngestionLease.LEASES, "library/")).isPresent();
    }
  }

  @Test
  void an_ingestion_that_loses_its_lease_while_it_embeds_notes_nothing_as_done() throws Exception {
    var missed = new CountDownLatch(1);
    try (var store = SqliteStore.open(folder.resolve("lease.db"));
        var watched = watched(store, missed);
        var index = VectorIndex.inMemory(losing(store, missed))) {
      var records = IndexRecords.in(store, LeasedIngestion.LIBRARY);
      var lease = IngestionLease.in(watched, LeasedIngestion.LIBRARY);
      var ingestion =
          Ingestion.into(index, DocumentLoader.standard(), StructureSplitter.of(200, 0), records)
              .withLease(lease.lasting(Duration.ofSeconds(3)));
      var one = List.of(SourceDocument.of("a.md", "a".getBytes(StandardCharsets.UTF_8)));
      assertThatThrownBy(() -> ingestion.ingest(one, Cleanup.NONE))
          .isInstanceOf(IngestionLeaseLost.class);
      assertThat(records.all()).singleElement().extracting(IndexRecord::digest).isEqualTo("");
    }
  }

  /// An embedder during whose work another one takes the lease.
  private static Embedder losing(Store store, CountDownLatch missed) {
    var words = WordEmbedder.words();
    return new Embedder() {
      @Override
      public List<float[]> embedAll(List<String> texts) {
        takeOver(store, missed);
        return words.embedAll(texts);
      }

      @Override
      public int dimension() {
        return words.dimension();
      }

      @Override
      public String id() {
        return words.id();
      }
    };
  }

  /// Puts another owner in place of the lease, and waits until its renewal has noticed.
  private static void takeOver(Store store, CountDownLatch missed) {
    store.put(
        IngestionLease.LEASES,
        "library/",
        new IngestionLease.Holder("another", java.time.Instant.now(), false));
    try {
      assertThat(missed.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Store watched(Store store, CountDownLatch missed) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (_, method, arguments) -> {
              try {
                var result = method.invoke(store, arguments);
                if (method.getName().equals("putIfVersion")
                    && result.equals(java.util.Optional.empty())) {
                  missed.countDown();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void a_lease_needs_a_name_and_times_that_can_be() {
    try (var store = InMemoryStore.open()) {
      assertThatThrownBy(() -> IngestionLease.in(store, Namespace.root()))
          .isInstanceOf(IllegalArgumentException.class);
      var lease = IngestionLease.in(store, LeasedIngestion.LIBRARY);
      assertThatThrownBy(() -> lease.lasting(Duration.ofMillis(99)))
          .hasMessageContaining("100 ms or more");
      assertThatThrownBy(() -> lease.waitingUpTo(Duration.ofMillis(-1)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> lease.ownedBy(" ")).isInstanceOf(IllegalArgumentException.class);
      assertThat(lease).hasToString("IngestionLease[library, PT30S]");
    }
  }

  private static String postgres() {
    if (Pgvector.archive().isPresent()) {
      return PostgresServer.sharedWithPgvector().freshDatabase().url();
    }
    var why = "skipped: there is no PostgreSQL with pgvector here (run .ci/pgvector)";
    System.out.println(why);
    throw new TestAbortedException(why);
  }
}
