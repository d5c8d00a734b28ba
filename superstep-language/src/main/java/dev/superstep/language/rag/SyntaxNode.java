package dev.superstep.language.rag;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A part of a source that a production of the grammar matched. Immutable.
public final class SyntaxNode {
  private final Production production;
  private final @Nullable Item item;
  private final int first;
  private final int end;
  private final List<SyntaxNode> children;

  SyntaxNode(
      Production production, @Nullable Item item, int first, int end, List<SyntaxNode> children) {
    this.production = production;
    this.item = item;
    this.first = first;
    this.end = end;
    this.children = List.copyOf(children);
  }

  public Production production() {
    return production;
  }

  /// The item that this is, if it is one.
  public Optional<Item> item() {
    return Optional.ofNullable(item);
  }

  boolean is(Item other) {
    return item == other;
  }

  /// The index of the first token.
  public int first() {
    return first;
  }

  /// The index of the token behind the last one; `first` if there is none.
  public int end() {
    return end;
  }

  public List<SyntaxNode> children() {
    return children;
  }

  /// The first child that a production matched, if there is one.
  public Optional<SyntaxNode> child(Production wanted) {
    for (var child : children) if (child.production == wanted) return Optional.of(child);
    return Optional.empty();
  }

  /// The children that a production matched.
  public List<SyntaxNode> children(Production wanted) {
    return children.stream().filter(child -> child.production == wanted).toList();
  }

  @Override
  public String toString() {
    return production.word() + children;
  }
}
