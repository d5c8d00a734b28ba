package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("W23")
class AppendListTest {
  static AppendList<Integer> numbers(int count) {
    AppendList<Integer> list = AppendList.empty();
    for (int i = 0; i < count; i++) list = list.plus(List.of(i));
    return list;
  }

  @Test
  void a_longer_list_leaves_the_shorter_one_as_it_was() {
    var three = numbers(3);
    var five = three.plus(List.of(30, 40));
    assertThat(three).containsExactly(0, 1, 2);
    assertThat(five).containsExactly(0, 1, 2, 30, 40);
  }

  @Test
  void two_extensions_of_one_list_do_not_see_each_other() {
    var base = numbers(3);
    var left = base.plus(List.of(10));
    var right = base.plus(List.of(20));
    var leftMore = left.plus(List.of(11));
    var rightMore = right.plus(List.of(21));
    assertThat(leftMore).containsExactly(0, 1, 2, 10, 11);
    assertThat(rightMore).containsExactly(0, 1, 2, 20, 21);
    assertThat(base).containsExactly(0, 1, 2);
  }

  @Test
  void a_prefix_may_be_extended_without_changing_the_longer_list() {
    var five = numbers(5);
    var fork = five.first(2).plus(List.of(-1, -2, -3));
    assertThat(fork).containsExactly(0, 1, -1, -2, -3);
    assertThat(five).containsExactly(0, 1, 2, 3, 4);
    assertThat(five.plus(List.of(5))).containsExactly(0, 1, 2, 3, 4, 5);
  }

  @Test
  void adding_nothing_gives_the_same_list() {
    var list = numbers(3);
    assertThat(list.plus(List.of())).isSameAs(list);
  }

  @Test
  void null_is_refused() {
    var withNull = new ArrayList<Integer>();
    withNull.add(null);
    assertThatNullPointerException().isThrownBy(() -> numbers(1).plus(withNull));
  }

  @Test
  void left_and_right_extend_one_list_at_the_same_time() throws Exception {
    for (int round = 0; round < 200; round++) {
      var base = numbers(round % 17);
      var both = new CyclicBarrier(2);
      Function<Integer, Callable<AppendList<Integer>>> grow =
          first ->
              () -> {
                both.await();
                var list = base;
                for (int i = 0; i < 20; i++) list = list.plus(List.of(first + i));
                return list;
              };
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var left = threads.submit(grow.apply(1_000));
        var right = threads.submit(grow.apply(2_000));
        check(base, 1_000, left.get());
        check(base, 2_000, right.get());
      }
    }
  }

  private static void check(List<Integer> base, int first, List<Integer> grown) {
    var expected = new ArrayList<>(base);
    for (int i = 0; i < 20; i++) expected.add(first + i);
    assertThat(grown).isEqualTo(expected);
  }

  @Test
  void left_and_right_add_by_id_to_one_list_at_the_same_time() throws Exception {
    record Item(String id, int value) {}
    var reducer = new ById<Item>(Item::id, (item, _) -> item);
    for (int round = 0; round < 200; round++) {
      var base = reducer.fold(List.of(), List.of(new Item("a", 1), new Item("b", 2))).value();
      var both = new CyclicBarrier(2);
      Function<String, Callable<List<Item>>> grow =
          side ->
              () -> {
                both.await();
                var list = base;
                for (int i = 0; i < 10; i++) {
                  list = reducer.fold(list, List.of(new Item(side + i, i))).value();
                }
                return reducer.fold(list, List.of(new Item(side + 3, -1))).value();
              };
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var left = threads.submit(grow.apply("l"));
        var right = threads.submit(grow.apply("r"));
        assertThat(left.get()).hasSize(12).contains(new Item("l3", -1));
        assertThat(right.get()).hasSize(12).contains(new Item("r3", -1));
        assertThat(left.get()).noneMatch(item -> item.id().startsWith("r"));
        assertThat(base).hasSize(2);
      }
    }
  }

  @Test
  void a_random_family_of_lists_behaves_like_copies() {
    for (long seed = 0; seed < 200; seed++) {
      var random = new SplittableRandom(seed);
      var lists = new ArrayList<AppendList<Integer>>(List.of(AppendList.<Integer>empty()));
      var copies = new ArrayList<List<Integer>>(List.of(List.of()));
      for (int i = 0; i < 60; i++) {
        int from = random.nextInt(lists.size());
        int keep = random.nextInt(4) == 0 ? random.nextInt(lists.get(from).size() + 1) : -1;
        var list = keep < 0 ? lists.get(from) : lists.get(from).first(keep);
        var copy = new ArrayList<>(keep < 0 ? copies.get(from) : copies.get(from).subList(0, keep));
        var added = random.ints(random.nextInt(5)).boxed().toList();
        copy.addAll(added);
        lists.add(list.plus(added));
        copies.add(copy);
      }
      assertThat(lists).as("seed " + seed).isEqualTo(copies);
      int extensions = 0;
      for (var list : lists) {
        for (var earlier : lists) {
          if (!Channel.isExtension(list, earlier)) continue;
          extensions++;
          assertThat(list.subList(0, earlier.size())).as("seed " + seed).isEqualTo(earlier);
        }
      }
      // More than each list of itself.
      assertThat(extensions).isGreaterThan(lists.size());
    }
  }

  @Test
  void a_list_is_known_to_extend_those_that_it_grew_from_alone() {
    var one = AppendList.<Integer>empty().plus(List.of(1));
    var two = one.plus(List.of(2));
    var other = one.plus(List.of(2));
    assertThat(Channel.isExtension(two, one)).isTrue();
    assertThat(Channel.isExtension(one, two)).isFalse();
    assertThat(Channel.isExtension(two, other)).isFalse();
    assertThat(Channel.isExtension(two.replaced(Map.of(0, 9)), one)).isFalse();
    assertThat(Channel.isExtension(two.first(1).plus(List.of(3)), two)).isFalse();
    assertThat(Channel.isExtension(List.of(1, 2), List.of(1))).isFalse();
  }
}
