package dev.superstep.language.rag;

import static dev.superstep.language.rag.NodeKind.AGENT;
import static dev.superstep.language.rag.NodeKind.FUNCTION;
import static dev.superstep.language.rag.NodeKind.HUMAN;
import static dev.superstep.language.rag.NodeKind.INTERRUPT;
import static dev.superstep.language.rag.NodeKind.JOIN;
import static dev.superstep.language.rag.NodeKind.MODEL;
import static dev.superstep.language.rag.NodeKind.REPL_AGENT;
import static dev.superstep.language.rag.NodeKind.ROUTER;
import static dev.superstep.language.rag.NodeKind.SUBAGENT;
import static dev.superstep.language.rag.NodeKind.SUBGRAPH;
import static dev.superstep.language.rag.NodeKind.TOOL_EXECUTOR;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The items of graphs and nodes: the one table that the parser, the formatter, the printer, the
/// comparison and the checks read. The order of the constants is the order in which items are
/// written.
public enum Item {
  KIND("kind", Shape.WORD, Items.node(), Items.words(NodeKind.words())),
  FUNCTION_NAME("function", Shape.TEXT, Items.node(FUNCTION), Items.ref(Capability.FUNCTIONS)),
  MODEL_NAME(
      "model",
      Shape.TEXT,
      Items.node(MODEL, AGENT, SUBGRAPH, SUBAGENT, REPL_AGENT),
      Items.ref(Capability.MODELS)),
  AGENT_NAME("agent", Shape.TEXT, Items.node(SUBAGENT), Items.ref(Capability.AGENTS)),
  GRAPH_NAME("graph", Shape.TEXT, Items.node(SUBGRAPH), Items.ref(Capability.GRAPHS)),
  SCRIPT("script", Shape.TEXT, Items.node(REPL_AGENT), Items.ref(Capability.SCRIPTS)),
  SYSTEM("system", Shape.PROMPT, Items.node(MODEL, AGENT, REPL_AGENT), Items.plain()),
  PROMPT(
      "prompt",
      Shape.PROMPT,
      Items.node(MODEL, AGENT, REPL_AGENT, INTERRUPT, HUMAN),
      Items.plain()),
  OPTIONS("options", Shape.TEXTS, Items.node(INTERRUPT, HUMAN), Items.plain()),
  TOOLS(
      "tools",
      Shape.TEXTS,
      Items.node(AGENT, TOOL_EXECUTOR, SUBAGENT, REPL_AGENT),
      Items.ref(Capability.TOOLS)),
  MIDDLEWARE(
      "middleware",
      Shape.TEXTS,
      Items.node(MODEL, AGENT, REPL_AGENT),
      Items.ref(Capability.MIDDLEWARE)),
  RETRIEVER("retriever", Shape.TEXT, Items.node(MODEL, AGENT), Items.ref(Capability.RETRIEVERS)),
  ARGUMENT("argument", Shape.TYPE, Items.node(), Items.plain()),
  INPUT_MAPPING(
      "input",
      Shape.TEXT,
      Items.node(MODEL, AGENT, SUBGRAPH, SUBAGENT, REPL_AGENT),
      Items.ref(Capability.MAPPINGS)),
  OUTPUT_MAPPING(
      "output", Shape.TEXT, Items.node(SUBGRAPH, SUBAGENT), Items.ref(Capability.MAPPINGS)),
  ANSWER(
      "answer",
      Shape.TYPE,
      Items.node(MODEL, AGENT, SUBAGENT, REPL_AGENT, INTERRUPT, HUMAN),
      Items.plain()),
  INTO(
      "into",
      Shape.NAME,
      Items.node(MODEL, AGENT, SUBAGENT, REPL_AGENT, INTERRUPT, HUMAN),
      Items.plain()),
  READS("reads", Shape.NAMES, Items.node(), Items.plain()),
  WRITES("writes", Shape.NAMES, Items.node(), Items.plain()),
  SOURCES("sources", Shape.SOURCES, Items.node(JOIN), Items.plain()),
  RUN_WHEN_CHANGED("run_when_changed", Shape.NAMES, Items.node(), Items.plain()),
  DEFERRED("deferred", Shape.FLAG, Items.node(), Items.plain()),
  REMEMBERING("remembering", Shape.FLAG, Items.node(SUBGRAPH, SUBAGENT), Items.plain()),

