package dev.superstep.server.internal.api;

import dev.superstep.server.internal.http.Call;
import dev.superstep.server.internal.http.Fields;
import dev.superstep.server.internal.http.Granted;
import dev.superstep.server.internal.http.HttpFailure;
import dev.superstep.server.internal.http.Reply;
import dev.superstep.server.internal.http.Routes;
import dev.superstep.server.internal.wire.Trees;
import dev.superstep.server.security.Access;
import dev.superstep.server.security.Access.Action;
import dev.superstep.store.Filter;
import dev.superstep.store.Hit;
import dev.superstep.store.Item;
import dev.superstep.store.Namespace;
import dev.superstep.store.NamespaceSearch;
import dev.superstep.store.NoEmbedder;
import dev.superstep.store.Put;
import dev.superstep.store.Search;
import dev.superstep.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The long-term memory: items put, read, found and deleted.
public final class StoreResource implements Resource {
  private static final int LIMIT = 10;
  private static final int NAMESPACES = 100;
  private static final double MINUTES_MAX = Duration.ofDays(36_500).toMinutes();

  private final Service service;

  public StoreResource(Service service) {
    this.service = service;
  }

  @Override
  public void addTo(Routes routes) {
    routes
        .on("PUT", "/store/items", this::put)
        .on("GET", "/store/items", this::get)
        .on("DELETE", "/store/items", this::delete)
        .on("POST", "/store/items/search", this::search)
        .on("POST", "/store/namespaces", this::namespaces);
  }

  private Store store() {
    return service
        .memory()
        .orElseThrow(() -> new HttpFailure(501, "This server has no long-term memory."));
  }

  private Granted granted(Call call, Action action, JsonNode value) {
    return service
        .guard()
        .check(call, new Access(Access.Resource.STORE, action, Trees.json(value, "body")));
  }

  private static Namespace namespace(Fields fields, String field, Granted granted) {
    return whole(fields.texts(field), granted);
  }

  private static Namespace whole(List<String> labels, Granted granted) {
    for (var label : labels) {
      if (label.isEmpty() || label.contains(".")) {
        throw Fields.bad("namespace", "must have labels that are not empty and have no dots");
      }
    }
    try {
      return granted.whole(new Namespace(labels));
    } catch (RuntimeException e) {
      throw Fields.bad("namespace", "cannot be used: " + e.getMessage());
    }
  }

  // --- Items ---

