package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.json.Codec;
import dev.superstep.json.Json;
import dev.superstep.store.EmbedderMismatch;
import dev.superstep.store.Filter;
import dev.superstep.store.Hit;
import dev.superstep.store.InvalidItem;
import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.NamespaceSearch;
import dev.superstep.store.NoEmbedder;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// The tests that every [Store] must pass. A test class implements this interface, as with
/// [CheckpointerSuite].
@ExtendWith(StoreSuite.Opened.class)
public interface StoreSuite {
  /// Gives a test an empty store.
  final class Opened extends Fixture<Store> {
    /// For JUnit.
    public Opened() {
      super(Store.class, suite -> ((StoreSuite) suite).fresh(StoreOptions.defaults()));
    }
  }

  /// A namespace that the tests use.
  Namespace NOTES = Namespace.of("users", "ann", "notes");

  /// An empty store. Called once for each test.
  Store fresh(StoreOptions options);

  /// The store that [#fresh] gave last, opened once more by somebody else; empty if nobody can.
  default Optional<Store> reopened(StoreOptions options) {
    return Optional.empty();
  }

  /// A value of the tests.
  record Note(String text, int stars) {}

  /// A value that is one of several.
  sealed interface Fact {
    /// A fact about a preference.
    record Likes(String what) implements Fact {}

    /// Another.
    record Age(int years) implements Fact {}
  }

  @Test
  default void a_missing_key_is_empty(Store store) {
    assertThat(store.get(NOTES, "a")).isEmpty();
    assertThat(store.delete(NOTES, "a")).isFalse();
    assertThat(store.search(Search.in(Namespace.root()))).isEmpty();
    assertThat(store.namespaces(NamespaceSearch.in(Namespace.root()))).isEmpty();
    assertThat(store.get(NOTES, "nul\0")).isEmpty();
  }

  @Test
  default void an_item_reads_back_unchanged() {
    var clock = ManualClock.at("2026-01-02T03:04:05.123456789Z");
    try (var store = fresh(StoreOptions.defaults().clock(clock))) {
      var put = store.put(NOTES, "tea", new Note("likes tea", 4));
      assertThat(store.get(NOTES, "tea")).contains(put);
      assertThat(store.get(NOTES, "tea", Note.class)).contains(new Note("likes tea", 4));
      assertThat(put.created()).isEqualTo("2026-01-02T03:04:05.123456Z");
      var first = clock.instant();
      clock.advance(Duration.ofHours(1));
      var again = store.put(NOTES, "tea", new Note("likes coffee", 5));
      assertThat(again.created()).isBefore(first).isEqualTo(put.created());
      assertThat(again.updated()).isAfter(first);
      assertThat(again.version()).isGreaterThan(put.version());
      assertThat(store.get(NOTES, "tea")).contains(again);
      assertThat(store.delete(NOTES, "tea")).isTrue();
      assertThat(store.get(NOTES, "tea")).isEmpty();
    }
  }

  @Test
  default void a_case_of_a_sealed_type_reads_back_by_its_codec(Store store) {
    var codec = Codec.of(Fact.class);
    store.put(Put.of(NOTES, "a", new Fact.Likes("tea"), codec));
    store.put(Put.of(NOTES, "b", new Fact.Age(7), codec));
    assertThat(store.get(NOTES, "a", codec)).contains(new Fact.Likes("tea"));
    assertThat(store.get(NOTES, "b", codec)).contains(new Fact.Age(7));
  }

  @Test
  default void unusual_texts_stay_distinct_and_cause_no_errors(Store store) {
    var odd =
        List.of(
            "'; drop table item; --",
            "\"",
            "%",
            "_",
            "\\",
            "/",
            "~",
            "~1",
            "a/b",
            "a",
            "漢字",
            "😀",
            "\uffff",
            "\t\n",
            "$1",
            "?",
            "{}",
            " ",
            "ä",
            "a\u0308",
            "Ä",
            "\u0001");
    for (int i = 0; i < odd.size(); i++) {
      store.put(Namespace.of("x", odd.get(i)), odd.get(i), new Note(odd.get(i), i));
    }
    for (int i = 0; i < odd.size(); i++) {
      var here = Namespace.of("x", odd.get(i));
      assertThat(store.get(here, odd.get(i), Note.class)).contains(new Note(odd.get(i), i));
      assertThat(store.search(Search.in(here))).hasSize(1);
      assertThat(store.search(Search.in(here).where(Filter.eq("/text", odd.get(i))))).hasSize(1);
      assertThat(store.search(Search.in(here).where(Filter.eq("/text", "no")))).isEmpty();
    }
    assertThat(store.namespaces(NamespaceSearch.in(Namespace.of("x")))).hasSize(odd.size());
  }

