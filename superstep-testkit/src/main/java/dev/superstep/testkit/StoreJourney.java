package dev.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.json.Json;
import dev.superstep.store.Filter;
import dev.superstep.store.InMemoryStore;
import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.NamespaceSearch;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import dev.superstep.store.StoreOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Does random things to a store and to one in memory, which must answer the same.
final class StoreJourney {
  private static final int CASES = 15;
  private static final int STEPS_MAX = 40;
  private static final List<String> LABELS = List.of("a", "b", "a/b", "~", "é", "😀", "\ufffe");
  private static final List<String> VALUES =
      List.of(
          "1",
          "1.0",
          "-2",
          "1e3",
          "1000",
          "\"1\"",
          "\"b\"",
          "\"😀\"",
          "\"\ufffe\"",
          "null",
          "true",
          "[1,2]",
          "{\"x\":1}",
          "{\"x\":1.00}",
          "{\"x\":\"green tea\",\"y\":[\"tea\"]}",
          "{\"x\":null}",
          "[]");
  private static final List<String> PATHS = List.of("", "/x", "/y/0", "/0");

  private StoreJourney() {}

  /// Something done to a store; what it answers, without the versions, which differ.
  record Step(String name, Function<Store, Object> act) {
    @Override
    public String toString() {
      return name;
    }
  }

  static void check(Function<StoreOptions, Store> fresh) throws InterruptedException {
    var clock = ManualClock.at("2026-01-02T03:04:05Z");
    var options = StoreOptions.defaults().clock(clock).embedder(WordEmbedder.words());
    try (var store = fresh.apply(options)) {
      Property.check(
          7,
          CASES,
          choices -> choices.list(STEPS_MAX, StoreJourney::step),
          steps -> {
            empty(store);
            var model = InMemoryStore.open(options);
            for (var step : steps) {
              if (step.name().equals("wait")) clock.advance(Duration.ofHours(1));
              assertThat(step.act().apply(store)).as("%s", step).isEqualTo(step.act().apply(model));
            }
          });
    }
  }

  private static void empty(Store store) {
    var all = Search.in(Namespace.root()).limit(Search.LIMIT_MAX);
    for (var hit : store.search(all)) store.delete(hit.item().namespace(), hit.item().key());
    store.sweep();
  }

  private static Step step(Choices choices) {
    var namespace = namespace(choices);
    var key = choices.of("k", "l", "'\"");
    var put = put(choices, namespace, key);
    return switch (choices.below(9)) {
      case 0 -> new Step("put " + show(put), store -> format(store.put(put)));
      case 1 ->
          new Step(
              "if absent " + show(put), store -> store.putIfAbsent(put).map(StoreJourney::format));
      case 2 ->
          new Step(
              "if version " + show(put),
              store -> {
                var old = store.get(namespace, key).map(Item::version).orElse(3L);
                return store.putIfVersion(put, old).map(StoreJourney::format);
              });
      case 3 -> new Step("delete " + key, store -> store.delete(namespace, key));
      case 4 ->
          new Step("get " + key, store -> store.get(namespace, key).map(StoreJourney::format));
      case 5 -> new Step("wait", _ -> "");
      case 6 -> new Step("sweep", Store::sweep);
      case 7 -> {
        var depth = choices.between(1, 3);
        var search = NamespaceSearch.in(namespace(choices)).maxDepth(depth).limit(5);
        yield new Step("list " + search, store -> store.namespaces(search));
      }
      default -> {
        var search = search(choices);
        yield new Step("search " + search, store -> found(store, search));
      }
    };
  }

  private static Namespace namespace(Choices choices) {
    return new Namespace(choices.list(2, c -> c.of(LABELS)));
  }

  private static Put put(Choices choices, Namespace namespace, String key) {
    var put = Put.of(namespace, key, value(choices));
    if (choices.chance(30)) put = put.ttl(Duration.ofMinutes(choices.of(60, 90)));
    if (choices.chance(50)) put = put.renewedByReads();
    return choices.chance(20) ? put.embedding("/y") : put;
  }

  private static Json value(Choices choices) {
    return Json.parse(choices.of(VALUES));
  }

  private static Search search(Choices choices) {
    var search = Search.in(namespace(choices)).limit(choices.between(1, 5));
    if (choices.chance(50)) search = search.where(filter(choices));
    if (choices.chance(30)) search = search.query(choices.of("green tea", "b", "tea"));
    return search.offset(choices.below(2));
  }

  private static Filter filter(Choices choices) {
    var path = choices.of(PATHS);
    var value = value(choices);
    return switch (choices.below(9)) {
      case 0 -> Filter.eq(path, value);
      case 1 -> Filter.ne(path, value);
      case 2 -> Filter.gt(path, value);
      case 3 -> Filter.gte(path, value);
      case 4 -> Filter.lt(path, value);
      case 5 -> Filter.lte(path, value);
      case 6 -> Filter.in(path, List.of(value, value(choices)));
      case 7 -> Filter.exists(path);
      default -> Filter.missing(path);
    };
  }

  private static Object found(Store store, Search search) {
    var found = new ArrayList<Object>();
    for (var hit : store.search(search)) found.add(List.of(format(hit.item()), hit.score()));
    return found;
  }

  private static Object format(Item item) {
    return List.of(
        item.namespace(), item.key(), item.value(), item.created(), item.updated(), item.expires());
  }

  private static String show(Put put) {
    return "%s %s = %s, %s".formatted(put.namespace(), put.key(), put.value(), put.ttl());
  }
}
