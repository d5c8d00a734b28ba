package dev.superstep.language.check;

import dev.superstep.language.CodePoints;
import dev.superstep.language.Diagnostics;
import dev.superstep.language.Span;
import dev.superstep.language.Suggestion;
import dev.superstep.language.blueprint.Blueprint;
import dev.superstep.language.blueprint.ChannelBlueprint;
import dev.superstep.language.blueprint.Edge;
import dev.superstep.language.blueprint.Literal;
import dev.superstep.language.blueprint.NodeBlueprint;
import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.RagCode;
import dev.superstep.language.rag.Scope;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.rag.SyntaxTree;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Makes blueprints of the tree of a source. What is there twice is reported, and the first one
/// counts. For one use.
final class Lowering {
  private static final Pattern NODE = Pattern.compile("[A-Za-z_][A-Za-z0-9 _.:-]{0,199}");
  private static final Set<String> ENGINE = Set.of("__start__", "__end__", "__input__");
  private static final Pattern CHANNEL = Pattern.compile("[A-Za-z_][A-Za-z0-9_:-]{0,199}");

  private final SyntaxTree tree;
  private final Diagnostics diagnostics;
  private final Literals literals;

  /// A graph, and where its parts are.
  record Lowered(Blueprint blueprint, Places places) {}

  Lowering(SyntaxTree tree, Diagnostics diagnostics) {
    this.tree = tree;
    this.diagnostics = diagnostics;
    this.literals = new Literals(tree, diagnostics);
  }

  List<Lowered> graphs() {
    var all = new ArrayList<Lowered>();
    var first = new HashMap<String, SyntaxNode>();
    for (var node : tree.root().children(Production.GRAPH)) {
      var name = node.children().getFirst();
      if (name.production() == Production.SKIPPED) continue;
      if (!isFree(name, "graph", RagCode.DUPLICATE_GRAPH, first)) continue;
      check(name, NODE);
      all.add(new Graph(literals.name(name)).of(node));
    }
    return all;
  }

  /// Returns whether a name is not taken; if it is, that is reported.
  private boolean isFree(
      SyntaxNode node, String noun, RagCode code, Map<String, SyntaxNode> first) {
    var name = literals.name(node);
    if (!Literals.isWritable(name)) return false;
    var before = first.putIfAbsent(name, node);
    if (before == null) return true;
    diagnostics.add(
        code.at(tree.span(node), "there are two " + noun + "s `" + CodePoints.quote(name, 40) + "`")
            .also(tree.span(before), "first here")
            .help("rename or remove one"));
    return false;
  }

  private void check(SyntaxNode node, Pattern pattern) {
    var name = literals.name(node);
    if (name.equals("START") || name.equals(Edge.END)) {
      literals.report(
          RagCode.RESERVED_NAME,
          node,
          "`" + name + "` is the " + (name.equals("START") ? "beginning" : "end") + " of a graph",
          "choose another name");
    } else if (ENGINE.contains(name)) {
      literals.report(
          RagCode.RESERVED_NAME, node, "`" + name + "` is a name of the engine", "choose another");
    } else if (!pattern.matcher(name).matches()) {
      var foreign = CodePoints.foreign(name);
      var why =
          foreign.isEmpty()
              ? "a name begins with a letter or `_`, and holds letters, digits and `_`"
              : "a name holds characters that are not ASCII: " + foreign;
      literals.report(RagCode.INVALID_NAME, node, why, "choose another name");
    }
  }

  /// A graph while its blueprint is made.
  private final class Graph {
    private final String name;
    private final Places places = new Places();
    private final ItemLowering lowering = new ItemLowering(literals, places);
    private final EnumMap<Capability, List<String>> allow = new EnumMap<>(Capability.class);
    private final EnumMap<Capability, SyntaxNode> allowed = new EnumMap<>(Capability.class);
    private final List<ChannelBlueprint> channels = new ArrayList<>();
    private final List<NodeBlueprint> nodes = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Map<String, SyntaxNode> channelNames = new HashMap<>();
    private final Map<String, SyntaxNode> nodeNames = new HashMap<>();

    Graph(String name) {
      this.name = name;
    }

    Lowered of(SyntaxNode graph) {
      places.put("graph", span(graph.children().getFirst()));
      var items = new ArrayList<SyntaxNode>();
      for (var child : graph.children()) {
        switch (child.production()) {
          case ITEM -> items.add(child);
          case ALLOW -> allow(child);
          case CHANNEL -> channel(child);
          case NODE -> node(child);
          case EDGE -> edge(child);
          case JOIN -> join(child);
          case TRIGGER -> trigger(child);
          default -> {}
        }
      }
      var made = lowering.items("graph", Scope.GRAPH, items);
      var blueprint = new Blueprint(name, made, allow, channels, nodes, edges, Optional.empty());
      return new Lowered(blueprint, places);
    }

    private Span span(SyntaxNode node) {
      return tree.span(node);
    }

