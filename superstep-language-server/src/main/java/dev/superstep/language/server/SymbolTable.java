package dev.superstep.language.server;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Span;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Key;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.rag.SyntaxTree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// The names in a source: what each means, where it is declared, and where it is used. Made of the
/// tree alone, so a source with errors has one. Immutable once it is made.
final class SymbolTable {
  static final Pattern PLACEHOLDER = Pattern.compile("(\\{\\{)|\\{([A-Za-z_]\\w{0,199})}");

  private final SyntaxTree tree;
  private final List<Occurrence> all = new ArrayList<>();
  private final Map<Symbol, Occurrence> definitions = new LinkedHashMap<>();
  private final Map<Symbol, SyntaxNode> declarations = new HashMap<>();
  private final Map<Capability, Set<String>> used = new HashMap<>();

  /// The kinds of things that a source declares.
  enum Kind {
    GRAPH,
    NODE,
    CHANNEL
  }

  /// A thing that a source declares.
  ///
  /// @param graph the graph that has it; empty for graphs
  record Symbol(Kind kind, String graph, String name) {}

  /// The form in which a name stands.
  enum Form {
    /// With or without quotes.
    NAME,
    /// Always in quotes.
    STRING,
    /// Without quotes, inside a string.
    PLACEHOLDER
  }

  /// A place of a name.
  record Occurrence(Symbol symbol, Span span, Form form, boolean isDefinition) {}

  private SymbolTable(SyntaxTree tree) {
    this.tree = tree;
  }

  static SymbolTable of(SyntaxTree tree) {
    var table = new SymbolTable(tree);
    for (var graph : tree.root().children()) {
      if (graph.production() == Production.GRAPH) table.new Walk(graph).graph();
    }
    return table;
  }

  /// The name at an offset, or right before it.
  Optional<Occurrence> at(int offset) {
    Optional<Occurrence> before = Optional.empty();
    for (var each : all) {
      if (each.span().start() <= offset && offset < each.span().end()) return Optional.of(each);
      if (each.span().end() == offset) before = Optional.of(each);
    }
    return before;
  }

  /// All places of a thing, in the order of the source.
  List<Occurrence> occurrences(Symbol symbol) {
    return all.stream().filter(each -> each.symbol().equals(symbol)).toList();
  }

  List<Occurrence> occurrences() {
    return List.copyOf(all);
  }

  /// The place where a thing is declared.
  Optional<Occurrence> definition(Symbol symbol) {
    return Optional.ofNullable(definitions.get(symbol));
  }

  /// The part of the source that declares a thing.
  Optional<SyntaxNode> declaration(Symbol symbol) {
    return Optional.ofNullable(declarations.get(symbol));
  }

  /// The names of a kind that are declared, in the order of the source.
  List<String> declared(Kind kind, String graph) {
    return definitions.keySet().stream()
        .filter(each -> each.kind() == kind && each.graph().equals(graph))
        .map(Symbol::name)
        .toList();
  }

  /// The names of registered things that the source uses.
  Set<String> used(Capability kind) {
    return used.getOrDefault(kind, Set.of());
  }

  /// The names of one graph.
  private final class Walk {
    private final SyntaxNode graph;
    private final String name;

    Walk(SyntaxNode graph) {
      this.graph = graph;
      this.name = value(graph.children().getFirst());
    }

    private String value(SyntaxNode node) {
      return node.production() == Production.SKIPPED ? "" : tree.name(node, new Diagnostics());
    }

    void graph() {
      define(new Symbol(Kind.GRAPH, "", name), graph.children().getFirst(), graph);
      for (var child : graph.children()) declare(child);
      for (var child : graph.children()) visit(child, Item.KIND);
    }

    /// Notes what is declared before what is used, since fields may have channels behind them.
    private void declare(SyntaxNode node) {
      switch (node.production()) {
        case NODE -> define(symbol(Kind.NODE, node), node.children().getFirst(), node);
        case CHANNEL -> define(symbol(Kind.CHANNEL, node), node.children().getFirst(), node);
        default -> {}
      }
    }

    private Symbol symbol(Kind kind, SyntaxNode declaration) {
      return new Symbol(kind, name, value(declaration.children().getFirst()));
    }

    private void define(Symbol symbol, SyntaxNode at, SyntaxNode declaration) {
      if (symbol.name().isEmpty()) return;
      boolean isFirst = !definitions.containsKey(symbol);
      var occurrence = new Occurrence(symbol, tree.span(at), Form.NAME, isFirst);
      if (isFirst) {
        definitions.put(symbol, occurrence);
        declarations.put(symbol, declaration);
      }
      all.add(occurrence);
    }

    private void use(Kind kind, SyntaxNode at) {
      var text = value(at);
      if (text.isEmpty() || text.equals("END") || text.equals("START")) return;
      all.add(new Occurrence(new Symbol(kind, name, text), tree.span(at), Form.NAME, false));
    }