  METADATA("metadata", Shape.OBJECT, Items.both(), Items.plain()),
  DEFAULTS("defaults", Shape.BLOCK, Items.graph(), Items.plain()),
  RECURSION_LIMIT("recursion_limit", Shape.COUNT, Items.defaults(), Items.plain()),
  TOTAL_LIMIT("total_limit", Shape.COUNT, Items.defaults(), Items.plain()),
  RETRY_BUDGET("retry_budget", Shape.COUNT, Items.defaults(), Items.least(0)),
  DURABILITY("durability", Shape.WORD, Items.defaults(), Items.words("sync", "async", "exit")),
  STREAMING("streaming", Shape.WORD, Items.defaults(), Items.words("enabled", "disabled")),
  RUN_CACHE("cache", Shape.WORD, Items.defaults(), Items.words("enabled", "disabled")),
  DATAFLOW("dataflow", Shape.WORD, Items.defaults(), Items.words("enabled", "disabled")),
  CHECKPOINT(
      "checkpoint",
      Shape.WORD,
      // What others do is saved with the superstep alone; a function says itself what it saves.
      Items.in(
          Set.of(MODEL, AGENT, TOOL_EXECUTOR, SUBGRAPH, SUBAGENT, REPL_AGENT, INTERRUPT, HUMAN),
          Scope.GRAPH,
          Scope.NODE,
          Scope.DEFAULTS),
      Items.words("inherit", "enabled", "disabled")),
  INPUT("input", Shape.FIELDS, Items.graph(), Items.plain()),
  OUTPUT("output", Shape.FIELDS, Items.graph(), Items.plain()),
  STORE("store", Shape.TEXT, Items.graph(), Items.ref(Capability.STORES)),
  QUESTIONS("questions", Shape.TEXTS, Items.graph(), Items.ref(Capability.QUESTIONS)),
  INTERRUPTS("interrupt", Shape.WORD, Items.graph(), Items.words("enabled", "disabled")),
  CYCLES("cycles", Shape.WORD, Items.graph(), Items.words("allow", "warn", "forbid")),
  BREAKPOINTS(
      "breakpoints",
      Shape.OBJECT,
      Items.graph(),
      Items.keys(
          Key.of("before", Key.Type.NODES, "stops before a superstep with one of these nodes"),
          Key.of("after", Key.Type.NODES, "stops after a superstep with one of these nodes"),
          Key.of("every_step", Key.Type.BOOL, "stops after each superstep"))),
  LIMITS(
      "limits",
      Shape.OBJECT,
      Items.in(Set.of(AGENT, SUBAGENT, REPL_AGENT, MODEL), Scope.GRAPH, Scope.NODE),
      Items.keys(
          Key.of("model_calls", Key.Type.COUNT, "the most calls of models"),
          Key.of("tool_calls", Key.Type.COUNT, "the most calls of tools"),
          Key.of("tokens", Key.Type.COUNT, "the most tokens, in and out"),
          Key.of("cost", Key.Type.NUMBER, "the most money, in US dollars"),
          Key.of("depth", Key.Type.POSITIVE, "the most agents inside each other"),
          Key.of("tasks", Key.Type.POSITIVE, "the most tasks of nodes"))),

