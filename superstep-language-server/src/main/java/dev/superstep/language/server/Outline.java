package dev.superstep.language.server;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.rag.Item;
import dev.superstep.language.rag.Production;
import dev.superstep.language.rag.SyntaxNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.lsp4j.DocumentSymbol;
import org.eclipse.lsp4j.SymbolInformation;
import org.eclipse.lsp4j.SymbolKind;
import org.eclipse.lsp4j.jsonrpc.messages.Either;

/// The graphs of a source, with their channels and nodes, for the outline of an editor.
final class Outline {
  private Outline() {}

  static List<Either<SymbolInformation, DocumentSymbol>> of(OpenDocument document) {
    var all = new ArrayList<Either<SymbolInformation, DocumentSymbol>>();
    for (var graph : document.tree().root().children(Production.GRAPH)) {
      symbol(document, graph, SymbolKind.Module, "graph")
          .ifPresent(made -> {
            made.setChildren(children(document, graph));
            all.add(Either.forRight(made));
          });
    }
    return all;
  }

  private static List<DocumentSymbol> children(OpenDocument document, SyntaxNode graph) {
    var children = new ArrayList<DocumentSymbol>();
    for (var child : graph.children()) {
      switch (child.production()) {
        case NODE ->
            symbol(document, child, SymbolKind.Function, kind(document, child))
                .ifPresent(children::add);
        case CHANNEL ->
            symbol(document, child, SymbolKind.Variable, reducer(document, child))
                .ifPresent(children::add);
        default -> {}
      }
    }
    return children;
  }

  private static Optional<DocumentSymbol> symbol(
      OpenDocument document, SyntaxNode node, SymbolKind icon, String detail) {
    var name = node.children().getFirst();
    if (name.production() != Production.NAME) return Optional.empty();
    var tree = document.tree();
    var text = tree.name(name, new Diagnostics());
    // The protocol has no empty names.
    return Optional.of(
        new DocumentSymbol(
            text.isBlank() ? "\"" + text + "\"" : text,
            icon,
            document.range(tree.span(node)),
            document.range(tree.span(name)),
            detail));
  }

  /// The kind of a node, as it is written.
  static String kind(OpenDocument document, SyntaxNode node) {
    for (var child : node.children()) {
      boolean isKind = child.item().filter(Item.KIND::equals).isPresent();
      if (!isKind || child.children().isEmpty()) continue;
      return document.tree().text(child.children().getFirst());
    }
    return "model";
  }

  /// The reducer of a channel, as it is written.
  static String reducer(OpenDocument document, SyntaxNode channel) {
    return channel.child(Production.WORD).map(document.tree()::text).orElse("");
  }
}