    /// @param item the item around the node
    private void visit(SyntaxNode node, Item item) {
      var inner = node.item().orElse(item);
      switch (node.production()) {
        case EDGE, JOIN -> children(node, inner, Kind.NODE);
        case TRIGGER -> children(node, inner, Kind.CHANNEL);
        case TARGET -> use(Kind.NODE, node);
        case ITEM -> item(node, inner);
        case ALLOW -> allow(node);
        case FIELD -> field(node, item);
        case ROUTE -> route(node);
        case UPDATE -> keys(node.children().getFirst());
        case ON_FAILURE -> onFailure(node);
        case SEND -> strings(node, Capability.MAPPINGS);
        case NODE, CHANNEL -> {
          for (var child : node.children().subList(1, node.children().size())) visit(child, inner);
        }
        default -> node.children().forEach(child -> visit(child, inner));
      }
      if (node.production() == Production.SEND) visit(node.children().getFirst(), inner);
    }

    /// Visits children whose names are of one kind.
    private void children(SyntaxNode node, Item item, Kind kind) {
      for (var child : node.children()) {
        switch (child.production()) {
          case NAME -> use(kind, child);
          case NAMES, SOURCES -> children(child, item, kind);
          default -> visit(child, item);
        }
      }
    }

    private void item(SyntaxNode node, Item item) {
      switch (item) {
        case INTO, READS, WRITES, RUN_WHEN_CHANGED -> children(node, item, Kind.CHANNEL);
        case SOURCES -> children(node, item, Kind.NODE);
        case GRAPH_NAME -> node.children(Production.STRING).forEach(this::graphName);
        case SYSTEM, PROMPT -> {
          node.children(Production.STRING).forEach(this::placeholders);
          for (var template : node.children(Production.PROMPT)) {
            strings(template, Capability.TEMPLATES);
          }
        }
        case BREAKPOINTS -> entries(node, Key.Type.NODES, Kind.NODE);
        case CACHE -> entries(node, Key.Type.CHANNELS, Kind.CHANNEL);
        default -> {
          item.refersTo().ifPresent(kind -> strings(node, kind));
          node.children().forEach(child -> visit(child, item));
        }
      }
    }

    private void allow(SyntaxNode node) {
      var kind = Capability.of(tree.text(node.children().getFirst()));
      if (kind.isEmpty()) return;
      if (kind.get() != Capability.GRAPHS) {
        strings(node, kind.get());
        return;
      }
      for (var list : node.children(Production.STRINGS)) {
        list.children(Production.STRING).forEach(this::graphName);
      }
    }

    private void graphName(SyntaxNode string) {
      var text = tree.string(string, new Diagnostics());
      if (text.isEmpty()) return;
      var symbol = new Symbol(Kind.GRAPH, "", text);
      all.add(new Occurrence(symbol, tree.span(string), Form.STRING, false));
      used.computeIfAbsent(Capability.GRAPHS, _ -> new LinkedHashSet<>()).add(text);
    }

    private void strings(SyntaxNode node, Capability kind) {
      for (var child : node.children()) {
        switch (child.production()) {
          case STRING ->
              used.computeIfAbsent(kind, _ -> new LinkedHashSet<>())
                  .add(tree.string(child, new Diagnostics()));
          case STRINGS, ROUTER, FAN_OUT -> strings(child, kind);
          default -> {}
        }
      }
    }

    private void placeholders(SyntaxNode string) {
      var span = tree.span(string);
      var found = PLACEHOLDER.matcher(tree.source().text()).region(span.start(), span.end());
      while (found.find()) {
        if (found.group(2) == null) continue;
        var symbol = new Symbol(Kind.CHANNEL, name, found.group(2));
        var at = new Span(found.start(2), found.end(2));
        all.add(new Occurrence(symbol, at, Form.PLACEHOLDER, false));
      }
    }

    /// A field of the input declares a channel, unless there is one of its name.
    private void field(SyntaxNode node, Item item) {
      var at = node.children().getFirst();
      var symbol = new Symbol(Kind.CHANNEL, name, value(at));
      boolean isDeclared = definitions.containsKey(symbol);
      if (item == Item.INPUT && !isDeclared) define(symbol, at, node);
      else use(Kind.CHANNEL, at);
    }

    /// A route without a label leads to the node of its name.
    private void route(SyntaxNode node) {
      if (node.children().size() == 1) use(Kind.NODE, node.children().getFirst());
      else visit(node.children().getLast(), Item.ROUTES);
    }

    private void keys(SyntaxNode object) {
      for (var entry : object.children(Production.ENTRY)) {
        use(Kind.CHANNEL, entry.children().getFirst());
      }
    }

    private void onFailure(SyntaxNode node) {
      for (var child : node.children()) {
        switch (child.production()) {
          case TARGET -> use(Kind.NODE, child);
          case OBJECT -> keys(child);
          case NAME -> use(Kind.CHANNEL, child);
          default -> {}
        }
      }
    }

    /// The names in the lists of an object, for keys of one type.
    private void entries(SyntaxNode node, Key.Type type, Kind kind) {
      var item = node.item().orElse(Item.CACHE);
      for (var object : node.children(Production.OBJECT)) {
        for (var entry : object.children(Production.ENTRY)) {
          var key = item.key(value(entry.children().getFirst()));
          var list = entry.children().getLast();
          if (key.filter(each -> each.type() == type).isEmpty()) continue;
          if (list.production() != Production.LIST) continue;
          for (var each : list.children()) {
            boolean isString = each.production() == Production.STRING;
            if (isString || each.production() == Production.WORD) use(kind, each);
          }
        }
      }
    }
  }
}