  @Test
  default void any_json_is_a_value_and_keeps_all_digits(Store store) {
    var texts =
        List.of(
            "null",
            "7",
            "\"\"",
            "[]",
            "{\"b\":1,\"a\":[1.0,1e400,-0,12345678901234567890]}",
            "\"\\u0000 \\ud800\"",
            "{\"\":{\"~/\":true}}");
    for (var text : texts) {
      var put = store.put(NOTES, "k", Json.parse(text));
      assertThat(store.get(NOTES, "k")).as(text).contains(put);
    }
    assertThat(store.get(NOTES, "k").orElseThrow().value().text())
        .isEqualTo("{\"\":{\"~/\":true}}");
  }

  @Test
  default void invalid_items_are_refused_before_anything_is_written(Store store) {
    var fine = Put.of(NOTES, "fine", 1);
    for (var key : List.of("", "nul\0", "half \ud800", "é".repeat(501))) {
      assertThatThrownBy(() -> store.putAll(List.of(fine, Put.of(NOTES, key, 1))))
          .isInstanceOf(InvalidItem.class)
          .hasMessageContaining("key");
    }
    var large = "x".repeat(Put.VALUE_BYTES_MAX);
    assertThatThrownBy(() -> store.put(NOTES, "k", large))
        .isInstanceOf(InvalidItem.class)
        .hasMessageContaining("1,048,576");
    assertThatThrownBy(() -> store.put(NOTES, "k", Json.unchecked("{broken")))
        .hasMessageContaining("JSON");
    assertThat(store.search(Search.in(Namespace.root()))).isEmpty();
  }

  @Test
  default void an_item_of_the_maximum_size_is_stored(Store store) {
    // Different characters, which a database cannot compress.
    var random = new java.util.SplittableRandom(7);
    var text = new StringBuilder();
    for (int i = 0; i < 999; i++) text.append((char) random.nextInt('0', 'z'));
    var place = Namespace.of(text.toString().replace('/', 'x').replace('~', 'x'));
    var value = "x".repeat(Put.VALUE_BYTES_MAX - 2);
    store.put(place, text + "k", value);
    assertThat(store.get(place, text + "k", String.class)).contains(value);
  }

  @Test
  default void a_batch_is_put_as_a_whole_and_the_last_of_a_key_stays(Store store) {
    var items =
        store.putAll(List.of(Put.of(NOTES, "a", 1), Put.of(NOTES, "b", 2), Put.of(NOTES, "a", 3)));
    assertThat(items).extracting(item -> item.value().text()).containsExactly("1", "2", "3");
    assertThat(items).extracting(Item::version).isSorted().doesNotHaveDuplicates();
    assertThat(store.get(NOTES, "a", Integer.class)).contains(3);
    assertThat(store.putAll(List.of())).isEmpty();
    var tooMany = IntStream.rangeClosed(0, Store.BATCH_MAX).mapToObj(i -> Put.of(NOTES, "" + i, i));
    var puts = tooMany.toList();
    assertThatThrownBy(() -> store.putAll(puts)).isInstanceOf(IllegalArgumentException.class);
    assertThat(store.get(NOTES, "0")).isEmpty();
  }

  @Test
  default void a_put_is_refused_when_it_has_not_seen_the_latest_version(Store store) {
    var put = Put.of(NOTES, "a", 1);
    assertThat(store.putIfVersion(put, 1)).isEmpty();
    var first = store.putIfAbsent(put).orElseThrow();
    assertThat(store.putIfAbsent(put)).isEmpty();
    var second = store.putIfVersion(Put.of(NOTES, "a", 2), first.version()).orElseThrow();
    assertThat(second.created()).isEqualTo(first.created());
    assertThat(store.get(NOTES, "a")).contains(second);
    assertThat(store.putIfVersion(Put.of(NOTES, "a", 3), first.version())).isEmpty();
    store.delete(NOTES, "a");
    assertThat(store.putIfVersion(Put.of(NOTES, "a", 4), second.version())).isEmpty();
    var anew = store.putIfAbsent(put).orElseThrow();
    assertThat(anew.version()).isGreaterThan(second.version());
    assertThat(store.putIfVersion(Put.of(NOTES, "a", 5), second.version())).isEmpty();
    assertThat(store.get(NOTES, "a")).contains(anew);
  }

