package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Channels whose items have keys, with the log that a store would hold of them.
final class KeyedListTest {
  private record Item(String id, int text) {}

  private static final Channel<List<Item>, Item> LIST = Channel.byId("list", Item.class, Item::id);
  private static final Channel<Map<String, Integer>, Map<String, Integer>> MAP =
      Channel.merge("map", Integer.class);
  private static final Channel<Set<Integer>, Integer> SET = Channel.union("set", Integer.class);

  /// A value, and what a store keeps of it.
  private static final class Stored<V, W> {
    private final Channel<V, W> channel;
    private final List<Json> log = new ArrayList<>();
    private V value;
    private int written;

    Stored(Channel<V, W> channel) {
      this.channel = channel;
      this.value = Objects.requireNonNull(channel.reducer().initial());
    }

    void write(List<W> writes) {
      apply(channel.reducer().fold(value, writes));
    }

    void remove(String key) {
      apply(channel.reducer().remove(value, key));
    }

    private void apply(Folded<V> folded) {
      value = Objects.requireNonNull(folded.value());
      if (!folded.changed()) return;
      log.subList(folded.kept(), log.size()).clear();
      var more = channel.items().orElseThrow().encode(value, folded.kept());
      log.addAll(more);
      written += more.size();
    }

    V readBack() {
      return channel.items().orElseThrow().decode(log);
    }

    /// A program that opens the thread anew.
    void reopen() {
      value = readBack();
    }
  }

  @Test
  void a_list_is_known_to_extend_each_list_that_it_grew_from() {
    var lists = new ArrayList<List<Item>>();
    lists.add(Objects.requireNonNull(LIST.reducer().initial()));
    for (int i = 0; i < 400; i++) {
      lists.add(LIST.reducer().fold(lists.getLast(), List.of(new Item("i" + i, i))).value());
    }
    for (var earlier : lists) {
      assertThat(Channel.isExtension(lists.getLast(), earlier)).isTrue();
      assertThat(Channel.isExtension(earlier, lists.getLast()))
          .isEqualTo(earlier.size() == lists.size() - 1);
    }
  }

  @Test
  void whatever_happened_to_a_list_it_extends_only_lists_that_it_begins_with() {
    int extensions = 0;
    for (long seed = 0; seed < 40; seed++) {
      var random = new SplittableRandom(seed);
      var lists = new ArrayList<List<Item>>();
      lists.add(Objects.requireNonNull(LIST.reducer().initial()));
      for (int i = 0; i < 60; i++) {
        var from = lists.get(random.nextInt(lists.size()));
        int some = random.nextInt(4) == 0 ? 150 : 1 + random.nextInt(3);
        var writes = new ArrayList<Item>();
        for (int n = 0; n < some; n++) writes.add(new Item("i" + random.nextInt(600), n));
        var next =
            random.nextInt(5) == 0
                ? LIST.reducer().remove(from, "i" + random.nextInt(600))
                : LIST.reducer().fold(from, writes);
        lists.add(Objects.requireNonNull(next.value()));
      }
      for (var list : lists) {
        for (var earlier : lists) {
          if (!Channel.isExtension(list, earlier)) continue;
          if (list.size() > earlier.size()) extensions++;
          assertThat(list.subList(0, earlier.size())).as("seed " + seed).isEqualTo(earlier);
        }
      }
    }
    assertThat(extensions).isGreaterThan(100);
  }

  @Test
  void an_early_item_is_replaced_by_one_change_at_the_end() {
    var list = new Stored<>(LIST);
    for (int i = 0; i < 1_000; i++) list.write(List.of(new Item("i" + i, i)));
    list.written = 0;
    list.write(List.of(new Item("i0", -1)));
    assertThat(list.written).isEqualTo(1);
    assertThat(list.log.getLast().text()).isEqualTo("[\"at\",0,{\"id\":\"i0\",\"text\":-1}]");
    list.remove("i1");
    assertThat(list.written).isEqualTo(2);
    assertThat(list.log.getLast().text()).isEqualTo("[\"at\",1]");
    assertThat(list.readBack()).isEqualTo(list.value).hasSize(999);
    assertThat(list.readBack().getFirst()).isEqualTo(new Item("i0", -1));
  }

