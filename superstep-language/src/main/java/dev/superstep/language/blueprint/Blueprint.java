package dev.superstep.language.blueprint;

import dev.superstep.language.json.InvalidJson;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A graph as data: everything that its text says, with names in place of the things that it refers
/// to. It is written as text by [BlueprintText], compared by [BlueprintDiff], and stored as JSON.
/// Immutable.
///
/// @param graph the name of the graph
/// @param items the items of the graph itself: `start`, `defaults`, `input`, `limits` and so on
/// @param allow the names that the graph may use, by kind; a kind that is absent is not narrowed
/// @param edges edges, joins and triggers, in the order of the source
/// @param provenance where it comes from; not part of what it is
public record Blueprint(
    String graph,
    Items items,
    Map<Capability, List<String>> allow,
    List<ChannelBlueprint> channels,
    List<NodeBlueprint> nodes,
    List<Edge> edges,
    Optional<Provenance> provenance) {
  public Blueprint {
    Literal.checkText(graph);
    Objects.requireNonNull(items, "items");
    var sorted = new EnumMap<Capability, List<String>>(Capability.class);
    allow.forEach((kind, names) -> sorted.put(kind, List.copyOf(names)));
    allow = Collections.unmodifiableMap(sorted);
    channels = List.copyOf(channels);
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
  }

  /// A graph without anything in it.
  public static Blueprint empty(String graph) {
    return new Blueprint(
        graph, Items.none(), Map.of(), List.of(), List.of(), List.of(), Optional.empty());
  }

  /// The node of this name, if there is one.
  public Optional<NodeBlueprint> node(String name) {
    return nodes.stream().filter(node -> node.name().equals(name)).findFirst();
  }

  /// The channel of this name, if there is one.
  public Optional<ChannelBlueprint> channel(String name) {
    return channels.stream().filter(channel -> channel.name().equals(name)).findFirst();
  }

  /// The items with which the graph begins: `next` for the nodes that always do, and the routes and
  /// sends from START.
  public Items start() {
    return switch (items.find(Item.START).orElse(null)) {
      case Value.Names names -> Items.none().with(Item.NEXT, names);
      case Value.Block(_, var inner) -> inner;
      case null, default -> Items.none();
    };
  }

  /// The defaults of a run of the graph.
  public Items defaults() {
    return items.block(Item.DEFAULTS);
  }

  /// The defaults of its nodes.
  public Items nodeDefaults() {
    return defaults().block(Item.NODE_DEFAULTS);
  }

  public List<Value.Field> input() {
    return fields(Item.INPUT);
  }

  public List<Value.Field> output() {
    return fields(Item.OUTPUT);
  }

  private List<Value.Field> fields(Item item) {
    return items
        .find(item, Value.TypedFields.class)
        .map(Value.TypedFields::fields)
        .orElse(List.of());
  }

  /// Returns a copy without provenance: what the graph is, and nothing about where it comes from.
  public Blueprint withoutProvenance() {
    return with(Optional.empty());
  }

  /// Returns a copy from somewhere.
  public Blueprint withProvenance(Provenance from) {
    return with(Optional.of(from));
  }

  /// Returns a copy in which each prompt is replaced by its length and a part of its hash.
  public Blueprint withoutPrompts() {
    var hidden =
        nodes.stream()
            .map(node -> new NodeBlueprint(node.name(), withoutPrompts(node.items())))
            .toList();
    return new Blueprint(graph, items, allow, channels, hidden, edges, provenance);
  }

  /// Returns a copy without some nodes, what they lead to, and the joins that wait for them.
  public Blueprint without(Set<String> gone) {
    if (gone.isEmpty()) return this;
    var left = nodes.stream().filter(node -> !gone.contains(node.name())).toList();
    var leading = new ArrayList<Edge>();
    for (var edge : edges) {
      switch (edge) {
        case Edge.Direct(var from, _) when gone.contains(from) -> {}
        case Edge.Join(var needs, var from, var to) -> {
          var sources = from.stream().filter(each -> !gone.contains(each)).toList();
          boolean canFire = needs == 0 ? sources.size() == from.size() : sources.size() >= needs;
          if (canFire) leading.add(new Edge.Join(needs, sources, to));
        }
        case Edge.Direct _, Edge.Trigger _ -> leading.add(edge);
      }
    }
    return new Blueprint(graph, items, allow, channels, left, leading, provenance);
  }

  private static Items withoutPrompts(Items items) {
    var hidden = items;
    for (var item : List.of(Item.SYSTEM, Item.PROMPT)) {
      if (!(items.find(item).orElse(null) instanceof Value.Prompt(var text, var isTemplate))) {
        continue;
      }
      if (isTemplate) continue;
      var shown =
          "(redacted: %d characters, %s)".formatted(text.length(), digest(text).substring(0, 8));
      hidden = hidden.with(item, new Value.Prompt(shown, false));
    }
    return hidden;
  }

  private Blueprint with(Optional<Provenance> from) {
    return new Blueprint(graph, items, allow, channels, nodes, edges, from);
  }

  /// The blueprint as JSON, as [#parse] reads it; always the same text for the same blueprint.
  public String json() {
    return BlueprintJson.write(this).text();
  }

  /// Reads what [#json] wrote.
  ///
  /// @throws InvalidBlueprint if it is not a blueprint
  public static Blueprint parse(String json) {
    try {
      return BlueprintReader.read(json);
    } catch (InvalidJson | IllegalArgumentException e) {
      throw new InvalidBlueprint(String.valueOf(e.getMessage()));
    }
  }

  /// The identity of what the graph is, provenance apart: SHA-256 of its JSON, in hexadecimal. A
  /// review approves exactly this.
  public String hash() {
    return digest(withoutProvenance().json());
  }

  static String digest(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