  @Test
  default void concurrent_changes_by_version_lose_no_update(Store store) throws Exception {
    store.put(NOTES, "count", 0);
    ConcurrentCalls.run(
        16,
        i -> {
          while (true) {
            var seen = store.get(NOTES, "count").orElseThrow();
            var next = Put.of(NOTES, "count", seen.as(Integer.class) + 1);
            if (store.putIfVersion(next, seen.version()).isPresent()) return i;
          }
        });
    assertThat(store.get(NOTES, "count", Integer.class)).contains(16);
  }

  @Test
  default void of_many_concurrent_puts_if_absent_one_succeeds(Store store) throws Exception {
    var done = ConcurrentCalls.run(32, i -> store.putIfAbsent(Put.of(NOTES, "one", i)).isPresent());
    assertThat(done).containsOnlyOnce(true);
  }

  @Test
  default void an_expired_item_disappears_immediately_and_everywhere() {
    var clock = ManualClock.at("2026-01-02T03:04:05Z");
    try (var store = fresh(StoreOptions.defaults().clock(clock))) {
      var day = Duration.ofDays(1);
      var put = store.put(Put.of(NOTES, "a", 1).ttl(day));
      store.put(Put.of(Namespace.of("other"), "b", 2).ttl(day.multipliedBy(2)));
      assertThat(put.expires()).contains(clock.instant().plus(day));
      clock.advance(day.minusNanos(1_000));
      assertThat(store.get(NOTES, "a")).contains(put);
      clock.advance(Duration.ofNanos(1_000));
      assertThat(store.get(NOTES, "a")).isEmpty();
      assertThat(store.delete(NOTES, "a")).isFalse();
      store.put(Put.of(NOTES, "a", 1).ttl(day));
      clock.advance(day);
      assertThat(store.search(Search.in(Namespace.root()))).isEmpty();
      assertThat(store.namespaces(NamespaceSearch.in(Namespace.root()))).isEmpty();
      assertThat(store.putIfVersion(Put.of(NOTES, "a", 2), put.version())).isEmpty();
      assertThat(store.sweep()).isEqualTo(2);
      assertThat(store.sweep()).isZero();
      var anew = store.putIfAbsent(Put.of(NOTES, "a", 3)).orElseThrow();
      assertThat(anew.created()).isEqualTo(clock.instant());
      assertThat(anew.expires()).isEmpty();
    }
  }

  @Test
  default void an_expired_item_that_was_not_swept_counts_as_absent() {
    var clock = ManualClock.at("2026-01-02T03:04:05Z");
    try (var store = fresh(StoreOptions.defaults().clock(clock))) {
      var old = store.put(Put.of(NOTES, "a", 1).ttl(Duration.ofDays(1)));
      store.put(Put.of(NOTES, "b", 1).ttl(Duration.ofDays(1)));
      clock.advance(Duration.ofDays(2));
      assertThat(store.putIfVersion(Put.of(NOTES, "a", 2), old.version())).isEmpty();
      var anew = store.putIfAbsent(Put.of(NOTES, "a", 3)).orElseThrow();
      assertThat(anew.created()).isEqualTo(clock.instant());
      assertThat(store.put(NOTES, "b", 2).created()).isEqualTo(clock.instant());
    }
  }

  @Test
  default void reading_renews_only_items_with_renewal_on_read() {
    var clock = ManualClock.at("2026-01-02T03:04:05Z");
    try (var store = fresh(StoreOptions.defaults().clock(clock))) {
      var day = Duration.ofDays(1);
      store.put(Put.of(NOTES, "got", 1).ttl(day).renewedByReads());
      store.put(Put.of(NOTES, "found", 2).ttl(day).renewedByReads());
      store.put(Put.of(NOTES, "fixed", 3).ttl(day));
      clock.advance(Duration.ofHours(23));
      var got = store.get(NOTES, "got").orElseThrow();
      assertThat(got.expires()).contains(clock.instant().plus(day));
      assertThat(store.search(Search.in(NOTES).where(Filter.eq("", 2))))
          .extracting(hit -> hit.item().expires().orElseThrow())
          .containsExactly(clock.instant().plus(day));
      store.get(NOTES, "fixed");
      clock.advance(Duration.ofHours(2));
      assertThat(store.get(NOTES, "fixed")).isEmpty();
      assertThat(keys(store.search(Search.in(NOTES)))).containsExactly("found", "got");
    }
  }