  @Test
  void the_log_of_a_rewritten_entry_stays_a_small_multiple_of_the_value() {
    var map = new Stored<>(MAP);
    for (int i = 0; i < 100; i++) map.write(List.of(Map.of("cold" + i, i)));
    for (int i = 0; i < 10_000; i++) map.write(List.of(Map.of("hot" + i % 3, i)));
    assertThat(map.log).hasSizeLessThan(4 * 103);
    // Each change once, and about as much again when ends of the log are written anew.
    assertThat(map.written).isLessThan(2 * 10_100);
    assertThat(map.readBack()).isEqualTo(map.value).hasSize(103);
  }

  @Test
  void rarely_changed_entries_are_not_rewritten_with_frequently_changed_ones() {
    var map = new Stored<>(MAP);
    map.write(List.of(Map.of("hot", 0)));
    for (int i = 0; i < 200; i++) map.write(List.of(Map.of("cold" + i, i)));
    map.written = 0;
    for (int i = 1; i < 5_000; i++) map.write(List.of(Map.of("hot", i)));
    assertThat(map.log.subList(1, 201)).allMatch(json -> json.text().contains("cold"));
    assertThat(map.log).hasSizeLessThan(201 + 64);
    assertThat(map.written).isLessThan(2 * 5_000);
  }

  @Test
  void many_entries_that_come_and_go_leave_a_short_log() {
    var map = new Stored<>(MAP);
    for (int i = 0; i < 5_000; i++) {
      map.write(List.of(Map.of("k" + i, i)));
      if (i >= 3) map.remove("k" + (i - 3));
    }
    assertThat(map.value).hasSize(3);
    assertThat(map.log).hasSizeLessThan(64);
    assertThat(List.copyOf(map.readBack().keySet())).isEqualTo(List.of("k4997", "k4998", "k4999"));
  }

  @Test
  void an_overwritten_list_may_hold_an_id_twice() {
    var twice = List.of(new Item("a", 1), new Item("b", 2), new Item("a", 3));
    var adopted = LIST.reducer().adopt(twice);
    var form = LIST.items().orElseThrow();
    assertThat(form.decode(form.encode(adopted, 0))).isEqualTo(twice);
    var folded = LIST.reducer().fold(adopted, List.of(new Item("a", 4)));
    assertThat(folded.value()).containsExactly(twice.get(0), twice.get(1), new Item("a", 4));
    assertThat(form.decode(form.encode(folded.value(), 0))).isEqualTo(folded.value());
  }

  @Test
  void items_that_look_like_changes_stay_items() {
    var list = new Stored<>(Channel.byId("json", Json.class, Json::text));
    var odd = List.of(Json.parse("[\"at\",0]"), Json.parse("[\"at\",7,1]"), Json.of(1));
    for (var item : odd) list.write(List.of(item));
    assertThat(list.readBack()).isEqualTo(odd);
    assertThat(Items.settled(list.log)).isEqualTo(odd);
  }

  @Test
  void a_value_stored_as_a_whole_is_stored_again_when_it_changes() {
    var form = MAP.items().orElseThrow();
    var read = form.unstored(MAP.reducer().adopt(Map.of("a", 1)));
    assertThat(MAP.reducer().fold(read, List.of(Map.of("a", 1))).changed()).isFalse();
    var folded = MAP.reducer().fold(read, List.of(Map.of("b", 2)));
    assertThat(folded.kept()).isZero();
    assertThat(form.encode(Objects.requireNonNull(folded.value()), 0)).hasSize(2);
    assertThat(MAP.reducer().fold(folded.value(), List.of(Map.of("c", 3))).kept()).isEqualTo(2);
  }

