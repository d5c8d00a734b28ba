package dev.superstep.bench.limit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.bench.measure.Folder;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;

/// Guarantees of the limit on SQLite beyond those of [RowStoreTest].
final class GuardedSqlRowsTest {
  @Test
  void a_changed_row_is_noticed() throws Exception {
    var folder = Folder.fresh();
    try (var rows = GuardedSqlRows.sqlite(folder)) {
      rows.begin("t", "draft", () -> "0|thing");
      try (var other = DriverManager.getConnection("jdbc:sqlite:" + folder.file("limit.db"));
          var statement = other.createStatement()) {
        statement.executeUpdate("update step set body = '9|thing'");
      }
      assertThatThrownBy(() -> rows.last("t")).hasMessageContaining("differs");
    }
  }
}
