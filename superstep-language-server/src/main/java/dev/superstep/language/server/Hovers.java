package dev.superstep.language.server;

import dev.superstep.language.rag.Capability;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.NodeKind;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.Reference;
import dev.superstep.language.rag.Shape;
import dev.superstep.language.rag.SyntaxNode;
import dev.superstep.language.server.SymbolTable.Occurrence;
import java.util.List;
import java.util.Optional;
import org.eclipse.lsp4j.Hover;
import org.eclipse.lsp4j.MarkupContent;
import org.eclipse.lsp4j.MarkupKind;

/// Explains the words of a source.
final class Hovers {
  private Hovers() {}

  /// The explanation of the word at an offset, if there is one.
  static Optional<Hover> at(OpenDocument document, int offset) {
    var tokens = document.tree().tokens();
    var symbol = document.symbols().at(offset).filter(found -> found.span().end() > offset);
    if (symbol.isPresent()) {
      return Optional.of(hover(document, describe(document, symbol.get()), symbol.get().span()));
    }
    int token = tokens.at(offset);
    if (offset < tokens.start(token)) return Optional.empty();
    var path = CompletionPlace.path(document.tree().root(), token);
    return explain(document, path, token).map(text -> hover(document, text, tokens.span(token)));
  }

  private static Hover hover(OpenDocument document, String text, dev.superstep.language.Span span) {
    return new Hover(new MarkupContent(MarkupKind.MARKDOWN, text), document.range(span));
  }

  private static String describe(OpenDocument document, Occurrence found) {
    var symbol = found.symbol();
    var declared = document.symbols().declaration(symbol);
    var name = "`" + symbol.name() + "`";
    return switch (symbol.kind()) {
      case GRAPH ->
          declared.isPresent() ? "graph " + name : "graph " + name + ", not in this source";
      case NODE ->
          declared
              .map(node -> "node " + name + node(Outline.kind(document, node)))
              .orElse("node " + name + ", which is not declared");
      case CHANNEL ->
          declared
              .map(node -> channel(document, name, node))
              .orElse("channel " + name + ", which is not declared");
    };
  }

  private static String node(String kind) {
    var meaning = NodeKind.of(kind).map(each -> "\n\n" + Reference.of(each)).orElse("");
    return " of kind `" + kind + "`" + meaning;
  }

  private static String channel(OpenDocument document, String name, SyntaxNode node) {
    if (node.production() != Production.CHANNEL) {
      return "input " + name + ": `" + document.tree().text(node) + "`";
    }
    var reducer = Outline.reducer(document, node);
    var meaning = Reference.standardReducers().getOrDefault(reducer, "");
    var text = "`" + document.tree().text(node) + "`";
    return meaning.isEmpty() ? text : text + "\n\n" + meaning;
  }

  private static Optional<String> explain(OpenDocument document, List<SyntaxNode> path, int token) {
    var last = path.getLast();
    var word = document.tree().tokens().text(token);
    var outer = path.size() > 1 ? path.get(path.size() - 2) : last;
    if (last.item().isPresent()) {
      return last.first() == token ? Optional.of(item(last.item().get())) : Optional.empty();
    }
    return switch (last.production()) {
      case GRAPH, ALLOW, CHANNEL, NODE, JOIN, TRIGGER ->
          last.first() == token
              ? Optional.ofNullable(Reference.declared().get(word))
              : Optional.empty();
      case WORD -> word(outer, word);
      case STRING -> string(path);
      case NAME -> key(path, word);
      default -> Optional.empty();
    };
  }

  private static String item(Item item) {
    var entry = Reference.of(item);
    var form = item.shape() == Shape.FLAG ? "" : " " + item.shape().production();
    var text =
        "`"
            + item.word()
            + form
            + "`\n\n"
            + entry.meaning()
            + "\n\nOtherwise: "
            + entry.absent()
            + ".";
    var keys = new StringBuilder(text);
    for (var key : item.keys()) {
      keys.append("\n- `").append(key.name()).append("`: ").append(key.meaning());
    }
    return keys.toString();
  }

  private static Optional<String> word(SyntaxNode outer, String word) {
    return switch (outer.production()) {
      case ITEM ->
          outer.item().filter(Item.KIND::equals).flatMap(_ -> NodeKind.of(word)).map(Reference::of);
      case CHANNEL -> Optional.ofNullable(Reference.standardReducers().get(word));
      case CHANNEL_CUT -> Optional.ofNullable(Reference.channelCuts().get(word));
      default -> Optional.empty();
    };
  }

  private static Optional<String> string(List<SyntaxNode> path) {
    for (var part : path.reversed()) {
      if (part.item().isPresent()) {
        return part.item().flatMap(Item::refersTo).map(Hovers::registered);
      }
    }
    return Optional.empty();
  }

  private static String registered(Capability kind) {
    return "a registered " + kind.noun();
  }

  private static Optional<String> key(List<SyntaxNode> path, String word) {
    for (var part : path.reversed()) {
      if (part.item().isPresent()) {
        return part.item().flatMap(item -> item.key(word)).map(key -> key.meaning());
      }
    }
    return Optional.empty();
  }
}