  private Reply put(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.PUT, fields.json());
    var namespace = namespace(fields, "namespace", granted);
    if (namespace.labels().isEmpty()) throw Fields.bad("namespace", "must have a label");
    var value = fields.objectIfAny("value").orElseThrow(() -> Fields.bad("value", "is missing"));
    try {
      var put = Put.of(namespace, fields.required("key"), Trees.json(value, "value"));
      store().put(indexed(withTtl(put, fields), fields.any("index")));
    } catch (dev.superstep.store.InvalidItem | IllegalArgumentException e) {
      throw new HttpFailure(422, String.valueOf(e.getMessage()));
    }
    return Reply.nothing();
  }

  private static Put withTtl(Put put, Fields fields) {
    var ttl = fields.any("ttl");
    if (Fields.isNone(ttl)) return put;
    if (!ttl.isNumber() || ttl.doubleValue() <= 0 || ttl.doubleValue() > MINUTES_MAX) {
      throw Fields.bad("ttl", "must be a number of minutes above 0");
    }
    return put.ttl(Duration.ofMillis(Math.round(ttl.doubleValue() * 60_000))).renewedByReads();
  }

  private static Put indexed(Put put, JsonNode index) {
    if (Fields.isNone(index)) return put;
    if (index.isBoolean()) return index.booleanValue() ? put : put.notEmbedded();
    if (!index.isArray()) throw Fields.bad("index", "must be false or a list of fields");
    var pointers = new ArrayList<String>();
    for (var field : index) pointers.add(pointer(field.asString("")));
    return put.embedding(pointers.toArray(String[]::new));
  }

  /// The JSON pointer of a path with dots; `$` is the whole value.
  private static String pointer(String path) {
    if (path.isEmpty() || path.equals("$")) return "";
    return "/" + path.replace("~", "~0").replace("/", "~1").replace(".", "/");
  }

  private Reply get(Call call) {
    var labels = new ArrayList<String>();
    for (var label : call.query("namespace").orElse("").split("\\.", -1)) {
      if (!label.isEmpty()) labels.add(label);
    }
    var key = call.query("key").orElseThrow(() -> Fields.bad("key", "is missing"));
    var value = JsonNodeFactory.instance.objectNode();
    var list = value.putArray("namespace");
    labels.forEach(list::add);
    value.put("key", key);
    var granted = granted(call, Action.GET, value);
    var found = store().get(whole(labels, granted), key);
    return found
        .map(item -> Reply.ok(json(item, granted)))
        .orElseThrow(() -> new HttpFailure(404, "Item not found"));
  }

  private Reply delete(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.DELETE, fields.json());
    store().delete(namespace(fields, "namespace", granted), fields.required("key"));
    return Reply.nothing();
  }

  private static ObjectNode json(Item item, Granted granted) {
    var json = JsonNodeFactory.instance.objectNode();
    var labels = json.putArray("namespace");
    granted.asGiven(item.namespace()).labels().forEach(labels::add);
    json.put("key", item.key());
    json.set("value", Trees.of(item.value()));
    json.put("created_at", item.created().toString());
    json.put("updated_at", item.updated().toString());
    return json;
  }

  // --- Searches ---

  private Reply search(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.SEARCH, fields.json());
    var search =
        Search.in(namespace(fields, "namespace_prefix", granted))
            .where(filters(fields.object("filter")).toArray(Filter[]::new))
            .limit(fields.number("limit", 1, Search.LIMIT_MAX).orElse(LIMIT))
            .offset(fields.number("offset", 0, Search.OFFSET_MAX).orElse(0));
    var query = fields.text("query").filter(text -> !text.isBlank());
    if (query.isPresent()) search = search.query(query.get());
    var items = JsonNodeFactory.instance.arrayNode();
    for (var hit : found(search)) {
      var json = json(hit.item(), granted);
      hit.score().ifPresent(score -> json.put("score", score));
      items.add(json);
    }
    var reply = JsonNodeFactory.instance.objectNode();
    reply.set("items", items);
    return Reply.ok(reply);
  }

  private List<Hit> found(Search search) {
    try {
      return store().search(search);
    } catch (NoEmbedder e) {
      throw new HttpFailure(422, String.valueOf(e.getMessage()));
    }
  }

  private static List<Filter> filters(ObjectNode wanted) {
    var all = new ArrayList<Filter>();
    for (var field : wanted.properties()) {
      var path = pointer(field.getKey());
      if (field.getValue() instanceof ObjectNode operators && isOperators(operators)) {
        for (var each : operators.properties()) {
          all.add(filter(path, each.getKey(), plain(each.getValue())));
        }
      } else {
        all.add(Filter.eq(path, plain(field.getValue())));
      }
    }
    return all;
  }

  private static boolean isOperators(ObjectNode value) {
    return !value.isEmpty() && value.propertyNames().stream().allMatch(n -> n.startsWith("$"));
  }

  private static Filter filter(String path, String operator, Object value) {
    return switch (operator) {
      case "$eq" -> Filter.eq(path, value);
      case "$ne" -> Filter.ne(path, value);
      case "$gt" -> Filter.gt(path, value);
      case "$gte" -> Filter.gte(path, value);
      case "$lt" -> Filter.lt(path, value);
      case "$lte" -> Filter.lte(path, value);
      default -> throw Fields.bad("filter", "has the unknown operator `" + operator + "`");
    };
  }

  private static Object plain(JsonNode value) {
    return Trees.json(value, "filter");
  }

  private Reply namespaces(Call call) {
    var fields = Fields.of(call.body());
    var granted = granted(call, Action.LIST_NAMESPACES, fields.json());
    int hidden = granted.within().labels().size();
    var search =
        NamespaceSearch.in(namespace(fields, "prefix", granted))
            .limit(fields.number("limit", 1, NamespaceSearch.LIMIT_MAX).orElse(NAMESPACES));
    var suffix = fields.texts("suffix");
    if (!suffix.isEmpty()) search = search.endingIn(suffix.toArray(String[]::new));
    var depth = fields.number("max_depth", 1, Namespace.LABELS_MAX);
    if (depth.isPresent()) search = search.maxDepth(depth.getAsInt() + hidden);
    int offset = fields.number("offset", 0, Search.OFFSET_MAX).orElse(0);
    var list = JsonNodeFactory.instance.arrayNode();
    for (var namespace : store().namespaces(search.offset(offset))) {
      var labels = list.addArray();
      granted.asGiven(namespace).labels().forEach(labels::add);
    }
    var reply = JsonNodeFactory.instance.objectNode();
    reply.set("namespaces", list);
    return Reply.ok(reply);
  }
}
