package dev.superstep.testkit;

import static dev.superstep.testkit.History.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.NodeCache;
import dev.superstep.checkpoint.TaskRecord.End;
import dev.superstep.checkpoint.TaskRecord.SavedSend;
import dev.superstep.checkpoint.TaskRecord.SavedWrite;
import dev.superstep.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The tests that every [NodeCache] with room for a few hundred results must pass. A test class
/// implements this interface, as with [CheckpointerSuite].
public interface NodeCacheSuite {
  /// An empty cache. Called once for each test.
  NodeCache fresh();

  @Test
  default void a_missing_key_is_empty() {
    assertThat(fresh().get(key("a"))).isEmpty();
  }

  @Test
  default void an_entry_reads_back_unchanged() {
    var cache = fresh();
    var writes =
        List.<SavedWrite>of(
            new SavedWrite.Put("a", json("{\"x\":[1,null]}")),
            new SavedWrite.Put("a", Json.string("漢字 \u0000 😀")),
            new SavedWrite.Overwrite("b", Json.ofNull()),
            new SavedWrite.Remove("c", "key"));
    var sends = List.of(new SavedSend("judge", json("7")), new SavedSend("judge", json("7")));
    var until = Instant.parse("2026-03-01T10:15:30.123456789Z");
    var entries =
        List.of(
            new NodeCache.Entry(
                new End.Finished(writes, Optional.empty(), sends), Optional.of(until)),
            new NodeCache.Entry(
                new End.Finished(List.of(), Optional.of(List.of("x", "__end__")), List.of()),
                Optional.empty()),
            new NodeCache.Entry(
                new End.Finished(List.of(), Optional.of(List.of()), List.of()),
                Optional.of(Instant.EPOCH)));
    for (int i = 0; i < entries.size(); i++) cache.put(key("k" + i), entries.get(i));
    for (int i = 0; i < entries.size(); i++) {
      assertThat(cache.get(key("k" + i))).contains(entries.get(i));
    }
  }

  @Test
  default void a_later_entry_replaces_an_earlier_one() {
    var cache = fresh();
    cache.put(key("a"), entry(1));
    cache.put(key("a"), entry(2));
    assertThat(cache.get(key("a"))).contains(entry(2));
  }

  @Test
  default void every_part_of_a_key_counts() {
    var cache = fresh();
    var keys =
        List.of(
            new NodeCache.Key("g", "n", "v", "i"),
            new NodeCache.Key("h", "n", "v", "i"),
            new NodeCache.Key("g", "m", "v", "i"),
            new NodeCache.Key("g", "n", "w", "i"),
            new NodeCache.Key("g", "n", "v", "j"),
            new NodeCache.Key("g", "n", "", "vi"),
            new NodeCache.Key("gn", "", "v", "i"));
    for (int i = 0; i < keys.size(); i++) cache.put(keys.get(i), entry(i));
    for (int i = 0; i < keys.size(); i++) assertThat(cache.get(keys.get(i))).contains(entry(i));
  }

  @Test
  default void clearing_a_node_forgets_all_its_results_and_no_others() {
    var cache = fresh();
    var gone = List.of(new NodeCache.Key("g", "n", "", "i"), new NodeCache.Key("g", "n", "2", "j"));
    var kept = List.of(new NodeCache.Key("g", "m", "", "i"), new NodeCache.Key("h", "n", "", "i"));
    gone.forEach(key -> cache.put(key, entry(1)));
    kept.forEach(key -> cache.put(key, entry(2)));
    cache.clear("g", "n");
    cache.clear("g", "unknown");
    for (var key : gone) assertThat(cache.get(key)).isEmpty();
    for (var key : kept) assertThat(cache.get(key)).contains(entry(2));
  }

  @Test
  default void concurrent_puts_lose_nothing() throws Exception {
    var cache = fresh();
    ConcurrentCalls.run(
        100,
        i -> {
          cache.put(key("k" + i), entry(i));
          cache.put(key("shared"), entry(i));
          return cache.get(key("shared")).orElseThrow();
        });
    for (int i = 0; i < 100; i++) assertThat(cache.get(key("k" + i))).contains(entry(i));
    assertThat(cache.get(key("shared"))).isPresent();
  }

  private static NodeCache.Key key(String input) {
    return new NodeCache.Key("graph", "node", "1", input);
  }

  private static NodeCache.Entry entry(int value) {
    var writes = List.<SavedWrite>of(new SavedWrite.Put("a", json("" + value)));
    return new NodeCache.Entry(
        new End.Finished(writes, Optional.empty(), List.of()), Optional.empty());
  }
}
