package dev.superstep.retrieval.pgvector;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.retrieval.chunk.Chunk;
import dev.superstep.retrieval.chunk.ChunkFacts;
import dev.superstep.retrieval.chunk.Tokenizer;
import dev.superstep.retrieval.vector.EmbeddedChunk;
import dev.superstep.retrieval.vector.Embedding;
import java.nio.charset.StandardCharsets;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;

/// Rows of the tables of an index, written and read.
final class ChunkRows {
  private static final Codec<Chunk> CHUNKS = Codec.of(Chunk.class);
  private static final int WORDS_A_STATEMENT = 20_000;
  private static final int BATCH = 500;
  // PostgreSQL adds up squares as numbers of 32 bits, which reach to about 2 to the power of 127.
  private static final int EXPONENT_MAX = 40;

  private ChunkRows() {}

  /// Writes rows with the numbers after one.
  ///
  /// @return the number of words of all
  static long insert(
      Connection connection, VectorTables tables, long after, List<EmbeddedChunk> entries)
      throws SQLException {
    long words = 0;
    long seq = after;
    var postings = new Postings(connection, tables);
    try (var insert =
        connection.prepareStatement(
            "insert into %s (seq, id, chunk, facts, length, embedding)"
                .concat(" values (?, ?, ?, ?, ?, ?::vector)")
                .formatted(tables.chunks()))) {
      for (int i = 0; i < entries.size(); i++) {
        var chunk = entries.get(i).chunk();
        var tokens = Tokenizer.of(chunk.text());
        insert.setLong(1, ++seq);
        insert.setBytes(2, bytes(chunk.id()));
        insert.setString(3, CHUNKS.encode(chunk).text());
        insert.setArray(4, connection.createArrayOf("text", ChunkFacts.of(chunk).toArray()));
        insert.setInt(5, tokens.size());
        insert.setString(6, text(entries.get(i).embedding()));
        insert.addBatch();
        if ((i + 1) % BATCH == 0 || i + 1 == entries.size()) insert.executeBatch();
        postings.add(seq, tokens);
        words += tokens.size();
      }
    }
    postings.write();
    return words;
  }

  /// The occurrences of words in chunks, collected to be written many at once.
  private static final class Postings {
    private final Connection connection;
    private final VectorTables tables;
    private final List<String> words = new ArrayList<>();
    private final List<Long> rows = new ArrayList<>();
    private final List<Integer> times = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();

    Postings(Connection connection, VectorTables tables) {
      this.connection = connection;
      this.tables = tables;
    }

    void add(long row, List<String> tokens) throws SQLException {
      var counts = new LinkedHashMap<String, Integer>();
      for (var token : tokens) counts.merge(token, 1, Integer::sum);
      counts.forEach((word, count) -> {
        words.add(word);
        rows.add(row);
        times.add(count);
        lengths.add(tokens.size());
      });
      if (words.size() >= WORDS_A_STATEMENT) write();
    }

    void write() throws SQLException {
      if (words.isEmpty()) return;
      try (var insert =
          connection.prepareStatement(
              "insert into %s (word, seq, times, length) select * from unnest(?, ?, ?, ?)"
                  .formatted(tables.words()))) {
        insert.setArray(1, connection.createArrayOf("text", words.toArray()));
        insert.setArray(2, connection.createArrayOf("int8", rows.toArray()));
        insert.setArray(3, connection.createArrayOf("int4", times.toArray()));
        insert.setArray(4, connection.createArrayOf("int4", lengths.toArray()));
        insert.executeUpdate();
      }
      for (var column : List.of(words, rows, times, lengths)) column.clear();
    }
  }

  /// The deleted chunks.
  ///
  /// @param words the number of words of all
  record Deleted(List<String> ids, long words) {}

  static Deleted delete(Connection connection, VectorTables tables, Collection<String> ids)
      throws SQLException {
    var seqs = new ArrayList<Long>();
    var gone = new ArrayList<String>();
    long words = 0;
    try (var delete =
        connection.prepareStatement(
            "delete from %s where id = any(?) returning seq, id, length"
                .formatted(tables.chunks()))) {
      delete.setArray(1, idArray(connection, ids));
      try (var rows = delete.executeQuery()) {
        while (rows.next()) {
          seqs.add(rows.getLong(1));
          gone.add(new String(rows.getBytes(2), StandardCharsets.UTF_8));
          words += rows.getInt(3);
        }
      }
    }
    if (seqs.isEmpty()) return new Deleted(gone, words);
    try (var delete =
        connection.prepareStatement(
            "delete from %s where seq = any(?)".formatted(tables.words()))) {
      delete.setArray(1, connection.createArrayOf("int8", seqs.toArray()));
      delete.executeUpdate();
    }
    return new Deleted(gone, words);
  }

  /// Reads rows of `chunk, embedding::text`.
  static List<EmbeddedChunk> read(PreparedStatement statement) throws SQLException {
    var found = new ArrayList<EmbeddedChunk>();
    try (var rows = statement.executeQuery()) {
      while (rows.next()) {
        var chunk = CHUNKS.decode(Json.unchecked(rows.getString(1)));
        found.add(new EmbeddedChunk(chunk, embedding(rows.getString(2))));
      }
    }
    return found;
  }

  static List<String> readIds(ResultSet rows) throws SQLException {
    var ids = new ArrayList<String>();
    while (rows.next()) ids.add(new String(rows.getBytes(1), StandardCharsets.UTF_8));
    return ids;
  }

  static Array idArray(Connection connection, Collection<String> ids) throws SQLException {
    return connection.createArrayOf(
        "bytea", ids.stream().map(ChunkRows::bytes).toArray(byte[][]::new));
  }

  /// A vector as pgvector reads it. One with very large or very small numbers keeps its direction
  /// only.
  static String text(Embedding embedding) {
    var numbers = embedding.numbers();
    float greatest = 0;
    for (float number : numbers) greatest = Math.max(greatest, Math.abs(number));
    int exponent = Math.getExponent(greatest);
    int shift = Math.abs(exponent) > EXPONENT_MAX ? -exponent : 0;
    var text = new StringBuilder("[");
    for (int i = 0; i < numbers.length; i++) {
      if (i > 0) text.append(',');
      text.append(Math.scalb(numbers[i], shift));
    }
    return text.append(']').toString();
  }

  private static Embedding embedding(String text) {
    var parts = text.substring(1, text.length() - 1).split(",", -1);
    var numbers = new float[parts.length];
    for (int i = 0; i < parts.length; i++) numbers[i] = Float.parseFloat(parts[i]);
    return Embedding.of(numbers);
  }

  private static byte[] bytes(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }
}