  @Test
  void a_map_knows_its_own_keys_whatever_is_made_of_it_later() {
    var random = new SplittableRandom(7);
    var maps = new ArrayList<Map<String, Integer>>();
    var contents = new ArrayList<Map<String, Integer>>();
    maps.add(MAP.reducer().adopt(Map.of()));
    contents.add(Map.of());
    for (int i = 0; i < 3_000; i++) {
      int which = random.nextInt(8) == 0 ? random.nextInt(maps.size()) : maps.size() - 1;
      var content = new LinkedHashMap<>(contents.get(which));
      var key = "k" + random.nextInt(1 + i / 20);
      boolean isRemoved = random.nextInt(3) == 0;
      if (isRemoved) content.remove(key);
      else content.put(key, i);
      var map = maps.get(which);
      var folded =
          isRemoved
              ? MAP.reducer().remove(map, key)
              : MAP.reducer().fold(map, List.of(Map.of(key, i)));
      maps.add(Objects.requireNonNull(folded.value()));
      contents.add(content);
    }
    for (int i = 0; i < maps.size(); i++) {
      assertThat(List.copyOf(maps.get(i).entrySet()))
          .isEqualTo(List.copyOf(contents.get(i).entrySet()));
      for (int k = 0; k < 150; k++) {
        assertThat(maps.get(i).get("k" + k)).isEqualTo(contents.get(i).get("k" + k));
      }
    }
  }

  @Test
  void two_maps_that_grow_from_one_know_nothing_of_each_other() {
    var one = MAP.reducer().fold(null, List.of(Map.of("a", 1))).value();
    var left = MAP.reducer().fold(one, List.of(Map.of("l", 1, "both", 1))).value();
    var right = MAP.reducer().fold(one, List.of(Map.of("both", 2))).value();
    assertThat(MAP.reducer().fold(left, List.of(Map.of("both", 3))).value())
        .isEqualTo(Map.of("a", 1, "l", 1, "both", 3));
    assertThat(MAP.reducer().fold(right, List.of(Map.of("l", 4))).value())
        .isEqualTo(Map.of("a", 1, "l", 4, "both", 2));
    assertThat(one).isEqualTo(Map.of("a", 1));
  }

  @Test
  void a_log_with_a_change_of_nothing_is_refused() {
    var log = List.of(Json.parse("{\"a\":1}"), Json.parse("[\"at\",5]"));
    assertThatThrownBy(() -> MAP.items().orElseThrow().decode(log))
        .hasMessage("change 1 of its log is of item 5, which is not there");
  }

  @Test
  void whatever_is_written_and_removed_the_log_reads_as_the_value() {
    for (int seed = 0; seed < 60; seed++) sameAsPlainCollections(new SplittableRandom(seed));
  }

  private static void sameAsPlainCollections(SplittableRandom random) {
    var list = new Stored<>(LIST);
    var map = new Stored<>(MAP);
    var set = new Stored<>(SET);
    var plainList = new LinkedHashMap<String, Item>();
    var plainMap = new LinkedHashMap<String, Integer>();
    var plainSet = new LinkedHashSet<Integer>();
    int keys = 1 + random.nextInt(40);
    for (int step = 0; step < 300; step++) {
      var key = "k" + random.nextInt(keys);
      int number = random.nextInt(keys);
      if (random.nextInt(4) == 0) {
        list.remove(key);
        map.remove(key);
        plainList.remove(key);
        plainMap.remove(key);
      } else {
        var items = List.of(new Item(key, number), new Item("x" + number, step % 3));
        list.write(items);
        items.forEach(item -> plainList.put(item.id(), item));
        map.write(List.of(Map.of(key, number)));
        plainMap.put(key, number);
        set.write(List.of(number, number));
        plainSet.add(number);
      }
      if (random.nextInt(50) == 0) {
        list.reopen();
        map.reopen();
        set.reopen();
      }
      same(list.value, list.readBack(), plainList.values());
      same(map.value.entrySet(), map.readBack().entrySet(), plainMap.entrySet());
      same(set.value, set.readBack(), plainSet);
    }
    assertThat(map.log).hasSizeLessThan(4 * keys + 64);
    assertThat(list.log).hasSizeLessThan(8 * keys + 64);
  }

  private static void same(Collection<?> value, Collection<?> read, Collection<?> plain) {
    assertThat(new ArrayList<Object>(value)).isEqualTo(new ArrayList<Object>(plain));
    assertThat(new ArrayList<Object>(read)).isEqualTo(new ArrayList<Object>(plain));
  }
}
