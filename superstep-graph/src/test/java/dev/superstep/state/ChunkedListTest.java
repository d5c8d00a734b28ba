package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A list in chunks, beside a plain list to which the same is done.
final class ChunkedListTest {
  private static final int ROUNDS = 2_000;

  /// A list, and what it was when it was made.
  private record Made(ChunkedList<Integer> list, List<Integer> content) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void a_list_is_what_was_made_of_it_whatever_others_were_made_of(long seed) {
    var random = new SplittableRandom(seed);
    var all = new ArrayList<>(List.of(new Made(ChunkedList.empty(), List.of())));
    for (int i = 0; i < ROUNDS; i++) {
      // Mostly the newest, and sometimes any.
      int which = random.nextInt(4) == 0 ? random.nextInt(all.size()) : all.size() - 1;
      all.add(changed(all.get(which), random, i));
    }
    for (var made : all) assertThat(made.list()).isEqualTo(made.content());
  }

  private static Made changed(Made from, SplittableRandom random, int round) {
    var content = new ArrayList<>(from.content());
    int size = content.size();
    switch (random.nextInt(6)) {
      case 0 -> {
        int length = size - random.nextInt(1 + size / 8);
        content.subList(length, size).clear();
        return new Made(from.list().first(length), content);
      }
      case 1, 2 -> {
        if (size == 0) return from;
        int at = random.nextInt(size);
        content.remove(at);
        return new Made(from.list().without(at), content);
      }
      case 3 -> {
        if (size == 0) return from;
        int one = random.nextInt(size);
        var others = new HashMap<Integer, Integer>();
        others.put(one, -round);
        others.put(size - 1, -round);
        content.set(one, -round);
        content.set(size - 1, -round);
        return new Made(from.list().replaced(others), content);
      }
      default -> {
        int most = random.nextInt(8) == 0 ? 400 : 40;
        var more = IntStream.range(0, random.nextInt(most)).boxed().toList();
        content.addAll(more);
        return new Made(from.list().plus(more), content);
      }
    }
  }

  @Test
  void a_list_ends_where_its_items_do() {
    var list = ChunkedList.of(IntStream.range(0, 300).boxed().toList());
    assertThatThrownBy(() -> list.get(300)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.first(299).get(299))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(list.first(256)).hasSize(256).endsWith(255);
  }
}
