package dev.superstep.retrieval.pgvector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.superstep.retrieval.Query;
import dev.superstep.retrieval.RetrievalListener;
import dev.superstep.retrieval.VectorIndex;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.IndexFailed;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.store.Embedder;
import dev.superstep.test.postgres.PostgresDatabase;
import dev.superstep.testkit.VectorIndexSuite;
import dev.superstep.testkit.WordEmbedder;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The index on a real PostgreSQL with pgvector; skipped, with the reason, where there is none.
@Tag("T131")
final class PostgresVectorsTest implements VectorIndexSuite {
  private final PostgresDatabase database = PgvectorDatabases.freshOrSkip();
  private final List<HikariDataSource> pools = new ArrayList<>();
  private int indexes;

  @BeforeEach
  void openPool() {
    pools.add(pool(database));
  }

  @AfterEach
  void closePools() {
    pools.forEach(HikariDataSource::close);
  }

  @Override
  public VectorIndex fresh(Embedder embedder, RetrievalListener listener) {
    indexes++;
    return VectorIndex.over(vectors("index_" + indexes), embedder, listener);
  }

  @Override
  public Optional<VectorIndex> reopened(Embedder embedder) {
    return Optional.of(VectorIndex.over(vectors("index_" + indexes), embedder));
  }

  private PostgresVectors vectors(String name) {
    return PostgresVectors.on(pools.getFirst(), name);
  }

