package dev.superstep.language.check;

import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Items;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.blueprint.Value;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Key;
import dev.superstep.language.rag.Scope;
import dev.superstep.testkit.Choices;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes random blueprints. They have the right form, but need not make sense as graphs.
final class RandomBlueprints {
  private static final List<String> PIECES =
      List.of(
          "a", "Pay", " ", "  ", "\n", "\n  ", "\t", "\r", "\"", "\"\"\"", "\\", "\\n", "{claim}",
          "{{", "}", "ä", "漢字", "🎉", "//", "0", "'", "->", "\u00a0", "\u200b");
  private static final List<String> NAMES =
      List.of(
          "a",
          "b",
          "node",
          "graph",
          "start",
          "END_",
          "_",
          "_x",
          "check_it",
          "of",
          "retry",
          "x1",
          "two words",
          "dash-ed",
          "with:colon",
          "template",
          "many",
          "list",
          "true",
          "null",
          "channel",
          "route");
  private static final List<String> WORDS =
      List.of("a", "fast", "of", "node", "template", "record", "per");
  private static final List<String> TYPES =
      List.of("text", "int", "decimal", "bool", "json", "Ticket", "demo.Finding", "a$b");

  private final Choices choices;

  private RandomBlueprints(Choices choices) {
    this.choices = choices;
  }

  static Blueprint draw(Choices choices) {
    return new RandomBlueprints(choices).blueprint();
  }

  private Blueprint blueprint() {
    var channels = names(4).stream().map(this::channel).toList();
    var nodes =
        names(5).stream().map(name -> new NodeBlueprint(name, items(Scope.NODE, 6))).toList();
    var allow = new EnumMap<Capability, List<String>>(Capability.class);
    for (var kind : Capability.values()) if (choices.chance(10)) allow.put(kind, texts(3));
    return new Blueprint(
        name(),
        items(Scope.GRAPH, 5),
        allow,
        channels,
        nodes,
        choices.list(5, c -> edge()),
        Optional.empty());
  }

  private String text() {
    return String.join("", choices.list(8, c -> c.of(PIECES)));
  }

  private String name() {
    return choices.of(NAMES);
  }

  private List<String> names(int most) {
    return List.copyOf(new LinkedHashSet<>(choices.list(most, c -> c.of(NAMES))));
  }

  private List<String> texts(int most) {
    return List.copyOf(new LinkedHashSet<>(choices.list(most, c -> text())));
  }

  private ChannelBlueprint channel(String name) {
    var cuts = List.of("keep_last", "keep_within", "keep_top", "dedup_by", "snapshot_every");
    return new ChannelBlueprint(
        name,
        choices.of("append", "overwrite", "sum", "my_own", "named_barrier"),
        choices.list(2, c -> c.chance(50) ? Literal.of(text()) : number()),
        choices.chance(50) ? Optional.of(type(0)) : Optional.empty(),
        choices.list(2, c -> new ChannelBlueprint.Cut(c.of(cuts), List.of(number()))));
  }

  private TypeName type(int depth) {
    if (depth < 3 && choices.chance(20)) return TypeName.listOf(type(depth + 1));
    return TypeName.of(choices.of(TYPES));
  }

  private Edge edge() {
    return switch (choices.below(3)) {
      case 0 -> new Edge.Direct(name(), name());
      case 1 -> new Edge.Join(choices.below(4), some(), name());
      default -> new Edge.Trigger(some(), name());
    };
  }

  private List<String> some() {
    var some = names(3);
    return some.isEmpty() ? List.of(name()) : some;
  }

  private Items items(Scope scope, int most) {
    var values = new EnumMap<Item, Value>(Item.class);
    var all = List.copyOf(Item.in(scope).values());
    for (var item : choices.list(most, c -> c.of(all))) values.put(item, value(item));
    return Items.of(values);
  }

