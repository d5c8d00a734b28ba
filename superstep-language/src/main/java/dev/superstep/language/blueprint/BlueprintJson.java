package dev.superstep.language.blueprint;

import dev.superstep.language.Span;
import dev.superstep.language.json.JsonTree;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Durations;
import dev.superstep.language.rag.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Writes blueprints as JSON. Keys of objects are sorted, so equal blueprints are equal texts.
final class BlueprintJson {
  static final int FORMAT = 1;

  private BlueprintJson() {}

  static JsonTree write(Blueprint blueprint) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("format", JsonTree.of(FORMAT));
    fields.put("graph", JsonTree.of(blueprint.graph()));
    fields.put("items", items(Scope.GRAPH, blueprint.items()));
    fields.put("allow", allow(blueprint.allow()));
    fields.put("channels", list(blueprint.channels(), BlueprintJson::channel));
    fields.put("nodes", list(blueprint.nodes(), BlueprintJson::node));
    fields.put("edges", list(blueprint.edges(), BlueprintJson::edge));
    blueprint.provenance().ifPresent(from -> fields.put("provenance", provenance(from)));
    return JsonTree.object(fields);
  }

  private interface Form<T> {
    JsonTree of(T value);
  }

  private static <T> JsonTree list(List<T> values, Form<? super T> form) {
    var all = new ArrayList<JsonTree>();
    for (var value : values) all.add(form.of(value));
    return JsonTree.list(all);
  }

  private static JsonTree allow(Map<Capability, List<String>> allow) {
    var fields = new LinkedHashMap<String, JsonTree>();
    allow.forEach((kind, names) -> fields.put(kind.word(), JsonTree.texts(names)));
    return JsonTree.object(fields);
  }

  static JsonTree items(Scope scope, Items items) {
    var fields = new LinkedHashMap<String, JsonTree>();
    items.values().forEach((item, value) -> fields.put(item.word(), value(value)));
    return JsonTree.object(fields);
  }

  static JsonTree node(NodeBlueprint node) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("name", JsonTree.of(node.name()));
    fields.put("items", items(Scope.NODE, node.items()));
    return JsonTree.object(fields);
  }

  static JsonTree channel(ChannelBlueprint channel) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("name", JsonTree.of(channel.name()));
    fields.put("reducer", JsonTree.of(channel.reducer()));
    fields.put("arguments", list(channel.arguments(), BlueprintJson::literal));
    channel.type().ifPresent(type -> fields.put("of", JsonTree.of(type.toString())));
    fields.put("cuts", list(channel.cuts(), BlueprintJson::cut));
    return JsonTree.object(fields);
  }

  private static JsonTree cut(ChannelBlueprint.Cut cut) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("cut", JsonTree.of(cut.word()));
    fields.put("arguments", list(cut.arguments(), BlueprintJson::literal));
    return JsonTree.object(fields);
  }

  static JsonTree edge(Edge edge) {
    var fields = new LinkedHashMap<String, JsonTree>();
    switch (edge) {
      case Edge.Direct(var from, _) -> fields.put("from", JsonTree.of(from));
      case Edge.Join(var needs, var from, _) -> {
        fields.put("join", JsonTree.texts(from));
        fields.put("needs", JsonTree.of(needs));
      }
      case Edge.Trigger(var channels, _) -> fields.put("trigger", JsonTree.texts(channels));
    }
    fields.put("to", JsonTree.of(edge.to()));
    return JsonTree.object(fields);
  }

  static JsonTree value(Value value) {
    return switch (value) {
      case Value.Word(var word) -> JsonTree.of(word);
      case Value.Text(var text) -> JsonTree.of(text);
      case Value.Name(var name) -> JsonTree.of(name);
      case Value.Texts(var texts) -> JsonTree.texts(texts);
      case Value.Names(var names) -> JsonTree.texts(names);
      case Value.Count(var count) -> JsonTree.of(count);
      case Value.Time(var duration) -> JsonTree.of(Durations.write(duration));
      case Value.Flag() -> JsonTree.of(true);
      case Value.Fields(var values) -> fields(values);
      case Value.Type(var type) -> JsonTree.of(type.toString());
      case Value.TypedFields(var fields) -> list(fields, BlueprintJson::field);
      case Value.Routes(var routes) -> list(routes, BlueprintJson::route);
      case Value.Sends(var sends) -> list(sends, BlueprintJson::send);
      case Value.Block(var scope, var items) -> items(scope, items);
      case Value.Prompt(var text, var isTemplate) ->
          one(isTemplate ? "template" : "text", JsonTree.of(text));
      case Value.Router(var name, var isMany) ->
          two("name", JsonTree.of(name), "many", JsonTree.of(isMany));
      case Value.FanOut(var router, var to) ->
          two("router", JsonTree.of(router), "to", JsonTree.texts(to));
      case Value.Rate(var times, var per) ->
          two("times", JsonTree.of(times), "per", JsonTree.of(Durations.write(per)));
      case Value.Sources(var needs, var nodes) ->
          two("needs", JsonTree.of(needs), "nodes", JsonTree.texts(nodes));
      case Value.Command command -> command(command);
      case Value.Steering steering -> steering(steering);
      case Value.OnFailure handling -> onFailure(handling);
    };
  }

  private static JsonTree one(String name, JsonTree value) {
    return JsonTree.object(Map.of(name, value));
  }

  private static JsonTree two(String a, JsonTree x, String b, JsonTree y) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put(a, x);
    fields.put(b, y);
    return JsonTree.object(fields);
  }

  private static JsonTree field(Value.Field field) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("name", JsonTree.of(field.name()));
    fields.put("type", JsonTree.of(field.type().toString()));
    fields.put("optional", JsonTree.of(field.isOptional()));
    return JsonTree.object(fields);
  }

  private static JsonTree route(Value.Route route) {
    return two("label", JsonTree.of(route.label()), "to", JsonTree.of(route.to()));
  }

  private static JsonTree send(Value.Send send) {
    return two("to", JsonTree.of(send.to()), "mapping", JsonTree.of(send.mapping()));
  }

  private static JsonTree command(Value.Command command) {
    var fields = new LinkedHashMap<String, JsonTree>();
    command.target().ifPresent(target -> fields.put("goto", JsonTree.of(target)));
    fields.put("update", fields(command.update()));
    return JsonTree.object(fields);
  }

  private static JsonTree steering(Value.Steering steering) {
    var actors = new LinkedHashMap<String, JsonTree>();
    new TreeMap<>(steering.allowed())
        .forEach((actor, commands) -> actors.put(actor, JsonTree.texts(commands)));
    return two("allow", JsonTree.object(actors), "delivery", JsonTree.of(steering.delivery()));
  }

  private static JsonTree onFailure(Value.OnFailure handling) {
    var fields = new LinkedHashMap<String, JsonTree>();
    fields.put("then", JsonTree.of(handling.then()));
    handling.to().ifPresent(to -> fields.put("to", JsonTree.of(to)));
    fields.put("update", fields(handling.update()));
    handling.record().ifPresent(channel -> fields.put("record", JsonTree.of(channel)));
    return JsonTree.object(fields);
  }

  static JsonTree fields(Map<String, Literal> values) {
    var fields = new LinkedHashMap<String, JsonTree>();
    new TreeMap<>(values).forEach((key, value) -> fields.put(key, literal(value)));
    return JsonTree.object(fields);
  }

  static JsonTree literal(Literal literal) {
    return switch (literal) {
      case Literal.Text(var text) -> JsonTree.of(text);
      case Literal.Decimal(var number) -> new JsonTree.Decimal(number);
      case Literal.Bool(var bool) -> JsonTree.of(bool);
      case Literal.Null() -> new JsonTree.Null();
      case Literal.Many(var values) -> list(values, BlueprintJson::literal);
      case Literal.Word(var word) -> one("word", JsonTree.of(word));
      case Literal.Time(var time) -> one("time", JsonTree.of(Durations.write(time)));
      case Literal.Fields(var values) -> one("object", fields(values));
    };
  }

  private static JsonTree provenance(Provenance from) {
    var fields = new LinkedHashMap<String, JsonTree>();
    switch (from.origin()) {
      case Provenance.Origin.File(var path) -> fields.put("file", JsonTree.of(path));
      case Provenance.Origin.Generated(var by) ->
          fields.put("generated", JsonTree.of(by.orElse("")));
    }
    from.content().ifPresent(hash -> fields.put("content", JsonTree.of(hash)));
    from.parentRun().ifPresent(run -> fields.put("parent_run", JsonTree.of(run)));
    from.at().ifPresent(at -> fields.put("at", JsonTree.of(at.toString())));
    var spans = new LinkedHashMap<String, JsonTree>();
    from.spans().forEach((place, span) -> spans.put(place, span(span)));
    fields.put("spans", JsonTree.object(spans));
    return JsonTree.object(fields);
  }

  private static JsonTree span(Span span) {
    return JsonTree.list(List.of(JsonTree.of(span.start()), JsonTree.of(span.end())));
  }
}
