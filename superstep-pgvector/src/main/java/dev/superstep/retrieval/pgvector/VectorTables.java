package dev.superstep.retrieval.pgvector;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// The tables of one index. A stored form. Immutable.
///
/// `indexes` has a row for each index: its format, its vector space, and counts that a search
/// needs. A writer locks that row, so that the writers of an index take turns. Ids are bytes and
/// chunks JSON, because a text of PostgreSQL takes no NUL.
record VectorTables(String index) {
  static final int FORMAT = 1;
  static final int DIMENSION_MAX = 16_000;
  static final String INDEXES = "superstep_vectors.indexes";
  // As the documentation of pgvector says for HNSW over `vector` and over `halfvec`.
  private static final int HNSW_DIMENSION_MAX = 2_000;
  private static final int HALF_HNSW_DIMENSION_MAX = 4_000;

  String chunks() {
    return "superstep_vectors." + index + "_chunks";
  }

  String words() {
    return "superstep_vectors." + index + "_words";
  }

  static void createShared(Connection connection) throws SQLException {
    run(
        connection,
        List.of(
            "create schema if not exists superstep_vectors",
            """
            create table if not exists superstep_vectors.indexes (
              name text primary key,
              format int not null,
              embedder text,
              dimension int,
              chunks bigint not null default 0,
              words bigint not null default 0,
              last_seq bigint not null default 0)\
            """));
  }

  void create(Connection connection, int dimension) throws SQLException {
    var statements = new ArrayList<String>();
    statements.add(
        """
        create table %s (
          seq bigint primary key,
          id bytea not null unique,
          chunk text not null,
          facts text[] not null,
          length int not null,
          embedding vector(%d) not null)\
        """
            .formatted(chunks(), dimension));
    statements.add("create index on %s using gin (facts)".formatted(chunks()));
    statements.add(
        """
        create table %s (
          word text collate "C" not null,
          seq bigint not null,
          times int not null,
          length int not null,
          primary key (word, seq))\
        """
            .formatted(words()));
    statements.add("create index on %s (seq)".formatted(words()));
    if (dimension <= HALF_HNSW_DIMENSION_MAX) statements.add(graph(dimension));
    run(connection, statements);
  }

  private String graph(int dimension) {
    return dimension <= HNSW_DIMENSION_MAX
        ? "create index on %s using hnsw (embedding vector_cosine_ops)".formatted(chunks())
        : "create index on %s using hnsw ((%s) halfvec_cosine_ops)"
            .formatted(chunks(), halved("embedding", dimension));
  }

  /// The cosine distance to the vector of the one parameter, in the form that the graph has.
  static String distance(int dimension) {
    return dimension <= HNSW_DIMENSION_MAX
        ? "c.embedding <=> ?::vector"
        : halved("c.embedding", dimension) + " <=> " + halved("?::vector", dimension);
  }

  static boolean hasGraph(int dimension) {
    return dimension <= HALF_HNSW_DIMENSION_MAX;
  }

  // Of length 1, because a number of 16 bits is at most 65,504.
  private static String halved(String vector, int dimension) {
    return dimension <= HALF_HNSW_DIMENSION_MAX
        ? "l2_normalize(%s)::halfvec(%d)".formatted(vector, dimension)
        : vector;
  }

  private static void run(Connection connection, List<String> statements) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (var sql : statements) statement.execute(sql);
    }
  }
}
