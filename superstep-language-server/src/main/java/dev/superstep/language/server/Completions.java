package dev.superstep.language.server;

import dev.superstep.language.blueprint.TypeName;
import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.Reference;
import dev.superstep.language.rag.Scope;
import dev.superstep.language.rag.Shape;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.server.SymbolTable.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.eclipse.lsp4j.CompletionItem;
import org.eclipse.lsp4j.CompletionItemKind;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;
import org.eclipse.lsp4j.TextEdit;
import org.eclipse.lsp4j.jsonrpc.messages.Either;

/// Finds the words that may stand at a place of a source. For one use.
final class Completions {
  private static final List<String> ACTORS = List.of("parent", "human");
  private static final List<String> POLICIES = List.of("all", "any");

  private final OpenDocument document;
  private final Optional<CompletionPlace> found;
  private final Map<String, CompletionItem> items = new LinkedHashMap<>();
  private Optional<SymbolTable> table = Optional.empty();

  Completions(OpenDocument document, int offset) {
    this.document = document;
    this.found = CompletionPlace.at(document, offset);
  }

  /// The completions, in the order of the reference or of the source.
  List<CompletionItem> items() {
    found.ifPresent(this::add);
    return List.copyOf(items.values());
  }

  private void add(CompletionPlace place) {
    switch (place.last().production()) {
      case PROGRAM -> words(place, List.of("graph"), CompletionItemKind.Keyword);
      case SKIPPED, GRAPH, NODE, BLOCK -> block(place);
      case TARGET -> targets(place);
      case NAME -> names(place);
      case WORD -> words(place);
      case TYPE -> types(place);
      case STRING, STRINGS -> strings(place);
      case SENDS -> words(place, List.of("send"), CompletionItemKind.Keyword);
      case COMMAND -> words(place, List.of("goto", "update"), CompletionItemKind.Keyword);
      default -> {}
    }
  }

  private SymbolTable symbols(CompletionPlace place) {
    var known = table.orElseGet(() -> SymbolTable.of(place.tree()));
    table = Optional.of(known);
    return known;
  }

  /// Adds what a block may hold, or the value of the item whose keyword stands before.
  private void block(CompletionPlace place) {
    if (place.isQuoted()) return;
    if (place.last().production() == Production.SKIPPED && place.last().first() != place.token()) {
      return;
    }
    var scope = place.block();
    if (scope.isEmpty()) {
      if (place.outer(1).filter(each -> each.production() == Production.SENDS).isPresent()) {
        words(place, List.of("send"), CompletionItemKind.Keyword);
      } else if (place.outer(1).filter(e -> e.production() == Production.PROGRAM).isPresent()) {
        words(place, List.of("graph"), CompletionItemKind.Keyword);
      }
      return;
    }
    var before = place.wordBefore();
    var item = Item.of(scope.get(), before);
    if (item.isPresent() && expects(place, item.get())) return;
    if (scope.get() == Scope.GRAPH && before.equals("join")) {
      words(place, POLICIES, CompletionItemKind.Keyword);
      return;
    }
    if (!place.tree().tokens().startsLine(place.token())) afterChannel(place);
    keywords(place, scope.get());
  }