  @Test
  default void a_search_sees_its_namespace_and_those_in_it_only(Store store) {
    store.put(Namespace.of("a"), "1", 1);
    store.put(Namespace.of("a", "b"), "2", 2);
    store.put(Namespace.of("ab"), "3", 3);
    store.put(Namespace.of("a/b"), "4", 4);
    store.put(Namespace.of("a0"), "5", 5);
    store.put(Namespace.root(), "6", 6);
    assertThat(keys(store.search(Search.in(Namespace.of("a"))))).containsExactly("2", "1");
    assertThat(keys(store.search(Search.in(Namespace.of("a", "b"))))).containsExactly("2");
    assertThat(keys(store.search(Search.in(Namespace.root()))))
        .containsExactly("6", "5", "4", "3", "2", "1");
  }

  @Test
  default void a_search_without_a_query_gives_pages_the_latest_first(Store store) {
    for (int i = 0; i < 25; i++) store.put(NOTES, "k" + i, i);
    store.put(NOTES, "k3", 3);
    var search = Search.in(NOTES);
    assertThat(keys(store.search(search))).hasSize(10).startsWith("k3", "k24", "k23");
    assertThat(keys(store.search(search.limit(3).offset(22)))).containsExactly("k2", "k1", "k0");
    assertThat(store.search(search.offset(25))).isEmpty();
    assertThat(store.search(search).getFirst().score()).isEmpty();
  }

  @Test
  default void filters_compare_by_value_and_convert_nothing(Store store) {
    store.put(NOTES, "int", Json.parse("{\"v\":10,\"t\":[\"x\"],\"o\":{\"a\":1,\"b\":2}}"));
    store.put(NOTES, "float", Json.parse("{\"v\":10.0,\"o\":{\"b\":2.0,\"a\":1}}"));
    store.put(NOTES, "big", Json.parse("{\"v\":9007199254740993}"));
    store.put(NOTES, "text", Json.parse("{\"v\":\"10\"}"));
    store.put(NOTES, "null", Json.parse("{\"v\":null}"));
    store.put(NOTES, "none", Json.parse("{}"));
    var o = Json.parse("{\"a\":1,\"b\":2}");
    assertFinds(store, Filter.eq("/v", 10), "float", "int");
    assertFinds(store, Filter.eq("/v", "10"), "text");
    assertFinds(store, Filter.eq("/v", Json.ofNull()), "null");
    assertFinds(store, Filter.ne("/v", 10), "none", "null", "text", "big");
    assertFinds(store, Filter.gt("/v", 10), "big");
    assertFinds(store, Filter.gt("/v", 9007199254740992L), "big");
    assertFinds(store, Filter.gte("/v", 10), "big", "float", "int");
    assertFinds(store, Filter.lt("/v", 10));
    assertFinds(store, Filter.lte("/v", 10.5), "float", "int");
    assertFinds(store, Filter.lt("/v", "2"), "text");
    assertFinds(store, Filter.in("/v", List.of(10, "10")), "text", "float", "int");
    assertFinds(store, Filter.in("/v", List.of()));
    assertFinds(store, Filter.exists("/v"), "null", "text", "big", "float", "int");
    assertFinds(store, Filter.missing("/v"), "none");
    assertFinds(store, Filter.eq("/t/0", "x"), "int");
    assertFinds(store, Filter.eq("/o", o), "float", "int");
    assertFinds(store, Filter.gt("/o", o));
  }

  private static void assertFinds(Store store, Filter filter, String... keys) {
    assertThat(keys(store.search(Search.in(NOTES).where(filter))))
        .as("" + filter)
        .containsExactly(keys);
  }

  @Test
  default void a_search_by_meaning_gives_the_nearest_first() {
    try (var store = fresh(StoreOptions.defaults().embedder(WordEmbedder.words()))) {
      store.put(NOTES, "tea", new Note("ann likes green tea", 4));
      store.put(NOTES, "bike", new Note("ann rides a red bicycle to work", 4));
      store.put(NOTES, "both", new Note("green bicycle", 2));
      store.put(Put.of(NOTES, "hidden", new Note("green tea", 5)).notEmbedded());
      store.put(
          Put.of(NOTES, "placed", Map.of("a", "green tea", "b", "zoo").toString())
              .embedding("/nowhere"));
      var search = Search.in(NOTES).query("green tea");
      var hits = store.search(search);
      assertThat(keys(hits)).containsExactly("tea", "both", "bike");
      assertThat(hits.getFirst().score().orElseThrow()).isBetween(0.5, 1.0);
      assertThat(keys(store.search(search.minScore(0.4)))).containsExactly("tea", "both");
      assertThat(keys(store.search(search.limit(1).offset(1)))).containsExactly("both");
      assertThat(keys(store.search(search.where(Filter.lt("/stars", 3))))).containsExactly("both");
      store.put(NOTES, "tea", new Note("ann likes coffee", 4));
      assertThat(keys(store.search(search))).startsWith("both");
    }
  }

