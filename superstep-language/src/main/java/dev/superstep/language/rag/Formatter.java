package dev.superstep.language.rag;

import dev.superstep.language.Diagnostics;
import dev.superstep.language.Source;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Lays a source out: two spaces for each block, the items of a node in the order of the reference,
/// one string, route or send to a line where there are several. Comments stay with what they stand
/// before or behind, and strings are not touched. Formatting twice is formatting once.
public final class Formatter {
  private static final String INDENT = "  ";
  private static final int LINE_MAX = 80;

  private final SyntaxTree tree;
  private final Tokens tokens;
  private final Layout layout;
  private final StringBuilder out = new StringBuilder();

  private Formatter(SyntaxTree tree) {
    this.tree = tree;
    this.tokens = tree.tokens();
    this.layout = new Layout(tree);
  }

  /// The source, laid out; empty if it has errors of syntax, which nobody should move around.
  public static Optional<String> format(Source source, SyntaxLimits limits) {
    var diagnostics = new Diagnostics();
    var tree = SyntaxTree.parse(source, limits, diagnostics);
    return diagnostics.hasErrors() ? Optional.empty() : Optional.of(format(tree));
  }

  /// The source of a tree without errors, laid out.
  public static String format(SyntaxTree tree) {
    var formatter = new Formatter(tree);
    formatter.program();
    return formatter.out.toString();
  }

  /// A part that has lines of its own, with its comments.
  private record Part(SyntaxNode node, Trivia before, String trailing) {}

  private void program() {
    var parts = parts(tree.root().children(), 0, tokens.count() - 1);
    for (var part : parts) part(part, "", out.length() > 0);
    var rest = after(parts, 0, tokens.count() - 1);
    comments(rest.own(), "", out.length() > 0 && rest.isApart());
  }

  /// Divides what is between two tokens into parts.
  ///
  /// @param from the token behind the opening one
  /// @param to the closing token
  private List<Part> parts(List<SyntaxNode> nodes, int from, int to) {
    var parts = new ArrayList<Part>();
    int before = from;
    for (int i = 0; i < nodes.size(); i++) {
      var node = nodes.get(i);
      int next = i + 1 < nodes.size() ? nodes.get(i + 1).first() : to;
      parts.add(
          new Part(
              node,
              Trivia.between(tokens, text(), before, node.first()),
              Trivia.between(tokens, text(), node.end(), next).trailing()));
      before = node.end();
    }
    return parts;
  }

  /// The comments behind the last part.
  private Trivia after(List<Part> parts, int from, int to) {
    int last = parts.isEmpty() ? from : parts.getLast().node().end();
    return Trivia.between(tokens, text(), last, to);
  }

  private String text() {
    return tree.source().text();
  }

  private void comments(List<String> comments, String indent, boolean isApart) {
    if (isApart && !comments.isEmpty()) out.append('\n');
    for (var comment : comments) out.append(indent).append(comment).append('\n');
  }

  /// Writes a part in lines of its own.
  private void part(Part part, String indent, boolean isApart) {
    if (isApart) out.append('\n');
    comments(part.before().own(), indent, false);
    body(part.node(), indent, "");
    if (!part.trailing().isEmpty()) out.append(INDENT).append(part.trailing());
    out.append('\n');
  }

  private void body(SyntaxNode node, String indent, String end) {
    var block = block(node);
    if (block.isEmpty()) {
      for (var comment : Trivia.inside(tokens, text(), node)) {
        out.append(indent).append(comment).append('\n');
      }
      out.append(indent).append(layout.inline(node)).append(end);
    } else broken(node, block.get(), indent, end);
  }

  /// The part of a node that is divided into lines, if one is: its last child, or itself.
  private Optional<SyntaxNode> block(SyntaxNode node) {
    return switch (node.production()) {
      case GRAPH, NODE -> Optional.of(node);
      case ITEM, ENTRY, UPDATE, ACTOR, ALLOW ->
          node.children().isEmpty() ? Optional.empty() : inner(node, node.children().getLast());
      case OBJECT, LIST -> inner(node, node);
      default -> Optional.empty();
    };
  }

