package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.UnsupportedType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T69")
class ReducerTest {
  @SafeVarargs
  static <V, W> Folded<V> fold(Channel<V, W> channel, @Nullable V current, W... writes) {
    return channel.reducer().fold(current, List.of(writes));
  }

  @Test
  void latest_keeps_the_last_and_an_equal_value_is_no_change() {
    var latest = Channel.latest("x", String.class);
    assertThat(latest.reducer().initial()).isNull();
    assertThat(fold(latest, "a", "b")).isEqualTo(new Folded<>("b", true, 0));
    assertThat(fold(latest, "b", new String("b")).changed()).isFalse();
    assertThat(latest.reducer().isAggregate()).isFalse();
  }

  @Test
  @Tag("T76")
  void any_takes_several_writes_and_keeps_the_last() {
    var any = Channel.any("x", String.class);
    assertThat(fold(any, null, "a", "b")).isEqualTo(new Folded<>("b", true, 0));
    assertThat(fold(any, "b", "a", "b").changed()).isFalse();
    assertThat(any.reducer().isAggregate()).isTrue();
    assertThat(any.reducer().isLasting()).isTrue();
  }

  @Test
  @Tag("T76")
  void topic_has_the_latest_writes_and_equal_ones_are_no_change() {
    var topic = Channel.topic("x", String.class);
    var two = fold(topic, topic.reducer().initial(), "a", "b");
    assertThat(two).isEqualTo(new Folded<>(List.of("a", "b"), true, 0));
    assertThat(fold(topic, two.value(), "a", "b").changed()).isFalse();
    assertThat(fold(topic, two.value(), "b")).isEqualTo(new Folded<>(List.of("b"), true, 0));
    assertThat(topic.reducer().isLasting()).isFalse();
  }

  record Votes(int yes, int no) {}

  @Test
  @Tag("G9")
  void folding_takes_writes_of_another_type_in_order() {
    var votes =
        Channel.folding(
            "votes",
            Votes.class,
            Boolean.class,
            new Votes(0, 0),
            (v, yes) -> yes ? new Votes(v.yes() + 1, v.no()) : new Votes(v.yes(), v.no() + 1));
    assertThat(votes.reducer().initial()).isEqualTo(new Votes(0, 0));
    assertThat(fold(votes, new Votes(0, 0), true, false, true))
        .isEqualTo(new Folded<>(new Votes(2, 1), true, 0));
    var same = Channel.folding("x", Votes.class, String.class, new Votes(1, 1), (v, _) -> v);
    assertThat(fold(same, new Votes(1, 1), "x").changed()).isFalse();
    assertThat(votes).hasToString("votes: folding Votes");
  }

  @Test
  void append_adds_in_order_and_keeps_all_before() {
    var append = Channel.append("x", String.class);
    var one = fold(append, append.reducer().initial(), "a", "b");
    var two = fold(append, one.value(), "a");
    assertThat(two.value()).containsExactly("a", "b", "a");
    assertThat(two.kept()).isEqualTo(2);
  }

  @Test
  void merge_puts_keys_and_an_equal_entry_is_no_change() {
    var merge = Channel.merge("x", Integer.class);
    var two = fold(merge, Map.of("a", 1), Map.of("b", 2), Map.of("a", 3));
    assertThat(two.value()).containsExactly(Map.entry("a", 3), Map.entry("b", 2));
    assertThat(fold(merge, two.value(), Map.of("a", 3)).changed()).isFalse();
    assertThat(fold(merge, two.value(), Map.of()).changed()).isFalse();
    assertThat(merge.reducer().remove(two.value(), "a").value()).isEqualTo(Map.of("b", 2));
    assertThat(merge.reducer().remove(two.value(), "z").changed()).isFalse();
  }

  @Test
  void union_adds_each_element_once_and_keeps_the_order_of_arrival() {
    var union = Channel.union("x", String.class);
    var set = fold(union, Set.of(), "pear", "apple", "pear", "fig");
    assertThat(set.value()).containsExactly("pear", "apple", "fig");
    assertThat(fold(union, set.value(), "fig").changed()).isFalse();
  }

  @Test
  void sum_starts_at_zero_and_adds() {
    var sum = Channel.sum("x");
    assertThat(fold(sum, sum.reducer().initial(), 2L, 3L, -1L))
        .isEqualTo(new Folded<>(4L, true, 0));
    assertThat(fold(sum, 4L, 0L).changed()).isFalse();
  }

  @Test
  void sum_does_not_overflow_silently() {
    assertThatThrownBy(() -> fold(Channel.sum("x"), Long.MAX_VALUE, 1L))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void min_and_max_keep_the_extreme() {
    var min = Channel.min("x", Integer.class);
    var max = Channel.max("x", Integer.class);
    assertThat(min.reducer().initial()).isNull();
    assertThat(fold(min, null, 3, 1, 2)).isEqualTo(new Folded<>(1, true, 0));
    assertThat(fold(max, null, 3, 1, 4, 2)).isEqualTo(new Folded<>(4, true, 0));
    assertThat(fold(max, 9, 3).changed()).isFalse();
  }

  @Test
  void reduce_combines_in_task_order() {
    var path = Channel.reduce("x", String.class, "", (a, b) -> a + "/" + b);
    assertThat(fold(path, path.reducer().initial(), "a", "b", "c").value()).isEqualTo("/a/b/c");
  }

  @Test
  void values_given_whole_are_copied() {
    var map = new LinkedHashMap<String, Integer>(Map.of("a", 1));
    var adopted = Channel.merge("x", Integer.class).reducer().adopt(map);
    map.put("b", 2);
    assertThat(adopted).isEqualTo(Map.of("a", 1));
    assertThatThrownBy(() -> adopted.put("c", 3)).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void readers_cannot_change_values() {
    var list = fold(Channel.append("x", String.class), null, "a").value();
    var set = fold(Channel.union("x", String.class), null, "a").value();
    var map = fold(Channel.merge("x", String.class), null, Map.of("a", "b")).value();
    assertThatThrownBy(() -> list.add("b")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> list.set(0, "b")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> set.add("b")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.put("b", "c")).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void a_channel_of_an_open_type_is_refused_when_it_is_declared() {
    assertThatThrownBy(() -> Channel.append("x", Object.class)).isInstanceOf(UnsupportedType.class);
  }

  @Test
  void a_bad_name_is_refused() {
    assertThat(Channel.sum("_total").name()).isEqualTo("_total");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Channel.sum("1st"))
        .withMessageContaining("`1st`")
        .withMessageContaining("must start with a letter");
  }
}