  private Value value(Item item) {
    return switch (item.shape()) {
      case WORD -> new Value.Word(word(item));
      case TEXT -> new Value.Text(text());
      case TEXTS -> new Value.Texts(texts(3));
      case NAME -> new Value.Name(name());
      case NAMES -> new Value.Names(names(3));
      case TARGETS -> targets(item);
      case COUNT -> new Value.Count(choices.between(Math.max(-5, item.least()), 1000));
      case DURATION -> new Value.Time(duration());
      case FLAG -> new Value.Flag();
      case OBJECT -> new Value.Fields(object(item));
      case PROMPT -> new Value.Prompt(text(), choices.chance(30));
      case TYPE -> new Value.Type(type(0));
      case FIELDS ->
          new Value.TypedFields(
              names(3).stream()
                  .map(name -> new Value.Field(name, type(0), choices.chance(30)))
                  .toList());
      case ROUTER -> new Value.Router(text(), choices.chance(30));
      case ROUTES -> routes();
      case SENDS -> new Value.Sends(choices.list(3, c -> new Value.Send(name(), text())));
      case FAN_OUT -> new Value.FanOut(text(), names(3));
      case COMMAND ->
          new Value.Command(choices.chance(50) ? Optional.of(name()) : Optional.empty(), fields(0));
      case STEERING -> steering();
      case ON_FAILURE -> onFailure();
      case RATE -> new Value.Rate(choices.between(1, 100), duration());
      case SOURCES -> new Value.Sources(choices.below(4), names(3));
      case BLOCK -> {
        var scope = item == Item.DEFAULTS ? Scope.DEFAULTS : Scope.NODE_DEFAULTS;
        yield new Value.Block(scope, items(scope, 4));
      }
    };
  }

  private String word(Item item) {
    var word = choices.of(item.words());
    return item == Item.KIND && word.equals("graph") ? "subgraph" : word;
  }

  private Value targets(Item item) {
    return item == Item.START && choices.chance(40)
        ? new Value.Block(Scope.START, items(Scope.START, 3))
        : new Value.Names(names(3));
  }

  private Value routes() {
    var routes = new LinkedHashMap<String, Value.Route>();
    for (var label : names(4)) {
      routes.put(
          label,
          new Value.Route(choices.chance(70) ? label : "", choices.chance(70) ? name() : label));
    }
    var distinct = new LinkedHashMap<String, Value.Route>();
    for (var route : routes.values()) distinct.putIfAbsent(route.chosenBy(), route);
    return new Value.Routes(List.copyOf(distinct.values()));
  }

  private Value steering() {
    var allowed = new LinkedHashMap<String, List<String>>();
    for (var actor : choices.list(2, c -> c.of("parent", "human"))) allowed.put(actor, texts(2));
    return new Value.Steering(allowed, choices.chance(50) ? "safe_boundary" : "");
  }

  private Value onFailure() {
    Optional<String> record = choices.chance(50) ? Optional.of(name()) : Optional.empty();
    return switch (choices.below(4)) {
      case 0 -> new Value.OnFailure("abort", Optional.empty(), Map.of(), record);
      case 1 -> new Value.OnFailure("skip", Optional.empty(), Map.of(), record);
      case 2 -> new Value.OnFailure("route", Optional.of(name()), Map.of(), record);
      default -> new Value.OnFailure("fallback", Optional.empty(), fields(0), record);
    };
  }

  private Map<String, Literal> object(Item item) {
    if (item.keys().isEmpty()) return fields(0);
    var values = new LinkedHashMap<String, Literal>();
    for (var key : choices.list(3, c -> c.of(item.keys()))) values.put(key.name(), value(key));
    return values;
  }

  private Literal value(Key key) {
    return switch (key.type()) {
      case POSITIVE -> Literal.of(choices.between(1, 100));
      case COUNT -> Literal.of(choices.below(100));
      case NUMBER -> new Literal.Decimal(new BigDecimal("1." + choices.below(100)));
      case DURATION -> new Literal.Time(duration());
      case WORD -> new Literal.Word(choices.of(key.words()));
      case BOOL -> new Literal.Bool(choices.chance(50));
      case TEXT -> Literal.of(text());
      case NODES, CHANNELS -> new Literal.Many(choices.list(3, c -> new Literal.Word(c.of(WORDS))));
    };
  }

  private Duration duration() {
    return choices.of(
        Duration.ofMillis(choices.between(1, 5000)),
        Duration.ofSeconds(choices.between(1, 7200)),
        Duration.ofNanos(choices.between(1, 2_000_000)),
        Duration.ofHours(1));
  }

  private Literal number() {
    return new Literal.Decimal(
        new BigDecimal(choices.of("0", "1", "-1", "2.50", "-0.001", "12345678901234567890")));
  }

  private Map<String, Literal> fields(int depth) {
    var fields = new LinkedHashMap<String, Literal>();
    for (var name : names(3)) fields.put(name, literal(depth));
    return fields;
  }

  private Literal literal(int depth) {
    return switch (choices.below(depth < 3 ? 8 : 6)) {
      case 0 -> Literal.of(text());
      case 1 -> number();
      case 2 -> new Literal.Word(choices.of(WORDS));
      case 3 -> new Literal.Bool(choices.chance(50));
      case 4 -> new Literal.Null();
      case 5 -> new Literal.Time(duration());
      case 6 -> new Literal.Many(new ArrayList<>(choices.list(3, c -> literal(depth + 1))));
      default -> new Literal.Fields(fields(depth + 1));
    };
  }
}
