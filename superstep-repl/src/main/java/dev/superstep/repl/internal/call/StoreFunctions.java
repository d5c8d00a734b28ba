package dev.superstep.repl.internal.call;

import dev.superstep.json.Json;
import dev.superstep.middleware.AgentContext;
import dev.superstep.repl.grant.GrantedStore;
import dev.superstep.repl.host.HostFailure;
import dev.superstep.repl.host.HostFunction;
import dev.superstep.repl.host.HostValue;
import dev.superstep.repl.internal.json.HostJson;
import dev.superstep.store.InvalidItem;
import dev.superstep.store.Item;
import dev.superstep.store.NoEmbedder;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.TreeSet;

/// The functions that read and write long-term memory: the namespaces that were granted, and no
/// others. A write that was made is not made again when its cell runs again.
final class StoreFunctions {
  private static final int FOUND_MAX = 100;
  private static final int FOUND = 10;

  private final SessionAccess access;
  private final CallSession session;

  StoreFunctions(SessionAccess access, CallSession session) {
    this.access = access;
    this.session = session;
  }

  List<HostFunction> functions() {
    return List.of(
        HostFunction.of("store_get(store, key)", a -> get(new CallArguments("store_get", a))),
        HostFunction.of(
            "store_put(store, key, value)", a -> put(new CallArguments("store_put", a))),
        HostFunction.of(
            "store_delete(store, key)", a -> delete(new CallArguments("store_delete", a))),
        HostFunction.of(
            "store_search(store, query=, *, limit=)",
            a -> search(new CallArguments("store_search", a))));
  }

  private GrantedStore store(CallArguments given) throws HostFailure {
    var name = given.text("store");
    var stores = access.grants().stores();
    var found = stores.get(name);
    if (found != null) return found;
    throw CallArguments.unknown("store", name, new TreeSet<>(stores.keySet()));
  }

  /// The work of a call on a store.
  @FunctionalInterface
  private interface Work {
    HostValue run(AgentContext context) throws Exception;
  }

  private HostValue make(CallArguments given, Work work) throws HostFailure, InterruptedException {
    var value = new LinkedHashMap<>(given.values());
    value.put("function", HostValue.of(given.function()));
    var call =
        new CellCalls.Call(CallKind.STORE, given.text("store"), new HostValue.Entries(value));
    return session
        .calls()
        .make(
            call,
            (context, _) -> {
              try {
                return work.run(context);
              } catch (InvalidItem | IllegalArgumentException e) {
                throw HostFailure.catchable("invalid-arguments", String.valueOf(e.getMessage()));
              }
            });
  }

  private HostValue get(CallArguments given) throws HostFailure, InterruptedException {
    var store = store(given);
    var key = given.text("key");
    return make(
        given,
        _ ->
            store
                .store()
                .get(store.within(), key)
                .map(item -> HostJson.read(item.value()))
                .orElse(HostValue.NOTHING));
  }

  private HostValue put(CallArguments given) throws HostFailure, InterruptedException {
    var store = store(given);
    var key = given.text("key");
    var value = HostJson.of(given.need("value"));
    return make(given, context -> put(store, Put.of(store.within(), key, value), context));
  }

  /// Puts a value in place of the version that was there when the call began: if the process dies
  /// before the call is saved, the next one sees whether it was made, and overwrites nobody.
  private static HostValue put(GrantedStore store, Put put, AgentContext context) throws Exception {
    long before = context.node().step("version", Long.class, () -> version(store, put.key()));
    var made =
        before == 0 ? store.store().putIfAbsent(put) : store.store().putIfVersion(put, before);
    if (made.isPresent() || isThere(store, put)) return HostValue.NOTHING;
    throw HostFailure.catchable(
        "store-conflict", "`" + put.key() + "` was changed by another at the same time");
  }

  private static long version(GrantedStore store, String key) {
    return store.store().get(store.within(), key).map(Item::version).orElse(0L);
  }

  private static boolean isThere(GrantedStore store, Put put) {
    var item = store.store().get(store.within(), put.key());
    return item.isPresent() && canonical(item.get().value()).equals(canonical(put.value()));
  }

  private static String canonical(Json value) {
    return HostJson.of(HostJson.read(value)).text();
  }

  private HostValue delete(CallArguments given) throws HostFailure, InterruptedException {
    var store = store(given);
    var key = given.text("key");
    return make(given, _ -> HostValue.of(store.store().delete(store.within(), key)));
  }

  private HostValue search(CallArguments given) throws HostFailure, InterruptedException {
    var store = store(given);
    int most = given.number("limit", FOUND, 1, FOUND_MAX);
    var search = Search.in(store.within()).limit(most);
    var wanted = given.has("query") ? search.query(given.text("query")) : search;
    return make(
        given,
        _ -> {
          try {
            return found(store, wanted);
          } catch (NoEmbedder _) {
            throw HostFailure.catchable(
                "store-error", "this store cannot search by meaning; leave `query` out");
          }
        });
  }

  private static HostValue found(GrantedStore store, Search search) {
    var all = new ArrayList<HostValue>();
    for (var hit : store.store().search(search)) {
      var told = new LinkedHashMap<String, HostValue>();
      told.put("key", HostValue.of(hit.item().key()));
      told.put("value", HostJson.read(hit.item().value()));
      if (hit.score().isPresent()) told.put("score", HostValue.of(hit.score().getAsDouble()));
      all.add(new HostValue.Entries(told));
    }
    return new HostValue.Items(all);
  }
}