  private HikariDataSource pool(PostgresDatabase of) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(of.url());
    pool.setMaximumPoolSize(8);
    return pool;
  }

  @Test
  void indexes_of_one_database_do_not_see_each_other() {
    try (var one = fresh(WordEmbedder.words(), RetrievalListener.NONE);
        var other = fresh(WordEmbedder.named("other"), RetrievalListener.NONE)) {
      one.add(List.of(Chunk.of("a", "green tea")));
      other.add(List.of(Chunk.of("a", "red bicycle"), Chunk.of("b", "zoo")));
      one.delete(List.of("b"));
      assertThat(one.get(List.of("a", "b"))).containsOnlyKeys("a");
      assertThat(other.size()).isEqualTo(2);
      assertThat(other.search(Query.of("tea").hybrid().minScore(0.1))).isEmpty();
    }
  }

  @Test
  void processes_that_open_and_fill_one_index_at_once_lose_nothing() throws Exception {
    try (var processes = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = IntStream.range(0, 8).<Callable<Long>>mapToObj(i -> () -> fill(i)).toList();
      for (var ended : processes.invokeAll(all)) assertThat(ended.get()).isPositive();
    }
    try (var index = VectorIndex.over(vectors("shared"), WordEmbedder.words())) {
      assertThat(index.size()).isEqualTo(40);
      assertThat(index.ids(ChunkFilter.all())).hasSize(40);
      assertThat(index.search(Query.of("tea").hybrid().limit(100))).hasSize(40);
    }
  }

  private long fill(int process) {
    try (var pool = pool(database)) {
      pool.setMaximumPoolSize(1);
      var index = VectorIndex.over(PostgresVectors.on(pool, "shared"), WordEmbedder.words());
      for (int round = 0; round < 5; round++) {
        index.add(List.of(Chunk.of("own%d-%d".formatted(process, round), "tea " + process)));
        index.add(List.of(Chunk.of("shared", "tea"), Chunk.of("both", "zoo " + process)));
        index.delete(List.of("both", "shared"));
      }
      return index.size();
    }
  }

  @Test
  void an_index_that_another_process_filled_meanwhile_is_seen() {
    try (var late = VectorIndex.over(vectors("one"), WordEmbedder.words());
        var early = VectorIndex.over(vectors("one"), WordEmbedder.words());
        var wrong = vectors("one")) {
      early.add(List.of(Chunk.of("a", "green tea")));
      assertThat(late.search(Query.of("tea"))).hasSize(1);
      var entry = new EmbeddedChunk(Chunk.of("b", "zoo"), Embedding.of(1, 2));
      assertThatThrownBy(() -> wrong.put(new VectorSpace("wrong", 2), List.of(entry)))
          .isInstanceOf(IndexFailed.class)
          .hasMessageContaining("`words` with 64 numbers")
          .hasMessageContaining("`wrong` with 2 numbers");
      assertThat(late.size()).isEqualTo(1);
    }
  }

  @Test
  void a_change_that_fails_is_undone_as_a_whole() throws SQLException {
    try (var index = VectorIndex.over(vectors("one"), WordEmbedder.words())) {
      index.add(List.of(Chunk.of("a", "green tea")));
      execute("alter table superstep_vectors.one_words add check (word <> 'broken')");
      assertThatThrownBy(
              () -> index.add(List.of(Chunk.of("a", "red bicycle"), Chunk.of("b", "broken"))))
          .isInstanceOf(IndexFailed.class)
          .hasMessageContaining("`one` in PostgreSQL");
      assertThat(index.ids(ChunkFilter.all())).containsExactly("a");
      assertThat(index.search(Query.of("green").hybrid()).getFirst().chunk().text())
          .isEqualTo("green tea");
      index.add(List.of(Chunk.of("b", "mended")));
      assertThat(index.size()).isEqualTo(2);
    }
  }

  @Test
  void lost_connections_are_an_error_once_and_the_index_goes_on() throws SQLException {
    try (var index =
        VectorIndex.over(PostgresVectors.on(pools.getFirst(), "one"), WordEmbedder.words())) {
      index.add(List.of(Chunk.of("a", "green tea")));
      assertThat(database.killConnections()).isPositive();
      var ids = new HashSet<String>();
      while (ids.isEmpty()) {
        try {
          ids.addAll(index.add(List.of(Chunk.of("b", "zoo"))));
        } catch (IndexFailed e) {
          assertThat(e).hasMessageContaining("try again");
        }
      }
      assertThat(index.ids(ChunkFilter.all())).containsExactly("a", "b");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upper", "1st", "a-b", "a\"; drop table x", "é"})
  void a_name_that_is_no_name_of_a_table_is_refused(String name) {
    assertThatThrownBy(() -> vectors(name)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 2_000, 2_001, 3_072, 4_001, 16_000})
  @Tag("T51")
  void vectors_of_each_width_are_stored_and_found(int width) {
    var space = new VectorSpace("wide", width);
    try (var vectors = vectors("wide")) {
      vectors.put(
          space,
          List.of(
              new EmbeddedChunk(Chunk.of("a", "one"), random(1, width)),
              new EmbeddedChunk(Chunk.of("b", "two"), random(2, width))));
      assertThat(vectors.nearest(random(2, width), 1, ChunkFilter.all()))
          .extracting(EmbeddedChunk::embedding)
          .containsExactly(random(2, width));
    }
  }

  @Test
  void too_wide_vectors_are_refused() {
    try (var vectors = vectors("wide")) {
      var entry = new EmbeddedChunk(Chunk.of("a", "one"), random(1, 16_001));
      assertThatThrownBy(() -> vectors.put(new VectorSpace("wide", 16_001), List.of(entry)))
          .isInstanceOf(IndexFailed.class)
          .hasMessageContaining("16,000 are allowed");
      assertThat(vectors.space()).isEmpty();
    }
  }

  /// Squares of such numbers do not fit what PostgreSQL adds them up in.
  @Test
  void very_large_and_very_small_numbers_keep_their_direction() {
    var space = new VectorSpace("odd", 2);
    try (var vectors = vectors("odd")) {
      vectors.put(
          space,
          List.of(
              new EmbeddedChunk(Chunk.of("large", "one"), Embedding.of(3e38f, 0)),
              new EmbeddedChunk(Chunk.of("small", "two"), Embedding.of(0, 1e-37f)),
              new EmbeddedChunk(Chunk.of("plain", "three"), Embedding.of(1, 1))));
      assertThat(nearest(vectors, Embedding.of(1e-38f, 0)))
          .containsExactly("large", "plain", "small");
      assertThat(nearest(vectors, Embedding.of(0, 2e38f)))
          .containsExactly("small", "plain", "large");
    }
  }

  private static List<String> nearest(PostgresVectors vectors, Embedding sought) {
    return vectors.nearest(sought, 3, ChunkFilter.all()).stream()
        .map(entry -> entry.chunk().id())
        .toList();
  }

  /// More than are compared one by one, so that the graph answers.
  @Test
  @Tag("T51")
  void nearly_all_nearest_of_many_vectors_are_found_by_the_graph_with_and_without_filter()
      throws SQLException {
    int many = 10_400;
    var entries = new ArrayList<EmbeddedChunk>();
    for (int i = 0; i < many; i++) {
      var chunk = Chunk.of("n" + i, "number " + i);
      entries.add(new EmbeddedChunk(i % 100 == 0 ? chunk.from("rare") : chunk, random(i, 16)));
    }
    try (var vectors = vectors("many")) {
      for (int from = 0; from < many; from += 2_000) {
        vectors.put(
            new VectorSpace("random", 16), entries.subList(from, Math.min(many, from + 2_000)));
      }
      execute("analyze superstep_vectors.many_chunks");
      var common = ChunkFilter.from("rare").not();
      assertThat(recall(vectors, entries, ChunkFilter.all())).isGreaterThan(0.9);
      assertThat(recall(vectors, entries, common)).isGreaterThan(0.9);
      assertThat(recall(vectors, entries, ChunkFilter.from("rare"))).isEqualTo(1);
      assertThat(vectors.nearest(random(-1, 16), 1_500, ChunkFilter.all())).hasSize(1_500);
      assertThat(vectors.nearest(random(-1, 16), 20_000, common)).hasSize(10_296);
      assertThat(plan("many")).contains("many_chunks_embedding_idx");
    }
  }

  private static double recall(
      PostgresVectors vectors, List<EmbeddedChunk> entries, ChunkFilter filter) {
    int hits = 0;
    for (int i = 0; i < 10; i++) {
      var sought = random(-1 - i, 16);
      var exact =
          entries.stream()
              .filter(entry -> filter.matches(entry.chunk()))
              .sorted((a, b) ->
                  Double.compare(b.embedding().nearness(sought), a.embedding().nearness(sought)))
              .limit(10)
              .toList();
      var found = new HashSet<>(vectors.nearest(sought, 10, filter));
      hits += (int) exact.stream().filter(found::contains).count();
    }
    return hits / 100.0;
  }

  private String plan(String index) throws SQLException {
    try (var connection = database.connect();
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "explain select id from superstep_vectors.%s_chunks c order by %s limit 10"
                    .formatted(
                        index,
                        VectorTables.distance(16)
                            .replace("?", "'" + ChunkRows.text(random(1, 16)) + "'")))) {
      var plan = new StringBuilder();
      while (rows.next()) plan.append(rows.getString(1)).append('\n');
      return plan.toString();
    }
  }

  @Test
  void an_index_of_a_newer_format_is_refused() throws SQLException {
    vectors("one")
        .put(
            new VectorSpace("words", 1),
            List.of(new EmbeddedChunk(Chunk.of("a"), Embedding.of(1))));
    execute("update superstep_vectors.indexes set format = 2");
    assertThatThrownBy(() -> vectors("one"))
        .isInstanceOf(IndexFailed.class)
        .hasMessageContaining("format 2");
  }

  @Test
  void a_role_without_rights_learns_what_an_administrator_must_do() throws SQLException {
    execute(
        "drop role if exists app",
        "create role app login",
        "drop extension if exists vector",
        "revoke create on database %s from public".formatted(database.name()));
    var asApp = new HikariDataSource();
    pools.add(asApp);
    asApp.setJdbcUrl(database.url().replace("user=" + PostgresDatabase.USER, "user=app"));
    asApp.setMaximumPoolSize(1);
    assertThatThrownBy(() -> PostgresVectors.on(asApp, "faq"))
        .isInstanceOf(IndexFailed.class)
        .hasMessageContaining("may not create it")
        .hasMessageContaining("create extension vector");
    execute("create schema elsewhere", "create extension vector schema elsewhere");
    assertThatThrownBy(() -> PostgresVectors.on(asApp, "faq"))
        .isInstanceOf(IndexFailed.class)
        .hasMessageContaining("search path");
    execute(
        "drop extension vector",
        "create extension vector",
        "grant create on database %s to app".formatted(database.name()));
    try (var index = VectorIndex.over(PostgresVectors.on(asApp, "faq"), WordEmbedder.words())) {
      index.add(List.of(Chunk.of("a", "green tea")));
      assertThat(index.search(Query.of("tea"))).hasSize(1);
    }
  }

  private void execute(String... statements) throws SQLException {
    try (var connection = database.connect();
        var statement = connection.createStatement()) {
      for (var sql : statements) statement.execute(sql);
    }
  }

  private static Embedding random(long seed, int dimension) {
    var random = new SplittableRandom(seed);
    var numbers = new float[dimension];
    for (int i = 0; i < dimension; i++) numbers[i] = (float) random.nextDouble() - 0.5f;
    return Embedding.of(numbers);
  }
}
