package dev.superstep.store.jdbc.rows;

import dev.superstep.json.Codec;
import dev.superstep.store.jdbc.sql.Dialect;
import dev.superstep.store.jdbc.sql.SqlText;
import java.util.List;
import java.util.Map;

/// Narrows a query to checkpoints that may have certain metadata. The database looks for the text
/// of each entry as it is stored, so what it finds is still to be compared
/// ([dev.superstep.checkpoint.Checkpoint#hasMetadata]); what it passes over does not have them.
final class MetadataFilter {
  private static final Codec<Map<String, String>> ENTRIES = Codec.mapOf(String.class);

  private MetadataFilter() {}

  /// Adds a condition on the column `c.body` for each entry.
  static void append(
      StringBuilder query, List<Object> arguments, Dialect dialect, Map<String, String> wanted) {
    wanted.forEach((name, value) -> {
      query.append(" and ").append(dialect.contains("c.body")).append(' ');
      arguments.add(stored(name, value));
    });
  }

  /// An entry as it is written inside of an object.
  private static String stored(String name, String value) {
    var object = SqlText.of(ENTRIES.encode(Map.of(name, value)));
    return object.substring(1, object.length() - 1);
  }
}
