package dev.superstep.store.jdbc;

import static dev.superstep.store.jdbc.Commits.LINEAGE;
import static dev.superstep.store.jdbc.Commits.nth;
import static dev.superstep.store.jdbc.Commits.whole;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.SavedChannel;
import dev.superstep.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A value that is hardly larger than a reference to it stands in the checkpoint itself.
final class SmallValuesTest {
  // As they were written: other texts may be the same number or string.
  private static final List<String> SMALL =
      List.of(
          "1.50",
          "1e3",
          "\"\\u0041\\n\\\"\"",
          "\"\\ud800\"",
          "{\"b\":1, \"a\":[null]}",
          "\"ü€😀\"",
          "\"" + "x".repeat(38) + "\"");
  private static final String LARGE = "\"" + "x".repeat(39) + "\"";

  @TempDir Path folder;

  private static Json value(SqliteCheckpointer store) {
    var channel = store.latest(LINEAGE).orElseThrow().channels().getFirst();
    return ((SavedChannel.Content.Whole) channel.content()).value();
  }

  private static long rows(SqliteCheckpointer store) {
    return store.write(sql -> sql.insert("select count(*) from value"));
  }

  @Test
  void small_values_read_back_unchanged_and_need_no_rows() {
    try (var store = SqliteCheckpointer.open(folder.resolve("runs.db"))) {
      var lease = Commits.hold(store);
      for (int n = 0; n < SMALL.size(); n++) {
        var value = Json.unchecked(Objects.requireNonNull(SMALL.get(n)));
        assertThat(store.commit(lease, nth(n, whole("a", n + 1, value)))).isTrue();
        assertThat(value(store)).isEqualTo(value);
        assertThat(rows(store)).isZero();
      }
    }
  }

  @Test
  void a_value_may_grow_and_shrink() {
    try (var store = SqliteCheckpointer.open(folder.resolve("runs.db"))) {
      var lease = Commits.hold(store);
      store.commit(lease, nth(0, whole("a", 1, Json.parse("1"))));
      store.commit(lease, nth(1, whole("a", 2, Json.unchecked(LARGE))));
      assertThat(value(store).text()).isEqualTo(LARGE);
      assertThat(rows(store)).isEqualTo(1);
      // The next one repeats what did not change.
      store.commit(lease, nth(2, whole("b", 1, Json.parse("2"))));
      assertThat(value(store).text()).isEqualTo(LARGE);
      store.commit(lease, nth(3, whole("a", 3, Json.parse("3"))));
      assertThat(value(store).text()).isEqualTo("3");
      assertThat(rows(store)).isEqualTo(1);
      assertThat(store.byId(LINEAGE, Commits.id(1)).orElseThrow().channels()).hasSize(1);
    }
  }
}