  private Optional<SyntaxNode> inner(SyntaxNode whole, SyntaxNode last) {
    return switch (last.production()) {
      case BLOCK -> Optional.of(last);
      case STRINGS, ROUTES, SENDS -> broken(whole, last, last.children().size() > 1);
      case OBJECT, FIELDS, NAMES, LIST, COMMAND, STEERING -> broken(whole, last, false);
      case TARGETS -> layout.isBracketed(last) ? broken(whole, last, false) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Optional<SyntaxNode> broken(SyntaxNode whole, SyntaxNode last, boolean always) {
    if (!always && Trivia.inside(tokens, text(), last).isEmpty()) {
      var line = layout.inline(whole);
      if (line.length() <= LINE_MAX && line.indexOf('\n') < 0) return Optional.empty();
      if (last.children().isEmpty()) return Optional.empty();
    }
    return Optional.of(last);
  }

  private void broken(SyntaxNode whole, SyntaxNode block, String indent, String end) {
    var children = children(block);
    int open = open(block);
    int close = block.end() - 1;
    for (var comment : head(whole, open)) out.append(indent).append(comment).append('\n');
    out.append(indent).append(header(whole, block));
    boolean isList = tokens.kind(open) == TokenKind.LEFT_BRACKET;
    var parts = parts(children, open + 1, close);
    var rest = after(parts, open + 1, close);
    var opening = parts.isEmpty() ? rest.trailing() : parts.getFirst().before().trailing();
    if (parts.isEmpty() && rest.own().isEmpty() && opening.isEmpty()) {
      out.append(isList ? "[]" : "{}").append(end);
      return;
    }
    out.append(isList ? '[' : '{');
    if (!opening.isEmpty()) out.append(INDENT).append(opening);
    out.append('\n');
    children(block, parts, indent + INDENT, isList ? "," : "");
    comments(rest.own(), indent + INDENT, false);
    out.append(indent).append(isList ? ']' : '}').append(end);
  }

  private void children(SyntaxNode block, List<Part> parts, String indent, String comma) {
    boolean isGraph = block.production() == Production.GRAPH;
    if (isOrdered(block)) {
      parts.sort(
          Comparator.comparing(
              part -> part.node().item().orElse(Item.KIND), Comparator.naturalOrder()));
    }
    boolean isFirst = true;
    for (var part : parts) {
      if (isGraph && !isFirst && part.before().isApart()) out.append('\n');
      isFirst = false;
      comments(part.before().own(), indent, false);
      body(part.node(), indent, comma);
      if (!part.trailing().isEmpty()) out.append(INDENT).append(part.trailing());
      out.append('\n');
    }
  }

  private static boolean isOrdered(SyntaxNode block) {
    return block.production() == Production.NODE || block.production() == Production.BLOCK;
  }

  private static List<SyntaxNode> children(SyntaxNode block) {
    return switch (block.production()) {
      case GRAPH, NODE -> block.children().subList(1, block.children().size());
      default -> block.children();
    };
  }

  /// The token that opens a block: behind the name of a graph or node, else its first.
  private static int open(SyntaxNode block) {
    return switch (block.production()) {
      case GRAPH, NODE -> block.first() + 2;
      default -> block.first();
    };
  }

  /// The comments before the opening token.
  private List<String> head(SyntaxNode whole, int open) {
    if (open <= whole.first()) return List.of();
    var found = Trivia.between(tokens, text(), whole.first() + 1, open);
    var all = new ArrayList<String>();
    if (!found.trailing().isEmpty()) all.add(found.trailing());
    all.addAll(found.own());
    return all;
  }

  /// The text before the opening token.
  private String header(SyntaxNode whole, SyntaxNode block) {
    return switch (whole.production()) {
      case GRAPH, NODE ->
          layout.keyword(whole) + " " + layout.inline(whole.children().getFirst()) + " ";
      case ITEM, UPDATE -> layout.keyword(whole) + " ";
      case ENTRY -> whole == block ? "" : layout.inline(whole.children().getFirst()) + ": ";
      case ACTOR -> layout.inline(whole.children().getFirst()) + " allow ";
      case ALLOW -> "allow " + layout.inline(whole.children().getFirst()) + " ";
      default -> "";
    };
  }
}
