package dev.superstep.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.graph.internal.kernel.PersistentMap;
import dev.superstep.graph.internal.kernel.PersistentSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class PersistentMapTest {
  /// Makes of a map what it is told, and counts it.
  private static final class Copy implements PersistentMap.Changes<String, Integer> {
    private final Map<String, Integer> map;
    private int told;

    Copy(Map<String, Integer> before) {
      map = new HashMap<>(before);
    }

    @Override
    public void put(String key, @Nullable Integer before, Integer after) {
      assertThat(map.put(key, after)).isEqualTo(before);
      told++;
    }

    @Override
    public void removed(String key, Integer before) {
      assertThat(map.remove(key)).isEqualTo(before);
      told++;
    }
  }

  @Test
  void a_persistent_map_behaves_like_a_map_and_does_not_change_older_ones() {
    var random = new Random(7);
    var model = new HashMap<String, Integer>();
    Map<String, Integer> map = Map.of();
    for (int i = 0; i < 4_000; i++) {
      var before = map;
      var known = i % 50 == 0 ? new HashMap<>(model) : null;
      for (int j = random.nextInt(4); j >= 0; j--) {
        var key = "k" + random.nextInt(300);
        if (random.nextInt(3) == 0) {
          model.remove(key);
          map = PersistentMap.without(map, key);
        } else {
          model.put(key, i);
          map = PersistentMap.with(map, key, i);
        }
      }
      assertThat(map.size()).isEqualTo(model.size());
      if (known == null) continue;
      assertThat(map).isEqualTo(model);
      assertThat(before).isEqualTo(known);
      assertThat(map.get("none")).isNull();
      var copy = new Copy(before);
      PersistentMap.changes(before, map, copy);
      assertThat(copy.map).isEqualTo(model);
    }
  }

  @Test
  void the_difference_of_two_large_maps_is_the_changed_entries() {
    Map<String, Integer> map = Map.of();
    for (int i = 0; i < 100_000; i++) map = PersistentMap.with(map, "key " + i, i);
    var changed = PersistentMap.with(PersistentMap.with(map, "key 77", -1), "new", -2);
    changed = PersistentMap.without(changed, "key 99");
    var copy = new Copy(Map.of("key 77", 77, "key 99", 99));
    PersistentMap.changes(map, changed, copy);
    assertThat(copy.told).isEqualTo(3);
    assertThat(copy.map).isEqualTo(Map.of("key 77", -1, "new", -2));
  }

  @Test
  void a_set_reports_its_additions_and_whether_nothing_was_removed() {
    Set<String> few = new LinkedHashSet<>(Set.of("a"));
    Set<String> all = few;
    var model = new HashSet<>(few);
    for (int i = 0; i < 200; i++) {
      var before = all;
      all = PersistentSet.with(all, new HashSet<>(List.of("n" + i, "n" + i / 2)));
      model.add("n" + i);
      var added = new HashSet<String>();
      assertThat(PersistentSet.additions(before, all, added::add)).isTrue();
      assertThat(added).containsExactly("n" + i);
      assertThat(all).isEqualTo(model);
    }
    assertThat(PersistentSet.additions(all, few, _ -> {})).isFalse();
    assertThat(few).containsExactly("a");
  }
}
