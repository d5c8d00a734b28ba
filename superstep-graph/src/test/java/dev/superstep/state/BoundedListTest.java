package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("G8")
@Tag("G9")
class BoundedListTest {
  record Item(String id, long weight) {}

  static final Channel<List<Item>, Item> PLAIN = Channel.append("x", Item.class);
  static final Channel<List<Item>, Item> BY_ID = Channel.byId("x", Item.class, Item::id);

  /// A channel's value, and beside it the items as a store would hold them.
  static final class Line {
    private final Channel<List<Item>, Item> channel;
    private final List<Json> stored = new ArrayList<>();
    private List<Item> value;
    private long written;

    Line(Channel<List<Item>, Item> channel) {
      this.channel = channel;
      this.value = channel.reducer().adopt(List.of());
    }

    List<Item> add(Item... writes) {
      return become(channel.reducer().fold(value, List.of(writes)));
    }

    List<Item> remove(String id) {
      return become(channel.reducer().remove(value, id));
    }

    void restart() {
      value = channel.items().orElseThrow().decode(stored);
    }

    private List<Item> become(Folded<List<Item>> folded) {
      value = java.util.Objects.requireNonNull(folded.value());
      if (!folded.changed()) return value;
      stored.subList(folded.kept(), stored.size()).clear();
      var added = channel.items().orElseThrow().encode(value, folded.kept());
      stored.addAll(added);
      for (var json : added) written += json.text().length();
      return value;
    }
  }

  static Item item(int id, long weight) {
    return new Item("i" + id, weight);
  }

  @Test
  void only_the_newest_items_stay() {
    var line = new Line(PLAIN.keepLast(2));
    assertThat(line.add(item(1, 1))).containsExactly(item(1, 1));
    assertThat(line.add(item(2, 1), item(3, 1), item(4, 1)))
        .containsExactly(item(3, 1), item(4, 1));
    assertThat(line.channel.reducer().adopt(List.of(item(1, 1), item(2, 1), item(3, 1))))
        .containsExactly(item(2, 1), item(3, 1));
  }

  @Test
  void the_newest_items_within_a_budget_stay_and_the_newest_always() {
    var line = new Line(PLAIN.keepWithin(10, Item::weight));
    assertThat(line.add(item(1, 4), item(2, 6))).hasSize(2);
    assertThat(line.add(item(3, 1))).containsExactly(item(2, 6), item(3, 1));
    assertThat(line.add(item(4, 99))).containsExactly(item(4, 99));
    assertThat(line.add(item(5, 0))).containsExactly(item(5, 0));
  }

  @Test
  void an_item_that_was_dropped_never_comes_back() {
    var line = new Line(BY_ID.keepWithin(10, Item::weight));
    line.add(item(1, 4), item(2, 4));
    assertThat(line.add(item(3, 4))).containsExactly(item(2, 4), item(3, 4));
    assertThat(line.remove("i1")).containsExactly(item(2, 4), item(3, 4));
    assertThat(line.add(item(3, 1))).containsExactly(item(2, 4), item(3, 1));
    line.restart();
    assertThat(line.remove("i2")).containsExactly(item(3, 1));
    line.add(item(4, 6), item(5, 6));
    assertThat(line.add(item(4, 2))).as("as a new item").containsExactly(item(5, 6), item(4, 2));
  }

  @Test
  void any_history_with_any_restarts_equals_a_plain_model() {
    for (int seed = 1; seed <= 100; seed++) {
      var random = new SplittableRandom(seed);
      boolean byId = seed % 2 == 0;
      long budget = random.nextLong(1, 40);
      var channel = (byId ? BY_ID : PLAIN).keepWithin(budget, Item::weight);
      var line = new Line(channel);
      var model = new ArrayList<Item>();
      for (int i = 0; i < 120; i++) {
        if (byId && random.nextInt(6) == 0) {
          var id = "i" + random.nextInt(30);
          model.removeIf(item -> item.id().equals(id));
          line.remove(id);
        } else {
          var writes = new ArrayList<Item>();
          for (int n = random.nextInt(1, 5); n > 0; n--) {
            writes.add(item(random.nextInt(30), random.nextLong(8)));
          }
          line.add(writes.toArray(Item[]::new));
          modelAdd(model, writes, byId);
        }
        while (model.size() > 1 && sum(model) > budget) model.removeFirst();
        assertThat(line.value).as("seed %d, change %d", seed, i).isEqualTo(model);
        if (random.nextInt(5) == 0) line.restart();
        assertThat(line.value).as("seed %d, restart %d", seed, i).isEqualTo(model);
      }
    }
  }

  private static void modelAdd(List<Item> model, List<Item> writes, boolean byId) {
    if (!byId) {
      model.addAll(writes);
      return;
    }
    var map = new LinkedHashMap<String, Item>();
    for (var item : model) map.put(item.id(), item);
    for (var item : writes) map.put(item.id(), item);
    model.clear();
    model.addAll(map.values());
  }

  private static long sum(List<Item> items) {
    return items.stream().mapToLong(Item::weight).sum();
  }

  @Test
  void ten_thousand_appends_write_each_item_at_most_twice_and_weigh_it_as_often() {
    var weighed = new AtomicLong();
    var line =
        new Line(
            PLAIN.keepWithin(
                1_000,
                item -> {
                  weighed.incrementAndGet();
                  return item.weight();
                }));
    long given = 0;
    for (int i = 0; i < 10_000; i++) {
      var item = item(i, 1);
      given += Json.of(item).text().length();
      line.add(item);
      assertThat(line.stored).hasSizeLessThanOrEqualTo(2_001);
    }
    assertThat(line.value).hasSize(1_000);
    assertThat(line.written).isGreaterThan(given).isLessThanOrEqualTo(2 * given);
    assertThat(weighed.get()).isLessThanOrEqualTo(20_000);
  }

  @Test
  void only_lists_that_are_stored_item_by_item_can_be_bounded() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Channel.latest("x", String.class).keepLast(1))
        .withMessageContaining("`x` is latest");
    assertThatIllegalArgumentException().isThrownBy(() -> PLAIN.keepLast(0));
    assertThatIllegalArgumentException().isThrownBy(() -> PLAIN.keepWithin(0, Item::weight));
    assertThat(BY_ID.keepLast(3)).hasToString("x: by-id-bounded list<Item>");
  }

  @Test
  void a_negative_weight_is_refused() {
    var line = new Line(PLAIN.keepWithin(5, _ -> -1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> line.add(item(1, 1)))
        .withMessageContaining("negative");
  }
}
