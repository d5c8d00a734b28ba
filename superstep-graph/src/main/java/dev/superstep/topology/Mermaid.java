package dev.superstep.topology;

/// Draws a Mermaid flowchart; a subgraph becomes a box.
///
/// Text is quoted, and all but letters, digits and a few marks become numbers, as in `#35;`:
/// Mermaid looks for comments, directives and Markdown inside of quotes as well.
final class Mermaid implements Pen {
  private final StringBuilder out = new StringBuilder("flowchart TD\n");
  private String indent = "  ";

  private Mermaid() {}

  static String of(Topology topology) {
    var pen = new Mermaid();
    Drawing.draw(topology, pen);
    return pen.out.toString();
  }

  @Override
  public void terminal(String id, String label) {
    line(id + "((" + label + "))");
  }

  @Override
  public void node(String id, String label, boolean sent) {
    line(id + (sent ? "[[" : "[") + text(label) + (sent ? "]]" : "]"));
  }

  @Override
  public void open(String id, String label) {
    line("subgraph " + id + "[" + text(label) + "]");
    indent += "  ";
  }

  @Override
  public void close() {
    indent = indent.substring(2);
    line("end");
  }

  @Override
  public void data(String id, String label) {
    line(id + "[/" + text(label) + "/]");
  }

  @Override
  public void meeting(String id, String how) {
    line(id + "{{" + how + "}}");
  }

  @Override
  public void unknown(String id, String label) {
    line(id + ">" + text(label) + "]");
  }

  @Override
  public void arrow(Spot from, Spot to, Line line, String word) {
    var arrow =
        switch (line) {
          case SOLID -> " --> ";
          case DOTTED -> word.isEmpty() ? " -.-> " : " -. " + word + " .-> ";
          case THICK -> " == " + word + " ==> ";
        };
    line(from.id() + arrow + to.id());
  }

  @Override
  public void choice(Spot from, Spot to, String label) {
    line(from.id() + " -.->|" + text(label) + "| " + to.id());
  }

  private void line(String text) {
    out.append(indent).append(text).append('\n');
  }

  private static String text(String label) {
    // Mermaid does not parse an empty string.
    if (label.isEmpty()) return "\" \"";
    var safe = new StringBuilder("\"");
    int before = ' ';
    for (int i = 0; i < label.length(); ) {
      int c = label.codePointAt(i);
      i += Character.charCount(c);
      int after = i < label.length() ? label.codePointAt(i) : ' ';
      if (plain(before, c, after)) safe.appendCodePoint(c);
      else safe.append('#').append(c).append(';');
      before = c;
    }
    return safe.append('"').toString();
  }

  /// Marks that make lists and emphasis in Markdown are plain only inside a word.
  private static boolean plain(int before, int c, int after) {
    if (Character.isLetterOrDigit(c)) return true;
    return "-_./".indexOf(c) >= 0
        ? Character.isLetterOrDigit(before) && Character.isLetterOrDigit(after)
        : " ,()!?'".indexOf(c) >= 0;
  }
}