  @Test
  default void a_search_by_meaning_needs_an_embedder(Store store) {
    store.put(NOTES, "tea", new Note("tea", 4));
    assertThatThrownBy(() -> store.search(Search.in(NOTES).query("tea")))
        .isInstanceOf(NoEmbedder.class)
        .hasMessageContaining("tea");
  }

  @Test
  default void another_embedder_is_an_error_and_not_a_wrong_answer() {
    try (var store = fresh(StoreOptions.defaults().embedder(WordEmbedder.words()))) {
      store.put(NOTES, "tea", new Note("tea", 4));
      var other = StoreOptions.defaults().embedder(WordEmbedder.named("other"));
      reopened(other)
          .ifPresent(again -> {
            assertThatThrownBy(() -> again.search(Search.in(NOTES).query("tea")))
                .isInstanceOf(EmbedderMismatch.class)
                .hasMessageContaining("words")
                .hasMessageContaining("other");
            assertThat(again.search(Search.in(NOTES))).hasSize(1);
            again.close();
          });
    }
  }

  @Test
  default void namespaces_are_listed_by_start_end_and_depth(Store store) {
    for (var user : List.of("ann", "bob", "cy")) {
      store.put(Namespace.of("users", user, "notes"), "k", 1);
      store.put(Namespace.of("users", user, "facts"), "k", 1);
    }
    store.put(Namespace.of("shared"), "k", 1);
    var all = NamespaceSearch.in(Namespace.root());
    assertThat(store.namespaces(all)).hasSize(7).startsWith(Namespace.of("shared")).isSorted();
    assertThat(store.namespaces(all.maxDepth(1)))
        .containsExactly(Namespace.of("shared"), Namespace.of("users"));
    var users = NamespaceSearch.in(Namespace.of("users"));
    assertThat(store.namespaces(users.endingIn("notes").limit(1).offset(1)))
        .containsExactly(Namespace.of("users", "bob", "notes"));
    assertThat(store.namespaces(users.endingIn("ann"))).isEmpty();
    store.delete(Namespace.of("shared"), "k");
    assertThat(store.namespaces(all.maxDepth(1))).containsExactly(Namespace.of("users"));
  }

  @Test
  default void concurrent_puts_lose_nothing(Store store) throws Exception {
    ConcurrentCalls.run(
        60,
        i -> {
          // In opposite orders, so that two who wait for each other would be found.
          var puts = new ArrayList<>(List.of(Put.of(NOTES, "x", i), Put.of(NOTES, "y", i)));
          puts.add(Put.of(NOTES, "k" + i, i));
          store.putAll(i % 2 == 0 ? puts : puts.reversed());
          return i;
        });
    assertThat(store.search(Search.in(NOTES).limit(100))).hasSize(62);
    assertThat(store.get(NOTES, "x").orElseThrow().value())
        .isEqualTo(store.get(NOTES, "y").orElseThrow().value());
  }

  @Test
  default void items_are_visible_to_other_instances() {
    var options = StoreOptions.defaults().embedder(WordEmbedder.words());
    try (var store = fresh(options)) {
      var put = store.put(NOTES, "tea", new Note("tea", 4));
      reopened(options)
          .ifPresent(again -> {
            assertThat(again.get(NOTES, "tea")).contains(put);
            assertThat(again.search(Search.in(NOTES).query("tea"))).hasSize(1);
            var theirs = again.put(NOTES, "tea", new Note("coffee", 1));
            assertThat(theirs.version()).isGreaterThan(put.version());
            again.close();
            assertThat(store.get(NOTES, "tea")).contains(theirs);
          });
    }
  }

  @Test
  default void whatever_is_done_it_answers_as_a_store_in_memory() throws Exception {
    StoreJourney.check(this::fresh);
  }

  private static List<String> keys(List<Hit> hits) {
    return hits.stream().map(hit -> hit.item().key()).toList();
  }
}
