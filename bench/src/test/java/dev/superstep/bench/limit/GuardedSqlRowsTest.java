package dev.superstep.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.bench.measure.Folder;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/// The limit has to keep what it is said to guarantee, or it is none.
final class GuardedSqlRowsTest {
  private static final Rows.Row FIRST = new Rows.Row("t", 0, "draft", "0|thing");
  private static final Rows.Row SECOND = new Rows.Row("t", 1, "ask", "1|thing");

  @Test
  void an_answered_thread_gives_its_newest_row_and_keeps_its_history() throws Exception {
    try (var rows = GuardedSqlRows.sqlite(Folder.fresh())) {
      rows.begin(FIRST);
      rows.addLast(SECOND);
      assertThat(rows.answer("t", "answer", "yes")).isEqualTo(SECOND);
      rows.addLast(new Rows.Row("t", 3, "", "2|thing"));
      assertThat(rows.last("t").body()).isEqualTo("2|thing");
      assertThat(rows.page("t", 2, 9)).containsExactly(SECOND, FIRST);
    }
  }

  @Test
  void a_thread_that_is_held_is_not_taken_and_a_row_that_is_not_newer_is_refused()
      throws Exception {
    try (var rows = GuardedSqlRows.sqlite(Folder.fresh())) {
      rows.begin(FIRST);
      assertThatThrownBy(() -> rows.answer("t", "answer", "yes")).isInstanceOf(SQLException.class);
      assertThatThrownBy(() -> rows.add(FIRST)).isInstanceOf(SQLException.class);
      assertThat(rows.page("t", 9, 9)).containsExactly(FIRST);
    }
  }

  @Test
  void a_changed_row_is_noticed() throws Exception {
    var folder = Folder.fresh();
    try (var rows = GuardedSqlRows.sqlite(folder)) {
      rows.begin(FIRST);
      try (var other = DriverManager.getConnection("jdbc:sqlite:" + folder.file("limit.db"));
          var statement = other.createStatement()) {
        statement.executeUpdate("update step set body = '9|thing'");
      }
      assertThatThrownBy(() -> rows.last("t")).hasMessageContaining("differs");
    }
  }
}