  RETRY(
      "retry",
      Shape.OBJECT,
      Items.in(Scope.NODE, Scope.NODE_DEFAULTS),
      Items.keys(
          Key.of("max_attempts", Key.Type.POSITIVE, "how often the node runs, the first included"),
          Key.word("backoff", "how the waits grow", "exponential", "fixed"),
          Key.of("initial", Key.Type.DURATION, "the longest wait before the second attempt"),
          Key.of("factor", Key.Type.NUMBER, "by how much the longest wait grows"),
          Key.of("max", Key.Type.DURATION, "the longest wait of all"),
          Key.word("jitter", "whether waits are drawn at random", "full", "none"))),
  TIMEOUT(
      "timeout",
      Shape.DURATION,
      Items.in(Scope.NODE, Scope.DEFAULTS, Scope.NODE_DEFAULTS),
      Items.plain()),
  IDLE_TIMEOUT(
      "idle_timeout", Shape.DURATION, Items.in(Scope.NODE, Scope.NODE_DEFAULTS), Items.plain()),
  ON_FAILURE(
      "on_failure", Shape.ON_FAILURE, Items.in(Scope.NODE, Scope.NODE_DEFAULTS), Items.plain()),
  CONCURRENCY(
      "concurrency",
      Shape.COUNT,
      Items.in(Scope.NODE, Scope.DEFAULTS, Scope.NODE_DEFAULTS),
      Items.plain()),
  PRIORITY(
      "priority",
      Shape.COUNT,
      Items.in(Scope.NODE, Scope.NODE_DEFAULTS),
      Items.least(Integer.MIN_VALUE)),
  RATE("rate", Shape.RATE, Items.in(Scope.NODE, Scope.NODE_DEFAULTS), Items.plain()),
  VISITS("visits", Shape.COUNT, Items.in(Scope.NODE, Scope.NODE_DEFAULTS), Items.plain()),
  CACHE(
      "cache",
      Shape.OBJECT,
      Items.in(Scope.NODE, Scope.NODE_DEFAULTS),
      Items.keys(
          Key.of("by", Key.Type.CHANNELS, "the channels that the result depends on"),
          Key.of("key", Key.Type.TEXT, "a registered mapping that makes the key"),
          Key.of("ttl", Key.Type.DURATION, "how long a result may be used"),
          Key.of("version", Key.Type.TEXT, "the version of what the node does"))),
  STEERING("steering", Shape.STEERING, Items.steered(), Items.plain()),
  NODE_DEFAULTS("node", Shape.BLOCK, Items.defaults(), Items.plain()),

  START("start", Shape.TARGETS, Items.graph(), Items.plain()),
  COMMAND("command", Shape.COMMAND, Items.notRouter(), Items.plain()),
  ROUTER_NAME(
      "router", Shape.ROUTER, Items.in(Scope.NODE, Scope.START), Items.ref(Capability.ROUTERS)),
  ROUTES("routes", Shape.ROUTES, Items.in(Scope.NODE, Scope.START), Items.plain()),
  NEXT("next", Shape.TARGETS, Items.in(Scope.NODE, Scope.START), Items.plain()),
  SENDS("sends", Shape.SENDS, Items.in(Scope.NODE, Scope.START), Items.ref(Capability.MAPPINGS)),
  FAN_OUT(
      "fan_out", Shape.FAN_OUT, Items.in(Scope.NODE, Scope.START), Items.ref(Capability.ROUTERS)),
  DESTINATIONS("destinations", Shape.TARGETS, Items.node(), Items.plain()),
  ADDED_DESTINATIONS("added_destinations", Shape.TARGETS, Items.node(), Items.plain()),
  HAND_OFFS("hand_offs", Shape.TARGETS, Items.node(SUBGRAPH), Items.plain());

  private static final Map<Scope, Map<String, Item>> BY_WORD = byWord();

  private final String word;
  private final Shape shape;

  // Their sets and lists cannot be changed.
  @SuppressWarnings("ImmutableEnumChecker")
  private final Items.Place place;

  @SuppressWarnings("ImmutableEnumChecker")
  private final Items.Rule rule;

  Item(String word, Shape shape, Items.Place place, Items.Rule rule) {
    this.word = word;
    this.shape = shape;
    this.place = place;
    this.rule = rule;
  }

  /// The keyword.
  public String word() {
    return word;
  }

