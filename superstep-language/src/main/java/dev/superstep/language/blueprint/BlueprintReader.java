package dev.superstep.language.blueprint;

import dev.superstep.language.Span;
import dev.superstep.language.json.JsonTree;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Scope;
import dev.superstep.language.rag.Shape;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads what [BlueprintJson] wrote. What is missing, unknown or of another type is refused by an
/// [IllegalArgumentException] that names it.
final class BlueprintReader {
  private BlueprintReader() {}

  static Blueprint read(String json) {
    var object = JsonObject.of(JsonTree.parse(json), "the blueprint");
    int format = object.count("format");
    if (format != BlueprintJson.FORMAT) {
      throw new IllegalArgumentException("its format is " + format + ", not known here");
    }
    var blueprint =
        new Blueprint(
            object.text("graph"),
            items(Scope.GRAPH, object.object("items")),
            allow(object.object("allow")),
            object.list("channels", BlueprintReader::channel),
            object.list("nodes", BlueprintReader::node),
            object.list("edges", BlueprintReader::edge),
            object.has("provenance")
                ? Optional.of(provenance(object.object("provenance")))
                : Optional.empty());
    object.done();
    return blueprint;
  }

  private static Map<Capability, List<String>> allow(JsonObject object) {
    var allow = new EnumMap<Capability, List<String>>(Capability.class);
    for (var word : object.names()) {
      var kind = Capability.of(word).orElseThrow(() -> unknown("allow", word));
      allow.put(kind, object.texts(word));
    }
    return allow;
  }

  private static IllegalArgumentException unknown(String where, String name) {
    return new IllegalArgumentException(where + " has an unknown field `" + name + "`");
  }

  private static Items items(Scope scope, JsonObject object) {
    var all = new EnumMap<Item, Value>(Item.class);
    for (var word : object.names()) {
      var item = Item.of(scope, word).orElseThrow(() -> unknown(scope.noun(), word));
      all.put(item, value(item, object.get(word)));
    }
    return Items.of(all);
  }

  private static NodeBlueprint node(JsonObject object) {
    return new NodeBlueprint(object.text("name"), items(Scope.NODE, object.object("items")));
  }

  private static ChannelBlueprint channel(JsonObject object) {
    return new ChannelBlueprint(
        object.text("name"),
        object.text("reducer"),
        literals(object.get("arguments")),
        object.optional("of").map(TypeName::parse),
        object.list(
            "cuts",
            cut -> new ChannelBlueprint.Cut(cut.text("cut"), literals(cut.get("arguments")))));
  }

  private static Edge edge(JsonObject object) {
    var to = object.text("to");
    if (object.has("join")) {
      return new Edge.Join(object.count("needs"), object.texts("join"), to);
    }
    if (object.has("trigger")) return new Edge.Trigger(object.texts("trigger"), to);
    return new Edge.Direct(object.text("from"), to);
  }

  private static Value value(Item item, JsonTree tree) {
    var where = "`" + item.word() + "`";
    return switch (item.shape()) {
      case WORD -> new Value.Word(word(item, JsonObject.text(tree, where)));
      case TEXT -> new Value.Text(JsonObject.text(tree, where));
      case TEXTS -> new Value.Texts(JsonObject.texts(tree, where));
      case NAME -> new Value.Name(JsonObject.text(tree, where));
      case NAMES -> new Value.Names(JsonObject.texts(tree, where));
      case TARGETS -> targets(item, tree, where);
      case COUNT -> new Value.Count(JsonObject.count(tree, where));
      case DURATION -> new Value.Time(JsonObject.duration(tree, where));
      case FLAG -> flag(tree, where);
      case OBJECT -> new Value.Fields(fields(JsonObject.of(tree, where)));
      case TYPE -> new Value.Type(TypeName.parse(JsonObject.text(tree, where)));
      case FIELDS -> new Value.TypedFields(JsonObject.list(tree, where, BlueprintReader::field));
      case ROUTES ->
          new Value.Routes(
              JsonObject.list(
                  tree, where, each -> new Value.Route(each.text("label"), each.text("to"))));
      case SENDS ->
          new Value.Sends(
              JsonObject.list(
                  tree, where, each -> new Value.Send(each.text("to"), each.text("mapping"))));
      case BLOCK -> {
        var scope = item == Item.DEFAULTS ? Scope.DEFAULTS : Scope.NODE_DEFAULTS;
        yield new Value.Block(scope, items(scope, JsonObject.of(tree, where)));
      }
      default -> object(item.shape(), JsonObject.of(tree, where));
    };
  }

  private static String word(Item item, String word) {
    if (item.words().contains(word)) return word;
    throw new IllegalArgumentException("`" + item.word() + "` cannot be `" + word + "`");
  }

