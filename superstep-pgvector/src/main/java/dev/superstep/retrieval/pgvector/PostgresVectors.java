package dev.superstep.retrieval.pgvector;

import dev.superstep.retrieval.chunk.ChunkFilter;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import dev.superstep.retrieval.vector.IndexFailed;
import dev.superstep.retrieval.vector.VectorSpace;
import dev.superstep.retrieval.vector.VectorStorage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Keeps chunks in a PostgreSQL database, by its extension pgvector: finds vectors by an HNSW graph
/// and words by BM25. Processes on many machines may share an index; those that write to it take
/// turns. Safe for many threads.
///
/// ```java
/// var pool = new HikariDataSource();
/// pool.setJdbcUrl("jdbc:postgresql://db.example.com/handbook?user=app");
/// try (var index = VectorIndex.over(PostgresVectors.on(pool, "faq"), embedder)) { ... }
/// ```
///
/// It needs pgvector 0.8 or newer, and creates the extension and the schema `superstep_vectors` if
/// they are missing and the role may. The driver of PostgreSQL is a dependency of the program. Each
/// call is one transaction and leaves nothing in the session, so a pooler may stand before the
/// server.
///
/// A vector has at most 16,000 numbers. The graph is over numbers of 16 bits if there are more than
/// 2,000, and above 4,000 there is no graph: a search compares all vectors then, as it does where a
/// filter accepts at most ten thousand chunks. What is found is ranked by the full vectors.
public final class PostgresVectors implements VectorStorage {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,39}");
  // A constant of ours for the lock under which shared tables are made.
  private static final long SCHEMA_LOCK = 0x73757065_72766563L;
  private static final int EXACT_MAX = 10_000;
  private static final int EXPLORED_LEAST = 64;
  // The limits of pgvector's settings.
  private static final int EXPLORED_MAX = 1_000;
  private static final long SCANNED_LEAST = 20_000;
  private static final int SCANNED_FACTOR = 4;

  private final DataSource source;
  private final VectorTables tables;
  private final String name;
  private volatile @Nullable VectorSpace space;

  private interface Work<T> {
    T in(Connection connection) throws SQLException;
  }

  /// The row of an index.
  private record Head(Optional<VectorSpace> space, long chunks, long words, long lastSeq) {}

  private PostgresVectors(DataSource source, VectorTables tables) {
    this.source = source;
    this.tables = tables;
    this.name = "`" + tables.index() + "` in PostgreSQL";
  }

  /// Opens an index, which is created if there is none with this name.
  ///
  /// @param source where connections come from, best a pool; it is not closed with the index
  /// @param name at most 40 lower-case letters, digits and underscores, a letter first
  /// @throws IndexFailed if the database cannot be used or has no pgvector
  public static PostgresVectors on(DataSource source, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name must be at most 40 lower-case letters, digits and underscores, and begin with a"
              + " letter, was `"
              + name
              + "`");
    }
    var opened = new PostgresVectors(source, new VectorTables(name));
    opened.transaction(connection -> {
      opened.prepare(connection);
      return opened.head(connection, false);
    });
    return opened;
  }

  @Override
  public Optional<VectorSpace> space() {
    var known = space;
    if (known != null) return Optional.of(known);
    return transaction(connection -> head(connection, false)).space();
  }

  @Override
  public void put(VectorSpace given, List<EmbeddedChunk> entries) {
    if (given.dimension() > VectorTables.DIMENSION_MAX) {
      throw new IndexFailed(
          name,
          "vectors of %,d numbers do not fit; %,d are allowed"
              .formatted(given.dimension(), VectorTables.DIMENSION_MAX),
          "Use an embedder with fewer.",
          null);
    }
    transaction(connection -> {
      var head = head(connection, true);
      if (head.space().isEmpty()) tables.create(connection, given.dimension());
      checkSpace(head, given);
      var ids = entries.stream().map(entry -> entry.chunk().id()).toList();
      var replaced = ChunkRows.delete(connection, tables, ids);
      long words = ChunkRows.insert(connection, tables, head.lastSeq(), entries);
      var after =
          new Head(
              Optional.of(given),
              head.chunks() + entries.size() - replaced.ids().size(),
              head.words() + words - replaced.words(),
              head.lastSeq() + entries.size());
      save(connection, after);
      return after;
    });
    space = given;
  }

  @Override
  public Set<String> delete(Set<String> ids) {
    if (space().isEmpty()) return Set.of();
    return transaction(connection -> {
      var head = head(connection, true);
      var gone = ChunkRows.delete(connection, tables, ids);
      save(
          connection,
          new Head(
              head.space(),
              head.chunks() - gone.ids().size(),
              head.words() - gone.words(),
              head.lastSeq()));
      return new HashSet<>(gone.ids());
    });
  }

  @Override
  public List<EmbeddedChunk> get(Set<String> ids) {
    if (space().isEmpty()) return List.of();
    return transaction(connection -> {
      try (var select =
          connection.prepareStatement(
              "select chunk, embedding::text from %s where id = any(?)"
                  .formatted(tables.chunks()))) {
        select.setArray(1, ChunkRows.idArray(connection, ids));
        return ChunkRows.read(select);
      }
    });
  }

  @Override
  public Collection<String> ids(ChunkFilter filter) {
    if (space().isEmpty()) return List.of();
    var wanted = FilterSql.of(filter);
    return transaction(connection -> {
      try (var select =
          connection.prepareStatement(
              "select id from %s c where %s".formatted(tables.chunks(), wanted.condition()))) {
        wanted.bind(select, 1);
        try (var rows = select.executeQuery()) {
          return ChunkRows.readIds(rows);
        }
      }
    });
  }

  @Override
  public List<EmbeddedChunk> nearest(Embedding sought, int limit, ChunkFilter filter) {
    var held = space();
    if (held.isEmpty()) return List.of();
    var wanted = FilterSql.of(filter);
    int dimension = held.get().dimension();
    return transaction(connection -> {
      long all = head(connection, false).chunks();
      long accepted = wanted.isAll() ? all : accepted(connection, wanted);
      if (VectorTables.hasGraph(dimension) && accepted > EXACT_MAX) {
        explore(connection, limit, all / accepted);
        var found = nearest(connection, VectorTables.distance(dimension), sought, limit, wanted);
        if (found.size() >= Math.min(limit, all)) return found;
      }
      // An expression that no graph is over, so that all that the filter accepts are compared.
      return nearest(connection, "(c.embedding <=> ?::vector) + 0", sought, limit, wanted);
    });
  }

  @Override
  public List<EmbeddedChunk> matching(List<String> words, int limit, ChunkFilter filter) {
    if (space().isEmpty()) return List.of();
    var wanted = FilterSql.of(filter);
    var isWanted =
        wanted.isAll()
            ? "true"
            : "exists (select from %s c where c.seq = w.seq and %s)"
                .formatted(tables.chunks(), wanted.condition());
    // How much a word that comes again counts, and how much the length of a text: as in memory.
    var sql =
        """
        with sought as (
          select s.word, ln(1 + (i.chunks - n.texts + 0.5) / (n.texts + 0.5))::float8 as rarity,
            i.words::float8 / greatest(i.chunks, 1) as mean
          from unnest(?) as s (word)
            cross join (select chunks, words from superstep_vectors.indexes where name = ?) as i
            cross join lateral
              (select count(*) as texts from %1$s w where w.word = s.word) as n
          where n.texts > 0)
        select c.chunk, c.embedding::text
        from (
          select w.seq,
            sum(s.rarity * w.times / (w.times + 1.2 * (0.25 + 0.75 * w.length / s.mean))) as score
          from sought s join %1$s w on w.word = s.word
          where %2$s
          group by w.seq order by score desc, w.seq limit %3$d) as best
        join %4$s c on c.seq = best.seq
        order by best.score desc, c.id\
        """
            .formatted(tables.words(), isWanted, limit, tables.chunks());
    return transaction(connection -> {
      try (var select = connection.prepareStatement(sql)) {
        select.setArray(1, connection.createArrayOf("text", words.toArray()));
        select.setString(2, tables.index());
        wanted.bind(select, 3);
        return ChunkRows.read(select);
      }
    });
  }

  @Override
  public long size() {
    return transaction(connection -> head(connection, false)).chunks();
  }

  @Override
  public void close() {
    // Connections belong to the source.
  }

  private void prepare(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      // Two programs that start at once would both make what is missing.
      statement.execute("select pg_advisory_xact_lock(%d)".formatted(SCHEMA_LOCK));
      PgvectorExtension.require(connection, name);
      try (var rows =
          statement.executeQuery(
              "select to_regclass('%s') is not null".formatted(VectorTables.INDEXES))) {
        rows.next();
        if (!rows.getBoolean(1)) VectorTables.createShared(connection);
      }
    }
    try (var insert =
        connection.prepareStatement(
            "insert into %s (name, format) values (?, ?) on conflict do nothing"
                .formatted(VectorTables.INDEXES))) {
      insert.setString(1, tables.index());
      insert.setInt(2, VectorTables.FORMAT);
      insert.executeUpdate();
    }
  }

  /// @param isWriting whether other writers wait until the end of the transaction
  private Head head(Connection connection, boolean isWriting) throws SQLException {
    try (var select =
        connection.prepareStatement(
            "select format, embedder, dimension, chunks, words, last_seq from %s where name = ?%s"
                .formatted(VectorTables.INDEXES, isWriting ? " for update" : ""))) {
      select.setString(1, tables.index());
      try (var rows = select.executeQuery()) {
        if (!rows.next()) throw failed("its row was deleted", "Open it again.", null);
        if (rows.getInt(1) != VectorTables.FORMAT) {
          throw failed("it is of format " + rows.getInt(1), "Use the version that wrote it.", null);
        }
        var embedder = rows.getString(2);
        if (embedder != null) space = new VectorSpace(embedder, rows.getInt(3));
        return new Head(
            Optional.ofNullable(embedder == null ? null : space),
            rows.getLong(4),
            rows.getLong(5),
            rows.getLong(6));
      }
    }
  }

  private void save(Connection connection, Head head) throws SQLException {
    try (var update =
        connection.prepareStatement(
            "update %s set embedder = ?, dimension = ?, chunks = ?, words = ?, last_seq = ?"
                .concat(" where name = ?")
                .formatted(VectorTables.INDEXES))) {
      var held = head.space().orElseThrow();
      update.setString(1, held.embedder());
      update.setInt(2, held.dimension());
      update.setLong(3, head.chunks());
      update.setLong(4, head.words());
      update.setLong(5, head.lastSeq());
      update.setString(6, tables.index());
      update.executeUpdate();
    }
  }

  /// The number of chunks that a filter accepts, counted to where it no longer matters.
  private long accepted(Connection connection, FilterSql wanted) throws SQLException {
    try (var count =
        connection.prepareStatement(
            "select count(*) from (select from %s c where %s limit %d) as accepted"
                .formatted(tables.chunks(), wanted.condition(), EXACT_MAX + 1))) {
      wanted.bind(count, 1);
      try (var rows = count.executeQuery()) {
        rows.next();
        return rows.getLong(1);
      }
    }
  }

  /// Lets the graph be searched until enough is found.
  ///
  /// @param share one of how many chunks the filter accepts, at most
  private static void explore(Connection connection, int limit, long share) throws SQLException {
    long scanned = Math.max(SCANNED_LEAST, SCANNED_FACTOR * share * limit);
    try (var set = connection.createStatement()) {
      set.execute(
          """
          set local hnsw.ef_search = %d;
          set local hnsw.iterative_scan = relaxed_order;
          set local hnsw.max_scan_tuples = %d\
          """
              .formatted(
                  Math.clamp(limit, EXPLORED_LEAST, EXPLORED_MAX),
                  Math.min(scanned, Integer.MAX_VALUE)));
    }
  }

  private List<EmbeddedChunk> nearest(
      Connection connection, String distance, Embedding sought, int limit, FilterSql wanted)
      throws SQLException {
    try (var select =
        connection.prepareStatement(
            "select c.chunk, c.embedding::text from %s c where %s order by %s limit %d"
                .formatted(tables.chunks(), wanted.condition(), distance, limit))) {
      int at = wanted.bind(select, 1);
      select.setString(at, ChunkRows.text(sought));
      return ChunkRows.read(select);
    }
  }

  private void checkSpace(Head head, VectorSpace given) {
    var held = head.space().orElse(given);
    if (held.equals(given)) return;
    throw failed(
        "it was filled meanwhile with vectors of " + held + ", and was given those of " + given,
        "Use one embedder for an index.",
        null);
  }

  private IndexFailed failed(String why, String advice, @Nullable Exception cause) {
    return new IndexFailed(name, why, advice, cause);
  }

  private <T> T transaction(Work<T> work) {
    try (var connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try {
        var done = work.in(connection);
        connection.commit();
        connection.setAutoCommit(true);
        return done;
      } catch (SQLException | RuntimeException e) {
        rollBack(connection, e);
        throw e;
      }
    } catch (SQLException e) {
      throw failed(
          "" + e.getMessage(),
          "What was added before is intact; try again when the database answers.",
          e);
    }
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public String toString() {
    return "PostgresVectors[" + name + "]";
  }
}