  public Shape shape() {
    return shape;
  }

  /// The blocks in which it may stand.
  public Set<Scope> scopes() {
    return place.scopes();
  }

  /// Returns whether nodes of a kind may have it.
  public boolean fits(NodeKind kind) {
    return place.scopes().contains(Scope.NODE) && place.kinds().contains(kind);
  }

  /// The kinds of nodes that may have it.
  public Set<NodeKind> kinds() {
    return place.scopes().contains(Scope.NODE) ? place.kinds() : Set.of();
  }

  /// The words that its value may be; empty if it is not one of a few.
  public List<String> words() {
    return rule.words();
  }

  /// The keys that its object may have; empty if it may have any.
  public List<Key> keys() {
    return rule.keys();
  }

  /// The key of this name, if there is one.
  public Optional<Key> key(String name) {
    return rule.keys().stream().filter(key -> key.name().equals(name)).findFirst();
  }

  /// The kind of registered things that its strings name, if they name any.
  public Optional<Capability> refersTo() {
    return rule.refersTo();
  }

  /// The smallest whole number that it may be.
  public int least() {
    return rule.least();
  }

  /// The item that a keyword means in a block, if it means one.
  public static Optional<Item> of(Scope scope, String word) {
    return Optional.ofNullable(BY_WORD.getOrDefault(scope, Map.of()).get(word));
  }

  /// The items of a block, by keyword and in their order.
  public static Map<String, Item> in(Scope scope) {
    return BY_WORD.getOrDefault(scope, Map.of());
  }

  private static Map<Scope, Map<String, Item>> byWord() {
    var all = new EnumMap<Scope, Map<String, Item>>(Scope.class);
    for (var item : values()) {
      for (var scope : item.scopes()) {
        var other = all.computeIfAbsent(scope, _ -> new LinkedHashMap<>()).put(item.word, item);
        if (other != null) throw new IllegalStateException("two items `" + item.word + "`");
      }
    }
    all.replaceAll((_, items) -> java.util.Collections.unmodifiableMap(items));
    return all;
  }

  /// The columns of the table.
  private static final class Items {
    record Place(Set<Scope> scopes, Set<NodeKind> kinds) {}

    record Rule(List<String> words, List<Key> keys, Optional<Capability> refersTo, int least) {}

    private static final Set<NodeKind> ALL = EnumSet.allOf(NodeKind.class);

    static Place node(NodeKind... kinds) {
      return new Place(Set.of(Scope.NODE), kinds.length == 0 ? ALL : Set.of(kinds));
    }

    static Place notRouter() {
      return new Place(Set.of(Scope.NODE), EnumSet.complementOf(EnumSet.of(ROUTER, JOIN)));
    }

    static Place steered() {
      return in(Scope.NODE, Scope.DEFAULTS);
    }

    static Place graph() {
      return new Place(Set.of(Scope.GRAPH), ALL);
    }

    static Place defaults() {
      return new Place(Set.of(Scope.DEFAULTS), ALL);
    }

    static Place both() {
      return new Place(Set.of(Scope.GRAPH, Scope.NODE), ALL);
    }

    static Place in(Scope... scopes) {
      return in(ALL, scopes);
    }

    static Place in(Set<NodeKind> kinds, Scope... scopes) {
      return new Place(EnumSet.copyOf(Arrays.asList(scopes)), kinds);
    }

    static Rule plain() {
      return least(1);
    }

    static Rule least(int least) {
      return new Rule(List.of(), List.of(), Optional.empty(), least);
    }

    static Rule words(String... words) {
      return words(List.of(words));
    }

    static Rule words(List<String> words) {
      return new Rule(words, List.of(), Optional.empty(), 1);
    }

    static Rule keys(Key... keys) {
      return new Rule(List.of(), List.of(keys), Optional.empty(), 1);
    }

    static Rule ref(Capability capability) {
      return new Rule(List.of(), List.of(), Optional.of(capability), 1);
    }
  }
}