  private static Value flag(JsonTree tree, String where) {
    if (tree.equals(JsonTree.of(true))) return new Value.Flag();
    throw JsonObject.wrong(where, "true");
  }

  private static Value targets(Item item, JsonTree tree, String where) {
    if (item == Item.START && tree instanceof JsonTree.Fields) {
      return new Value.Block(Scope.START, items(Scope.START, JsonObject.of(tree, where)));
    }
    return new Value.Names(JsonObject.texts(tree, where));
  }

  /// Reads a value that is an object with fields of its own.
  private static Value object(Shape shape, JsonObject object) {
    Value value =
        switch (shape) {
          case PROMPT ->
              object.has("template")
                  ? new Value.Prompt(object.text("template"), true)
                  : new Value.Prompt(object.text("text"), false);
          case ROUTER -> new Value.Router(object.text("name"), object.bool("many"));
          case FAN_OUT -> new Value.FanOut(object.text("router"), object.texts("to"));
          case RATE -> new Value.Rate(object.count("times"), object.duration("per"));
          case SOURCES -> new Value.Sources(object.count("needs"), object.texts("nodes"));
          case COMMAND ->
              new Value.Command(object.optional("goto"), fields(object.object("update")));
          case STEERING ->
              new Value.Steering(allowed(object.object("allow")), object.text("delivery"));
          case ON_FAILURE ->
              new Value.OnFailure(
                  object.text("then"),
                  object.optional("to"),
                  fields(object.object("update")),
                  object.optional("record"));
          default -> throw new IllegalStateException("no object: " + shape);
        };
    object.done();
    return value;
  }

  private static Map<String, List<String>> allowed(JsonObject object) {
    var allowed = new LinkedHashMap<String, List<String>>();
    for (var actor : object.names()) allowed.put(actor, object.texts(actor));
    return allowed;
  }

  private static Value.Field field(JsonObject object) {
    return new Value.Field(
        object.text("name"), TypeName.parse(object.text("type")), object.bool("optional"));
  }

  private static List<Literal> literals(JsonTree tree) {
    var all = new ArrayList<Literal>();
    for (var each : JsonObject.items(tree, "arguments")) all.add(literal(each));
    return all;
  }

  private static Map<String, Literal> fields(JsonObject object) {
    var fields = new LinkedHashMap<String, Literal>();
    for (var name : object.names()) fields.put(name, literal(object.get(name)));
    return fields;
  }

  private static Literal literal(JsonTree tree) {
    return switch (tree) {
      case JsonTree.Text(var text) -> new Literal.Text(text);
      case JsonTree.Decimal(BigDecimal number) -> new Literal.Decimal(number);
      case JsonTree.Bool(var bool) -> new Literal.Bool(bool);
      case JsonTree.Null() -> new Literal.Null();
      case JsonTree.Items(var values) ->
          new Literal.Many(values.stream().map(BlueprintReader::literal).toList());
      case JsonTree.Fields _ -> tagged(JsonObject.of(tree, "a value"));
    };
  }

  private static Literal tagged(JsonObject object) {
    Literal literal;
    if (object.has("word")) literal = new Literal.Word(object.text("word"));
    else if (object.has("time")) literal = new Literal.Time(object.duration("time"));
    else literal = new Literal.Fields(fields(object.object("object")));
    object.done();
    return literal;
  }

  private static Provenance provenance(JsonObject object) {
    var origin =
        object.has("file")
            ? new Provenance.Origin.File(object.text("file"))
            : new Provenance.Origin.Generated(
                Optional.of(object.text("generated")).filter(by -> !by.isEmpty()));
    var spans = new LinkedHashMap<String, Span>();
    var places = object.object("spans");
    for (var place : places.names()) spans.put(place, span(places.get(place)));
    var from =
        new Provenance(
            origin,
            object.optional("content").map(BlueprintReader::contentHash),
            object.optional("parent_run"),
            object.optional("at").map(BlueprintReader::instant),
            spans);
    object.done();
    return from;
  }

  private static String contentHash(String text) {
    if (text.matches("[0-9a-f]{64}")) return text;
    throw JsonObject.wrong("`content`", "a SHA-256 in hexadecimal");
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException _) {
      throw JsonObject.wrong("`at`", "an instant");
    }
  }

  private static Span span(JsonTree tree) {
    var ends = JsonObject.items(tree, "a span");
    if (ends.size() != 2) throw JsonObject.wrong("a span", "two numbers");
    return new Span(
        JsonObject.count(ends.getFirst(), "a span"), JsonObject.count(ends.getLast(), "a span"));
  }
}
