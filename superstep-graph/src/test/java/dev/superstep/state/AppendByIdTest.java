package dev.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T69")
class AppendByIdTest {
  record Item(String id, String text) {}

  static final Channel<List<Item>, Item> ITEMS =
      Channel.byId("items", Item.class, Item::id, (item, id) -> new Item(id, item.text()));

  static Folded<List<Item>> fold(List<Item> current, Item... writes) {
    return ITEMS.reducer().fold(current, List.of(writes));
  }

  static Item item(String id, String text) {
    return new Item(id, text);
  }

  @Test
  void a_new_id_is_appended_to_the_existing_items() {
    var one = fold(List.of(), item("a", "1"));
    var two = fold(one.value(), item("b", "2"));
    assertThat(two.value()).containsExactly(item("a", "1"), item("b", "2"));
    assertThat(two.changed()).isTrue();
    assertThat(two.kept()).isEqualTo(1);
  }

  @Test
  void a_known_id_is_replaced_in_place_without_rewriting_the_list() {
    var three = fold(List.of(), item("a", "1"), item("b", "2"), item("c", "3"));
    var folded = fold(three.value(), item("b", "new"), item("d", "4"));
    assertThat(folded.value())
        .containsExactly(item("a", "1"), item("b", "new"), item("c", "3"), item("d", "4"));
    assertThat(folded.kept()).isEqualTo(3);
    assertThat(three.value()).contains(item("b", "2"));
  }

  @Test
  void the_same_item_again_is_no_change() {
    var one = fold(List.of(), item("a", "1"));
    assertThat(fold(one.value(), item("a", "1")).changed()).isFalse();
  }

  @Test
  void the_later_of_two_writes_with_one_id_in_a_superstep_wins() {
    assertThat(fold(List.of(), item("a", "1"), item("b", "x"), item("a", "2")).value())
        .containsExactly(item("a", "2"), item("b", "x"));
    var known = fold(List.of(), item("a", "0")).value();
    assertThat(fold(known, item("a", "1"), item("a", "2")).value()).containsExactly(item("a", "2"));
  }

  @Test
  void removing_takes_out_one_entry_and_says_so() {
    var three = fold(List.of(), item("a", "1"), item("b", "2"), item("c", "3")).value();
    var without = ITEMS.reducer().remove(three, "b");
    assertThat(without.value()).containsExactly(item("a", "1"), item("c", "3"));
    assertThat(without.changed()).isTrue();
    assertThat(without.kept()).isEqualTo(3);
    assertThat(ITEMS.reducer().remove(three, "z").changed()).isFalse();
    var last = ITEMS.reducer().remove(three, "c");
    assertThat(last.value()).containsExactly(item("a", "1"), item("b", "2"));
    assertThat(fold(last.value(), item("d", "4")).value()).hasSize(3);
    assertThat(three).hasSize(3);
  }

  @Test
  void an_item_without_an_id_is_given_one() {
    assertThat(ITEMS.reducer().complete(item("", "1"), () -> "fresh"))
        .isEqualTo(item("fresh", "1"));
    assertThat(ITEMS.reducer().complete(item("own", "1"), () -> "fresh"))
        .isEqualTo(item("own", "1"));
  }

  @Test
  void any_sequence_of_adds_replacements_removals_and_forks_behaves_like_a_map() {
    for (long seed = 0; seed < 300; seed++) {
      var random = new SplittableRandom(seed);
      var lists = new ArrayList<List<Item>>(List.of(List.of()));
      var models = new ArrayList<LinkedHashMap<String, Item>>(List.of(new LinkedHashMap<>()));
      for (int i = 0; i < 40; i++) {
        int from = random.nextInt(4) == 0 ? random.nextInt(lists.size()) : lists.size() - 1;
        var model = new LinkedHashMap<>(models.get(from));
        var before = lists.get(from);
        Folded<List<Item>> after;
        if (random.nextInt(4) == 0) {
          var key = "k" + random.nextInt(8);
          after = ITEMS.reducer().remove(before, key);
          model.remove(key);
        } else {
          var writes = new ArrayList<Item>();
          for (int w = random.nextInt(1, 4); w > 0; w--) {
            writes.add(item("k" + random.nextInt(8), "v" + random.nextInt(3)));
          }
          after = ITEMS.reducer().fold(before, writes);
          writes.forEach(write -> model.put(write.id(), write));
        }
        var where = "seed " + seed + " step " + i;
        assertThat(after.value()).as(where).containsExactlyElementsOf(model.values());
        assertThat(after.changed()).as(where).isEqualTo(!after.value().equals(before));
        var form = ITEMS.items().orElseThrow();
        var stored =
            new ArrayList<>(form.encode(ITEMS.reducer().fold(before, List.of()).value(), 0));
        if (after.changed()) {
          stored.subList(after.kept(), stored.size()).clear();
          stored.addAll(form.encode(after.value(), after.kept()));
        }
        assertThat(form.decode(stored)).as(where).isEqualTo(after.value());
        lists.add(after.value());
        models.add(model);
      }
    }
  }
}