    private void allow(SyntaxNode node) {
      var word = node.children().getFirst();
      if (word.production() == Production.SKIPPED) return;
      var kind = Capability.of(literals.text(word));
      if (kind.isEmpty()) {
        var text = literals.text(word);
        var near = Suggestion.didYouMean(text, Capability.words());
        literals.report(
            RagCode.INVALID_VALUE,
            word,
            "nothing is named `" + CodePoints.quote(text, 40) + "` that could be allowed",
            near.isEmpty() ? "use one of " + Literals.quoted(Capability.words()) : near);
        return;
      }
      var before = allowed.putIfAbsent(kind.get(), word);
      if (before != null) {
        diagnostics.add(
            RagCode.DUPLICATE_ITEM
                .at(span(word), "`allow " + kind.get().word() + "` is there twice")
                .also(span(before), "first here")
                .help("keep one, with all names"));
        return;
      }
      var path = "allow/" + kind.get().word();
      places.put(path, span(node));
      var list = node.children().getLast();
      var names = new ArrayList<String>();
      for (var each : list.children(Production.STRING)) {
        var text = literals.string(each);
        if (!Literals.isWritable(text) || names.contains(text)) continue;
        places.put(path + "/" + names.size(), span(each));
        names.add(text);
      }
      allow.put(kind.get(), names);
    }

    private void channel(SyntaxNode node) {
      var nameNode = node.children().getFirst();
      if (nameNode.production() == Production.SKIPPED) return;
      if (!isFree(nameNode, "channel", RagCode.DUPLICATE_CHANNEL, channelNames)) return;
      check(nameNode, CHANNEL);
      var channel = literals.name(nameNode);
      var path = "channel/" + channel;
      places.put(path, span(nameNode));
      var reducer = node.child(Production.WORD);
      if (reducer.isEmpty()) {
        literals.report(
            RagCode.CHANNEL_WITHOUT_REDUCER,
            nameNode,
            "channel `" + CodePoints.quote(channel, 40) + "` has no reducer",
            "say how writes are combined, as in `channel " + channel + " append`");
      } else places.put(path + "/reducer", span(reducer.get()));
      var arguments = new ArrayList<Literal>();
      var cuts = new ArrayList<ChannelBlueprint.Cut>();
      Optional<TypeName> type = Optional.empty();
      for (var child : node.children().subList(1, node.children().size())) {
        switch (child.production()) {
          case STRING, NUMBER -> argument(path, child, arguments);
          case CHANNEL_TYPE -> {
            places.put(path + "/of", span(child.children().getFirst()));
            type = lowering.type(child.children().getFirst());
          }
          case CHANNEL_CUT -> cut(path, child, cuts);
          default -> {}
        }
      }
      var word = reducer.map(literals::text).orElse("overwrite");
      channels.add(new ChannelBlueprint(channel, word, arguments, type, cuts));
    }

    private void argument(String path, SyntaxNode node, List<Literal> into) {
      places.put(path + "/argument/" + into.size(), span(node));
      @Nullable Literal literal = literals.literal(node);
      if (literal != null) into.add(literal);
    }

    private void cut(String path, SyntaxNode node, List<ChannelBlueprint.Cut> cuts) {
      var at = path + "/cut/" + cuts.size();
      places.put(at, span(node));
      var arguments = new ArrayList<Literal>();
      for (var child : node.children().subList(1, node.children().size())) {
        argument(at, child, arguments);
      }
      cuts.add(new ChannelBlueprint.Cut(literals.text(node.children().getFirst()), arguments));
    }

    private void node(SyntaxNode node) {
      var nameNode = node.children().getFirst();
      if (nameNode.production() == Production.SKIPPED) return;
      if (!isFree(nameNode, "node", RagCode.DUPLICATE_NODE, nodeNames)) return;
      check(nameNode, NODE);
      var text = literals.name(nameNode);
      places.put("node/" + text, span(nameNode));
      var items = lowering.items("node/" + text, Scope.NODE, node.children());
      nodes.add(new NodeBlueprint(text, items));
    }

    private void edge(SyntaxNode node) {
      var from = node.children().getFirst();
      var to = node.children().getLast();
      if (to.production() == Production.SKIPPED) return;
      var path = "edge/" + edges.size();
      places.put(path, span(node));
      places.put(path + "/from", span(from));
      places.put(path + "/to", span(to));
      add(new Edge.Direct(writable(from), writable(to)));
    }

    private void add(Edge edge) {
      edges.add(edge);
    }

    /// The lexer reported what cannot be written; nothing has such a name.
    private String writable(SyntaxNode node) {
      var text = literals.name(node);
      return Literals.isWritable(text) ? text : "";
    }

    private void join(SyntaxNode node) {
      var to = node.children().getLast();
      var names = node.child(Production.NAMES);
      if (names.isEmpty() || to.production() != Production.TARGET) return;
      var path = "edge/" + edges.size();
      places.put(path, span(node));
      places.put(path + "/to", span(to));
      int needs = lowering.needs(node.children().getFirst());
      var from = lowering.names(path + "/from", names.get());
      add(new Edge.Join(needs, from, writable(to)));
    }

    private void trigger(SyntaxNode node) {
      var to = node.children().getLast();
      var names = node.child(Production.NAMES);
      if (names.isEmpty() || to.production() != Production.TARGET) return;
      var path = "edge/" + edges.size();
      places.put(path, span(node));
      places.put(path + "/to", span(to));
      add(new Edge.Trigger(lowering.names(path + "/from", names.get()), writable(to)));
    }
  }
}