  /// Adds the value of an item that was not recognized as one; returns whether there is such.
  private boolean expects(CompletionPlace place, Item item) {
    switch (item.shape()) {
      case ON_FAILURE ->
          words(place, List.of("abort", "skip", "route", "fallback"), CompletionItemKind.Keyword);
      case PROMPT -> words(place, List.of("template"), CompletionItemKind.Keyword);
      case ROUTER, FAN_OUT, TEXT -> item.refersTo().ifPresent(kind -> registered(place, kind));
      case SOURCES -> words(place, POLICIES, CompletionItemKind.Keyword);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void afterChannel(CompletionPlace place) {
    boolean isChannel =
        place
            .outer(1)
            .flatMap(graph ->
                graph.children().stream().filter(e -> e.end() == place.token()).findFirst())
            .filter(each -> each.production() == Production.CHANNEL)
            .isPresent();
    if (!isChannel) return;
    put(place, "of", "of", CompletionItemKind.Keyword, "the type of the values");
    Reference.channelCuts()
        .forEach((word, meaning) -> put(place, word, word, CompletionItemKind.Keyword, meaning));
  }

  private void keywords(CompletionPlace place, Scope scope) {
    var block =
        place.last().production() == Production.SKIPPED
            ? place.outer(1).orElseThrow()
            : place.last();
    var there = new ArrayList<Item>();
    for (var child : block.children()) child.item().ifPresent(there::add);
    var kind = scope == Scope.NODE ? kind(place, block) : Optional.<NodeKind>empty();
    for (var item : Item.in(scope).values()) {
      if (there.contains(item)) continue;
      if (kind.isPresent() && !item.fits(kind.get())) continue;
      put(
              place,
              item.word(),
              item.word(),
              CompletionItemKind.Property,
              Reference.of(item).meaning())
          .setDetail(
              item.word() + (item.shape() == Shape.FLAG ? "" : " " + item.shape().production()));
    }
    if (scope != Scope.GRAPH) return;
    Reference.declared()
        .forEach((word, meaning) -> {
          if (!word.equals("graph")) put(place, word, word, CompletionItemKind.Keyword, meaning);
        });
    own(place, Kind.NODE);
  }

  /// The kind of a node, if it says one; a node without one may become any.
  private static Optional<NodeKind> kind(CompletionPlace place, SyntaxNode node) {
    for (var child : node.children()) {
      if (child.item().filter(Item.KIND::equals).isEmpty() || child.children().isEmpty()) continue;
      return NodeKind.of(place.tree().text(child.children().getFirst()));
    }
    return Optional.empty();
  }

  private void targets(CompletionPlace place) {
    own(place, Kind.NODE);
    boolean isSent = place.around(Production.SEND).isPresent();
    boolean isStart = place.item().filter(Item.START::equals).isPresent();
    if (!isSent && !isStart) put(place, "END", "END", CompletionItemKind.Constant, "The end.");
  }

  private void names(CompletionPlace place) {
    var outer = place.outer(1).orElseThrow();
    switch (outer.production()) {
      case EDGE, ROUTE -> own(place, Kind.NODE);
      case ON_FAILURE -> own(place, Kind.CHANNEL);
      case ENTRY -> keys(place);
      case FIELD -> {
        if (place.item().filter(Item.OUTPUT::equals).isPresent()) own(place, Kind.CHANNEL);
      }
      case ITEM -> {
        if (place.item().filter(Item.INTO::equals).isPresent()) own(place, Kind.CHANNEL);
      }
      case NAMES -> {
        boolean isTrigger = place.around(Production.TRIGGER).isPresent();
        boolean isJoin =
            place.around(Production.JOIN).isPresent()
                || place.around(Production.SOURCES).isPresent();
        own(place, isJoin && !isTrigger ? Kind.NODE : Kind.CHANNEL);
      }
      default -> {}
    }
  }

  private void keys(CompletionPlace place) {
    boolean isWritten =
        place.around(Production.UPDATE).isPresent()
            || place.around(Production.ON_FAILURE).isPresent();
    if (isWritten) own(place, Kind.CHANNEL);
    else {
      for (var key : place.item().map(Item::keys).orElse(List.of())) {
        put(place, key.name(), key.name(), CompletionItemKind.Property, key.meaning());
      }
    }
  }

  private void words(CompletionPlace place) {
    var outer = place.outer(1).orElseThrow();
    switch (outer.production()) {
      case ITEM -> value(place);
      case CHANNEL -> {
        Reference.standardReducers()
            .forEach((word, text) -> put(place, word, word, CompletionItemKind.Function, text));
        for (var name : known(place, Capability.REDUCERS)) {
          put(place, name, name, CompletionItemKind.Function, "a registered reducer");
        }
      }
      case ALLOW -> words(place, Capability.words(), CompletionItemKind.EnumMember);
      case ACTOR -> {
        words(place, ACTORS, CompletionItemKind.EnumMember);
        words(place, List.of("delivery"), CompletionItemKind.Keyword);
      }
      case POLICY -> words(place, POLICIES, CompletionItemKind.Keyword);
      case ENTRY, LIST -> entry(place);
      default -> {}
    }
  }

  private void value(CompletionPlace place) {
    var item = place.item().orElseThrow();
    if (item == Item.KIND) {
      for (var kind : NodeKind.values()) {
        put(place, kind.word(), kind.word(), CompletionItemKind.EnumMember, Reference.of(kind));
      }
    } else words(place, item.words(), CompletionItemKind.EnumMember);
    item.refersTo().ifPresent(kind -> registered(place, kind));
  }

  /// Adds the values that the key of an entry takes.
  private void entry(CompletionPlace place) {
    var entry = place.around(Production.ENTRY);
    if (entry.isEmpty()) return;
    var name = place.tree().text(entry.get().children().getFirst());
    var key = place.item().flatMap(item -> item.key(name));
    if (key.isEmpty()) return;
    switch (key.get().type()) {
      case WORD -> words(place, key.get().words(), CompletionItemKind.EnumMember);
      case BOOL -> words(place, List.of("true", "false"), CompletionItemKind.Constant);
      case NODES -> own(place, Kind.NODE);
      case CHANNELS -> own(place, Kind.CHANNEL);
      case TEXT -> {
        if (name.equals("key")) registered(place, Capability.MAPPINGS);
      }
      default -> {}
    }
  }

  private void types(CompletionPlace place) {
    for (var type : TypeName.BUILT_IN) put(place, type, type, CompletionItemKind.Class, "");
    put(place, "list", "list<", CompletionItemKind.Class, "A list, as in `list<text>`.");
    for (var name : known(place, Capability.TYPES)) {
      put(place, name, name(name), CompletionItemKind.Class, "a registered type");
    }
  }

  private void strings(CompletionPlace place) {
    var parts = place.path();
    for (int i = parts.size() - 1; i >= 0; i--) {
      var part = parts.get(i);
      switch (part.production()) {
        case ACTOR -> quoted(place, Reference.steeringCommands());
        case DELIVERY -> quoted(place, List.of("safe_boundary"));
        case ALLOW ->
            Capability.of(place.tree().text(part.children().getFirst()))
                .ifPresent(kind -> registered(place, kind));
        case CHANNEL -> registered(place, Capability.REDUCERS);
        case PROMPT -> registered(place, Capability.TEMPLATES);
        case ENTRY -> entry(place);
        case ITEM -> part.item().flatMap(Item::refersTo).ifPresent(k -> registered(place, k));
        default -> {
          continue;
        }
      }
      return;
    }
  }

  /// Adds the registered things of a kind that the graph may use.
  private void registered(CompletionPlace place, Capability kind) {
    for (var name : known(place, kind)) {
      put(
          place,
          name,
          text(place, name),
          CompletionItemKind.Reference,
          "a registered " + kind.noun());
    }
    if (kind != Capability.GRAPHS) return;
    for (var graph : symbols(place).declared(Kind.GRAPH, "")) {
      if (graph.equals(place.graph())) continue;
      put(place, graph, text(place, graph), CompletionItemKind.Module, "a graph of this source");
    }
  }

  /// The registered names; if nothing is known of a kind, those that the source uses elsewhere.
  private Set<String> known(CompletionPlace place, Capability kind) {
    var names = document.names().registered(kind);
    var all = new TreeSet<>(names.orElseGet(() -> document.symbols().used(kind)));
    boolean isAllow = place.around(Production.ALLOW).isPresent();
    var own =
        document
            .compilation()
            .blueprint(place.graph())
            .flatMap(graph -> Optional.ofNullable(graph.allow().get(kind)));
    if (!isAllow) own.ifPresent(all::retainAll);
    return all;
  }

  private void quoted(CompletionPlace place, Collection<String> texts) {
    for (var text : texts) put(place, text, text(place, text), CompletionItemKind.EnumMember, "");
  }

  private static String text(CompletionPlace place, String name) {
    return place.isQuoted() ? name : "\"" + name + "\"";
  }

  /// Adds the nodes or channels of the graph.
  private void own(CompletionPlace place, Kind kind) {
    var icon = kind == Kind.NODE ? CompletionItemKind.Function : CompletionItemKind.Variable;
    for (var name : symbols(place).declared(kind, place.graph())) {
      put(place, name, place.isQuoted() ? name : name(name), icon, "");
    }
  }

  private static String name(String name) {
    return Renaming.isWord(name) ? name : "\"" + name + "\"";
  }

  private void words(CompletionPlace place, Collection<String> words, CompletionItemKind icon) {
    if (place.isQuoted() && place.last().production() != Production.STRING) return;
    for (var word : words) put(place, word, word, icon, "");
  }

  private CompletionItem put(
      CompletionPlace place, String label, String text, CompletionItemKind icon, String meaning) {
    var item = items.computeIfAbsent(label, CompletionItem::new);
    item.setKind(icon);
    item.setTextEdit(Either.forLeft(new TextEdit(document.range(place.replaced()), text)));
    item.setSortText("%04d".formatted(items.size()));
    if (!meaning.isEmpty()) {
      item.setDocumentation(new MarkupContent(MarkupKind.MARKDOWN, meaning));
    }
    return item;
  }
}
