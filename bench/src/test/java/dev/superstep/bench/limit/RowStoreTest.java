package dev.superstep.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The second limit is one only if it keeps what it promises.
final class RowStoreTest {
  @ParameterizedTest
  @ValueSource(strings = {"memory", "sqlite"})
  void a_thread_that_is_held_cannot_be_taken(String kind) throws Exception {
    try (var rows = RowStore.guarded(kind)) {
      var held = rows.begin("t", "draft", () -> "0");
      assertThatIllegalStateException().isThrownBy(() -> rows.begin("t", "draft", () -> "0"));
      rows.ask(held, "more?");
      rows.answer("t", "yes");
      assertThatIllegalStateException().isThrownBy(() -> rows.answer("t", "no"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "sqlite"})
  void a_former_holder_cannot_write(String kind) throws Exception {
    try (var rows = RowStore.guarded(kind)) {
      var former = rows.begin("t", "draft", () -> "0");
      rows.ask(former, "more?");
      var held = rows.answer("t", "yes");
      assertThatIllegalStateException().isThrownBy(() -> rows.add(former, "ask", "1"));
      assertThatIllegalStateException().isThrownBy(() -> rows.ask(former, "more?"));
      assertThat(rows.last("t").body()).isEqualTo("0");
      rows.end(held, "", "1");
      assertThat(rows.last("t").body()).isEqualTo("1");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "sqlite"})
  void a_row_is_added_on_top_of_the_newest_one_only(String kind) throws Exception {
    try (var rows = RowStore.guarded(kind)) {
      var before = rows.begin("t", "draft", () -> "0");
      rows.add(before, "ask", "1");
      assertThatIllegalStateException().isThrownBy(() -> rows.add(before, "ask", "other"));
      assertThat(rows.page("t", 9, 10)).extracting(Rows.Row::body).containsExactly("1", "0");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory", "sqlite"})
  void a_thread_that_was_given_back_with_its_last_row_takes_no_more(String kind) throws Exception {
    try (var rows = RowStore.guarded(kind)) {
      var held = rows.begin("t", "draft", () -> "0");
      rows.end(held, "", "1");
      var late = held.at(1, "1");
      assertThatIllegalStateException().isThrownBy(() -> rows.add(late, "", "2"));
      assertThat(rows.last("t").body()).isEqualTo("1");
    }
  }
}
