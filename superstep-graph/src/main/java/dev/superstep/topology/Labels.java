package dev.superstep.topology;

/// The form of names in drawings and diffs. Names may contain anything: a topology may come from a
/// file.
final class Labels {
  // Part of emoji and of several scripts, and harmless.
  private static final int ZERO_WIDTH_JOINER = 0x200D;

  private Labels() {}

  /// The text on one line, with line breaks, control characters and marks that reverse the
  /// direction of text spelled out.
  static String visible(String text) {
    var safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          if (hidden(c)) safe.append("\\u%04x".formatted(c));
          else safe.appendCodePoint(c);
        });
    return safe.toString();
  }

  /// A node's name with its marks.
  static String of(Topology.NodeShape node) {
    var gate =
        node.gate().isEmpty() ? "" : " (when " + String.join(" or ", node.gate()) + " changed)";
    return visible(node.name() + (node.deferred() ? " (deferred)" : "") + gate);
  }

  /// Describes how many of a join's sources must have finished: `all`, `any` or `2 of 3`.
  static String policy(Topology.EdgeShape join) {
    int sources = join.from().size();
    if (join.needs() == sources) return "all";
    return join.needs() == 1 ? "any" : join.needs() + " of " + sources;
  }

  private static boolean hidden(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          c != ZERO_WIDTH_JOINER;
      default -> false;
    };
  }
}
